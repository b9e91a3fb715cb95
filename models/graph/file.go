package graph

import (
	"math"
	"slices"
	"strconv"

	"logzlab/core/factor"
	"logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models"
)

// Kind is the kind of models given as factor graphs.
var Kind = models.Kind{Name: "graph", Label: "graph", Title: "Graphs",
	Traits: models.Traits{Look: models.Lattices, HasSequence: true, FastLadderLogZ: true},
	Reader: modelfile.Reader[models.File]{Fields: readFields, Text: readText, Parts: readParts},
	Params: []spec.Param{
		{Name: "beta", Type: "float", Default: "", Min: -100, Max: 100, Target: true,
			Help: "Inverse temperature of the graph, the power to which its tables are raised; empty means 1."},
		{Name: "order", Type: "choice", Default: Orders[0], Choices: Orders, For: spec.Forms,
			Help: "The order in which rm and arm add the variables: next the one that shares most tables with those " +
				"added before (connected), the order of the file (natural), a random order (random), or the reverse of " +
				"an elimination order, with lookahead by mini-buckets (ahead)."},
		{Name: "sweep", Type: "choice", Default: Sweeps[0], Choices: Sweeps, For: spec.Moves,
			Help: "Whether a sweep draws single variables (single), or sets of variables connected as trees (trees), " +
				"given all others."},
		spec.Param{Name: "start", Type: "choice", Default: Starts[0], Choices: Starts, For: spec.Moves,
			Help: "The base of the path: the uniform distribution (uniform), or a spanning tree of the strongest " +
				"tables, whose log Z is exact (tree)."}.When("sweep", trees),
		flipsParam,
	},
	Entries: builtin,
}

// Params is a graph in canonical form.
type Params struct {
	Graph      *factor.Graph
	removed    int   // number of variables that the canonical form omits: known by evidence, or with one state
	unreadNote error // phrase about fields of the file that were not read; nil if there are none
}

// Kind returns the kind of models given as factor graphs.
func (p Params) Kind() *models.Kind { return &Kind }

// Canonical returns the text whose hash identifies the graph in links.
func (p Params) Canonical() []byte { return encode(p.Graph) }

// FileOf returns the canonical form of a graph given evidence, a map from variables to states, which must be valid. It
// returns an error if a log exceeds maxLog.
func FileOf(g *factor.Graph, evidence map[int]int) (Params, error) {
	canon := canonical(g, evidence)
	for i, f := range canon.Factors {
		for _, x := range f.Table {
			if math.Abs(x) > maxLog && !math.IsInf(x, -1) {
				return Params{}, problem.New("graph file: table %d of %d has a number whose log is %v; its size must be at most %v",
					i+1, len(canon.Factors), x, maxLog)
			}
		}
	}
	known := len(g.States) - len(canon.States)
	if len(canon.States) == 0 { // log Z is the constant factor
		canon.States = []int{1}
	}
	return Params{Graph: canon, removed: known}, nil
}

// Open returns the model for the parameters in v. The meter w, which may be nil, limits memory.
func (p Params) Open(name, about string, v spec.Values, w *meter.Meter) (models.Model, error) {
	set := struct {
		Beta  float64 `param:"beta"`
		Flips string  `param:"flips"`
		Order string  `param:"order"`
		Sweep string  `param:"sweep"`
		Start string  `param:"start"`
	}{Beta: 1}
	v.Fill(&set)

	flippedCouplings, err := frame.ReadFlips(set.Flips)
	if err == nil {
		p.Graph, err = flipped(p.Graph, flippedCouplings)
	}
	if err != nil {
		return nil, err
	}

	// Memory of the tables.
	entries, widest := 0, 0
	for _, f := range p.Graph.Factors {
		entries += len(f.Table)
		widest = max(widest, len(f.Vars))
	}
	if err := w.Take(24*float64(entries), problem.New("the tables of the graph"),
		problem.New("give a smaller model")); err != nil {
		return nil, err
	}

	m, err := New(p, set.Beta, set.Order)
	if err != nil {
		return nil, err
	}
	m.info.Name, m.info.About = name, about
	if m.sweep = set.Sweep; m.sweep == trees && len(m.treeBlocks().entries) > maxTreeEntries {
		return nil, problem.New("graph: sweep = trees: the tables of this graph are too large for trees")
	}
	if set.Start == tree {
		if m, err = m.withTreeBase(); err != nil {
			return nil, err
		}
	}

	// Describe the file as it was understood.
	states := strconv.Itoa(slices.Min(p.Graph.States))
	if largest := slices.Max(p.Graph.States); states != strconv.Itoa(largest) {
		states += "-" + strconv.Itoa(largest)
	}
	var removedNote error
	if p.removed > 0 {
		removedNote = problem.New("%d known by evidence or of one state", p.removed)
	}
	m.info.Understood = models.JoinPhrases(problem.New("%d variables of %s states, %d tables on at most %d, beta = %v",
		len(p.Graph.States), states, len(p.Graph.Factors), widest, set.Beta), removedNote, p.unreadNote)
	return m, nil
}

// readText reads a .uai file or a list of couplings. isMine is false if the text is neither.
func readText(b []byte, m *meter.Meter) (f models.File, isMine bool, err error) {
	readGraph := readUAI
	switch {
	case isUAI(b):
	case isCouplings(b):
		readGraph = readCouplings
	default:
		return nil, false, nil
	}
	g, err := readGraph(b, m)
	if err != nil {
		return nil, true, err
	}
	p, err := FileOf(g, nil)
	return p, true, err
}

// WithEvidence reads a .uai file, which may be compressed by gzip, and a .evid file with its evidence.
func WithEvidence(uai, evidence []byte, m *meter.Meter) (Params, error) {
	r := modelfile.Reader[*factor.Graph]{Text: func(b []byte, m *meter.Meter) (g *factor.Graph, isMine bool, err error) {
		if !isUAI(b) {
			return nil, true, problem.New("evidence goes with a .uai or .uai.gz file, and this is another file")
		}
		g, err = readUAI(b, m)
		return g, true, err
	}}
	g, err := modelfile.Read(uai, []modelfile.Reader[*factor.Graph]{r}, m)
	if err != nil {
		return Params{}, err
	}
	observed, err := readEvidence(evidence, g.States, m)
	if err != nil {
		return Params{}, err
	}
	return FileOf(g, observed)
}

// readParts reads a .uai file and its .evid file, in any order.
func readParts(parts []modelfile.Part, m *meter.Meter) (models.File, error) {
	if !IsPair(parts) {
		return nil, problem.New("several files make a graph only if they are one .uai and one .evid")
	}
	if modelfile.IsEvidence(parts[0].Name) {
		parts[0], parts[1] = parts[1], parts[0]
	}
	return WithEvidence(parts[0].Data, parts[1].Data, m)
}

// IsPair reports whether the parts are two files whose names say that they are a graph and its evidence.
func IsPair(parts []modelfile.Part) bool {
	if len(parts) != 2 {
		return false
	}
	a, b := parts[0].Name, parts[1].Name
	return modelfile.IsUAI(a) && modelfile.IsEvidence(b) || modelfile.IsEvidence(a) && modelfile.IsUAI(b)
}

// unsupportedFields are fields of other formats for graphs and factors that would change the model. A file with such a
// field is rejected with the help, unless the value is one of Harmless.
var unsupportedFields = []modelfile.Unsupported{
	{Names: []string{"evidence", "observed", "observations", "observation", "known", "given", "clamp", "clamped", "do"},
		Help: problem.New("write evidence as a factor with a table of 0 and 1, or as a .evid file beside a .uai file")},
	{Names: []string{"t", "kt", "temp", "*temperature", "beta", "power", "exponent", "scale"}, Harmless: []any{1.},
		Help: problem.New("the parameter beta is the power of all tables")},
	{Names: []string{"h", "b", "j", "w", "*weight", "*weights", "*field", "*fields", "bias", "biases", "*couplings",
		"edges", "interactions", "unary", "pairwise", "*potentials", "*tables", "cpds", "cpts", "constant", "logc", "offset",
		"base", "logbase"}, Harmless: []any{0., "e"}, Help: problem.New("each factor has the field on (its variables) and " +
		"either table or log (the natural logs of the table); other fields are not read")},
}

// readFields reads a graph from a JSON file.
func readFields(f *modelfile.Fields) (models.File, error) {
	g := &factor.Graph{}
	f.RejectUnsupported("graph", unsupportedFields)
	states, list := modelfile.Get(f, "states", json.Value.Numbers), modelfile.Get(f, "factors", json.Value.List)
	if f.Err != nil {
		return nil, f.Err
	}

	if list == nil {
		return nil, problem.New("graph file: factors is missing; it must be a list of tables")
	}
	if len(states) == 0 || len(states) > maxVariables {
		return nil, problem.New("graph file: states has %d values; it must have one for each variable, at most %d",
			len(states), maxVariables)
	}
	if len(list) > maxFactors {
		return nil, problem.New("graph file: there are %d factors; at most %d are allowed", len(list), maxFactors)
	}

	for i, x := range states {
		if !(x >= 1 && x <= maxStates) || x != math.Trunc(x) {
			return nil, problem.New("graph file: states[%d] = %v must be a whole number from 1 to %d", i, x, maxStates)
		}
		g.States = append(g.States, int(x))
	}

	// All tables share one limit of entries.
	entries, unread := 0, error(nil)
	for i, v := range list {
		o, err := v.Object()
		if err != nil {
			return nil, problem.New("graph file: factors[%d]: %w", i, err)
		}
		fields := &modelfile.Fields{Object: o, Prefix: "factors[" + strconv.Itoa(i) + "].", Meter: f.Meter}
		factor, err := readFactor(fields, g)
		if err != nil {
			return nil, err
		}
		if entries += len(factor.Table); entries > maxTables {
			return nil, tooManyEntries
		}
		g.Factors = append(g.Factors, factor)
		if unread == nil { // report the first factor with unread fields
			unread = fields.Unread()
		}
	}
	p, err := FileOf(g, nil)
	p.unreadNote = models.JoinPhrases(f.Unread(), unread)
	return p, err
}

// readFactor reads a factor of a JSON file: its variables "on", and its values "table" or their logs "log".
func readFactor(f *modelfile.Fields, g *factor.Graph) (out factor.Factor, err error) {
	f.RejectUnsupported("graph", unsupportedFields)
	vars := modelfile.Get(f, "on", json.Value.Numbers)
	table, logs := modelfile.GetOptional(f, "table", json.Value.Numbers), modelfile.GetOptional(f, "log", json.Value.Numbers)
	switch {
	case f.Err != nil:
		return out, f.Err
	case (table == nil) == (logs == nil):
		return out, problem.New("graph file: %s must have a table, or log with the logs of one", f.Prefix[:len(f.Prefix)-1])
	}

	for _, x := range vars {
		if !(x >= 0 && x < float64(len(g.States))) || x != math.Trunc(x) {
			return out, problem.New("graph file: %son has %v; variables have numbers from 0 to %d", f.Prefix, x,
				len(g.States)-1)
		}
		out.Vars = append(out.Vars, int(x))
	}
	n, err := tableSize(g, &out)
	if err != nil {
		return out, problem.New("graph file: %s: %w", f.Prefix[:len(f.Prefix)-1], err)
	}

	name := "table"
	if out.Table = nil; table != nil {
		out.Table = *table
	} else {
		out.Table, name = *logs, "log"
	}
	if len(out.Table) != n {
		return out, problem.New("graph file: %s%s has %d entries; its variables have %d states together", f.Prefix, name,
			len(out.Table), n)
	}

	// Convert to logs; a very low log counts as a zero.
	for i, x := range out.Table {
		switch {
		case table != nil && x < 0:
			return out, problem.New("graph file: %stable[%d] = %v is negative", f.Prefix, i, x)
		case table == nil && x < zeroThreshold:
			out.Table[i] = math.Inf(-1)
		case table == nil && x > -zeroThreshold:
			return out, problem.New("graph file: %slog[%d] = %v is too large", f.Prefix, i, x)
		}
	}
	if table != nil {
		toLogs(out.Table)
	}
	return out, nil
}
