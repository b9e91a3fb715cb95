package ising

import (
	"math"

	"logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models"
)

// Kind is the kind of Ising lattices.
var Kind = models.Kind{Name: "ising", Label: "Ising", Title: "Ising lattices",
	Traits: models.Traits{Look: models.Lattices, FastLadderLogZ: true},
	Reader: modelfile.Reader[models.File]{Fields: readIsing},
	Params: []spec.Param{
		{Name: "beta", Type: "float", Default: "", Min: -100, Max: 100, Target: true,
			Help: "Inverse temperature of the lattice; empty means that of the model's file, or 0.44 if the file has none."},
		{Name: "sweep", Type: "choice", Default: "single", Choices: []string{"single", clusterSweepName}, For: spec.Moves,
			Help: "Whether a sweep draws single spins (single), or clusters of spins connected by bonds (clusters)."},
	},
	Entries: []models.Entry{
		{Name: "ising16", Truth: "Kaufman", About: "A 16 x 16 Ising lattice close to its critical temperature.",
			Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) {
				return Params{L1: 16, L2: 16, Periodic: true, J: 1}, nil
			}},
	},
}

// Params is an L1 x L2 lattice with coupling J. Beta is nil if the file gives no inverse temperature.
type Params struct {
	L1, L2     int
	Periodic   bool
	J          float64
	Beta       *float64
	unreadNote error // phrase about fields of the file that were not read; nil if there are none
}

// Kind returns the kind of Ising lattices.
func (p Params) Kind() *models.Kind { return &Kind }

// Open returns the lattice at the inverse temperature of the parameters v, or else of the file, or else 0.44.
func (p Params) Open(name, about string, v spec.Values, w *meter.Meter) (models.Model, error) {
	set := struct {
		Beta  float64 `param:"beta"`
		Sweep string  `param:"sweep"`
	}{Beta: 0.44}
	if p.Beta != nil {
		set.Beta = *p.Beta
	}
	v.Fill(&set)
	m, err := New(p, set.Beta)
	if err != nil {
		return nil, err
	}
	m.info.Name, m.info.About, m.clusterSweeps = name, about, set.Sweep == clusterSweepName
	border := problem.New("open boundaries")
	if p.Periodic {
		border = problem.New("on a torus")
	}
	if p.unreadNote == nil {
		p.unreadNote = noFieldNote
	}
	m.info.Understood = models.JoinPhrases(problem.New("%d x %d spins, %w; J = %v, beta = %v", p.L1, p.L2, border, p.J, set.Beta),
		p.unreadNote)
	return m, nil
}

// noFieldNote tells users of files of other programs that the lattice has no magnetic field.
var noFieldNote = problem.New("no field")

// unsupportedFields are fields of other formats that would change the model. A file with such a field is rejected with
// the help, unless the value is one of Harmless.
var unsupportedFields = []modelfile.Unsupported{
	{Names: []string{"h", "hx", "hy", "hz", "hext", "b", "*field", "*fields", "mu", "bias", "biases"}, Harmless: []any{0.},
		Help: problem.New("an ising file has no magnetic field; leave the field out, or write the model as a graph, for " +
			"example as a list of couplings i,j,J in which a row without j is a field")},
	{Names: []string{"l", "size", "shape", "sides"}, Help: twoSides},
	{Names: []string{"neighbours", "neighbors", "coordination"}, Harmless: []any{4.},
		Help: problem.New("a lattice is square")},
	{Names: []string{"model", "modeltype", "type", "variant"}, Harmless: []any{"ising", "ising2d", "2dising"},
		Help: problem.New("spins are -1 and 1")},
	{Names: []string{"l3", "l4", "lz"}, Harmless: []any{1.}, Help: twoSides},
	{Names: []string{"d", "dim", "dims", "ndim", "dimension", "dimensions"}, Harmless: []any{2.},
		Help: twoSides},
	{Names: []string{"j1", "j2", "j3", "jx", "jy", "jz", "jh", "jv", "jnn", "jnnn", "jij", "couplings", "coupling",
		"edges", "bonds", "interactions", "adjacency", "weights", "w", "graph", "disorder"}, Help: oneCoupling},
	{Names: []string{"t", "temperature", "temp", "kt", "k", "betaj"},
		Help: problem.New("write the inverse temperature as beta, and the coupling as J")},
	{Names: []string{"lattice", "geometry"}, Harmless: []any{"square"}, Help: problem.New("a lattice is square")},
	{Names: []string{"boundary", "boundaries", "boundaryconditions", "bc", "pbc"},
		Help: problem.New("write periodic for both sides: true (torus) or false (open boundaries)")},
	{Names: []string{"q", "states", "spin", "spins"}, Harmless: []any{2., -1., 1., .5},
		Help: problem.New("spins are -1 and 1")},
}

var (
	twoSides = problem.New("a lattice has two sides, L1 and L2; write a lattice with more sides as a graph, with a list of " +
		"couplings i,j,J")
	oneCoupling = problem.New("all neighbours have the same coupling J; write different couplings as a graph, with a list of " +
		"couplings i,j,J")
)

// readIsing reads a JSON file with L1, L2, periodic and optionally J (default 1) and beta.
func readIsing(f *modelfile.Fields) (models.File, error) {
	if f.RejectUnsupported("ising", unsupportedFields); f.Value("J").IsList() && f.Err == nil {
		return nil, problem.New("ising file: J is a list: %w", oneCoupling)
	}
	m := Params{L1: modelfile.Get(f, "L1", json.Value.Int), L2: modelfile.Get(f, "L2", json.Value.Int), J: 1,
		Beta: modelfile.GetOptional(f, "beta", json.Value.Number)}
	periodic, j := modelfile.GetOptional(f, "periodic", json.Value.Bool), modelfile.GetOptional(f, "J", json.Value.Number)
	if f.Err != nil {
		return nil, f.Err
	}
	if periodic == nil {
		return nil, problem.New("ising file: periodic is missing; it must be true (torus) or false (open boundaries)")
	}
	m.Periodic, m.unreadNote = *periodic, f.Unread()
	if j != nil {
		m.J = *j
	}
	if m.L1 < 1 || m.L2 < 1 || m.L1 > 1024 || m.L2 > 1024 || m.L1*m.L2 > 1<<16 {
		return nil, problem.New(
			"ising file: %d x %d spins; each side must be between 1 and 1024, and the lattice at most 65536 spins", m.L1, m.L2)
	}
	if !(math.Abs(m.J) <= 100) {
		return nil, problem.New("ising file: J = %v must be between -100 and 100", m.J)
	}
	if m.Beta != nil && !(math.Abs(*m.Beta) <= 100) {
		return nil, problem.New("ising file: beta = %v must be between -100 and 100", *m.Beta)
	}
	return m, nil
}
