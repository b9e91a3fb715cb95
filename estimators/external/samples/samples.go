package samples

import (
	"bytes"
	"math"
	"path"
	"slices"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/meter"
	"logzlab/core/problem"
)

// File is a file as it was given. Its name, with the folder where that is known, appears in errors; of steps of BEAST 2
// the folder tells the step.
type File struct {
	Name string
	Data []byte
	// Load brings Data, of Size bytes, when the file's turn comes, so that one file at a time takes memory; nil: it is
	// there.
	Load func() ([]byte, error)
	Size int
}

// Len is the size of a file, packed as it is.
func (f *File) Len() int { return max(len(f.Data), f.Size) }

// Bytes are the bytes of the file.
func (f *File) Bytes() ([]byte, error) {
	if f.Load == nil {
		return f.Data, nil
	}
	return f.Load()
}

// Options say what files may leave open.
type Options struct {
	Alpha float64        // of the powers (i/K)^(1/alpha) of BEAST 2, whose logs do not name them; 0: the program's own 0.3
	Begin func(file int) // hears which file is read next; may be nil
	Draws []string       // names of the numbers of a program's parameters, of whose posterior files have draws; nil: none
}

// Kind is a sort of samples.
type Kind int

// Kinds of samples.
const (
	Powers Kind = iota // log likelihoods at powers of the likelihood
	States             // energies of samples in the states of a path
	Stones             // the share of each stone and run in log Z, without samples
	Points             // dead points of nested sampling
	Draws              // draws of the posterior of a program
)

// Set is the samples of files that belong together.
type Set struct {
	Kind        Kind
	Source      string  // the program and its file, as "RevBayes power posterior"
	Units       string  // of the energies in the files: nats, kT or kJ/mol
	Temperature float64 // in K; NaN: there is none
	Rungs       []Rung  // from the base to the target
	Chains      []Chain // of Powers and States, by rungs, then runs
	Runs        int
	// Complete says that log f of each sample is known at all rungs, as mbar needs it.
	Complete bool
	Stones   []Stone
	Points   []*Run // runs of nested sampling
	Draws    []*Drawn
	Said     []error // phrases: what was understood and what was left out
}

// Rung is a power, or a state by its place on the path, which may have several components.
type Rung struct {
	Label string
	At    []float64
}

// Chain is the samples of one rung and run, in the order in which they were drawn.
type Chain struct {
	Rung, Run int
	LogL      []float64 // of Powers
	LogF      []float64 // of States: samples x rungs, log f up to a constant of each sample; nil: not known
	Slopes    []float64 // of States: samples x components, d log f/d lambda; nil: not known
}

// Stone is a step of stepping stone sampling: log Z between two powers, of each run.
type Stone struct {
	Power float64 // at which it was sampled
	LogZ  []float64
}

// Limits. Numbers are those that are kept, of all files together.
const (
	maxRungs   = 1000
	maxRuns    = 100
	maxNumbers = 40e6
)

// Len is the number of samples of a chain.
func (c *Chain) Len(s *Set) int {
	switch {
	case c.LogL != nil:
		return len(c.LogL)
	case c.LogF != nil:
		return len(c.LogF) / len(s.Rungs)
	case c.Slopes != nil:
		return len(c.Slopes) / len(s.Rungs[0].At)
	}
	return 0
}

// Slope is d log f/d lambda of the i-th sample of a chain along a component of the path.
func (s *Set) Slope(c *Chain, i, component int) float64 {
	if c.LogL != nil {
		return c.LogL[i]
	}
	return c.Slopes[i*len(s.Rungs[0].At)+component]
}

// Read reads files that belong together. The meter, which may be nil, watches memory and time.
func Read(files []File, o Options, m *meter.Meter) (*Set, error) {
	if len(files) == 0 {
		return nil, problem.New("no files were given")
	}
	if o.Alpha == 0 {
		o.Alpha = 0.3
	}
	var parts []*part
	for i, f := range files {
		if m.NextPart(); o.Begin != nil {
			o.Begin(i)
		}
		data, err := unpack(&f, m)
		if err != nil {
			return nil, err
		}
		p, err := readFile(&source{File: File{Name: f.Name, Data: data}, options: o, meter: m})
		if err != nil {
			return nil, err
		}
		if numbersOf(append(parts, p)) > maxNumbers {
			return nil, problem.New("%s: with it there are more than %d million numbers, the limit; leave samples out evenly",
				f.Name, int(maxNumbers/1e6))
		}
		parts = append(parts, p)
	}
	return join(parts, o)
}

// source is a file that is read.
type source struct {
	File
	options Options
	meter   *meter.Meter
}

// part is what one file says.
type part struct {
	file        string
	kind        Kind
	source      string
	units       string
	temperature float64
	components  []string // of the path
	states      []Rung   // to which the columns of LogF belong; nil: there are none
	blocks      []*block
	stones      []Stone
	runs        int
	points      *Run
	draws       []*Drawn
	warmup      int // draws left out
	array       *array
	power       float64 // of the step of BEAST 2 that this file describes; NaN: none
	step        int     // of BEAST 2, from the folder; -1: none
}

// block is a row of samples of one rung in a file, from a line on.
type block struct {
	Rung
	Chain
	line, count int
	first, last float64 // time or state of the chain; NaN: not known
	run         float64 // the number that the file gives; NaN: none
}

func newPart(f *source, kind Kind, source, units string) *part {
	return &part{file: f.Name, kind: kind, source: source, units: units, temperature: math.NaN(), power: math.NaN(),
		step: -1}
}

// numbersOf is how many numbers are kept.
func numbersOf(parts []*part) (n int) {
	for _, p := range parts {
		for _, b := range p.blocks {
			n += len(b.LogL) + len(b.LogF) + len(b.Slopes)
		}
		if p.points != nil {
			n += 3 * len(p.points.LogL)
		}
		if p.array != nil {
			n += len(p.array.Data)
		}
		for _, d := range p.draws {
			n += len(d.X) + len(d.LogP) + len(d.Lines)
		}
	}
	return n
}

// readFile reads a file by what is in it.
func readFile(f *source) (*part, error) {
	if err := refuse(f); err != nil {
		return nil, err
	}
	if isArrays(f.Data) {
		return readArrays(f)
	}

	// Texts without columns.
	f.Data = csv.Normalize(f.Data)
	text := bytes.TrimSpace(f.Data)
	switch {
	case len(text) == 0:
		return nil, problem.New("%s: it is empty", f.Name)
	case isXVG(text):
		return readXVG(f)
	case text[0] == '<':
		return readStepXML(f)
	}

	// Tables: draws, and points without names.
	t, err := openTable(f)
	if err != nil {
		return nil, err
	}
	if f.options.Draws != nil {
		return readDraws(t)
	}
	if t.Names == nil {
		return readPoints(t)
	}
	if slices.Contains(t.Names, "lp__") { // whose parameters may be called theta or beta
		return nil, problem.New("%s: draws of Stan alone do not tell log Z, but with their program they do: by the command "+
			"logz read %s -model program.stan -data data.json", f.Name, path.Base(f.Name))
	}

	// The first reader to know the columns.
	for _, read := range []func(*table) (*part, error){readStones, readAlchemlyb, readNested, readPowers, readStep} {
		if p, err := read(t); p != nil || err != nil {
			return p, err
		}
	}
	return nil,
		problem.New("%s, line %d: no columns that are known, but %s; needed are a power (power, beta or theta) and "+
			"a log likelihood (likelihood, loglik or lnL), or logL and logL_birth of nested sampling", f.Name, t.Line,
			csv.Truncate(strings.Join(t.Names, ", ")))
}

// refuse names formats that cannot be read here, by how they begin.
func refuse(f *source) error {
	starts := func(s string) bool { return bytes.HasPrefix(f.Data, []byte(s)) }
	switch {
	case starts("PAR1"):
		return problem.New("%s: parquet cannot be read; save it as CSV, in Python: pandas.read_parquet(%q).to_csv(%q)",
			f.Name, f.Name, "u_nk.csv")
	case starts("\x89HDF"):
		return problem.New("%s: HDF5 cannot be read; save logl and logvol or samples_n by numpy.savez, or a table as CSV",
			f.Name)
	case len(f.Data) > 1 && f.Data[0] == 0x80 && f.Data[1] <= 5:
		return problem.New("%s: a pickle of Python cannot be read; save what is in it by numpy.savez, in Python: "+
			"numpy.savez(%q, **results.asdict())", f.Name, "results.npz")
	}
	return nil
}

// rungsText is a phrase about a ladder.
func (s *Set) rungsText() error {
	n := 0
	for i := range s.Chains {
		n += s.Chains[i].Len(s)
	}
	first, last := s.Rungs[0].Label, s.Rungs[len(s.Rungs)-1].Label
	samples := Counted(n)
	if s.Runs == 1 {
		return problem.New("%s: %d rungs from %s to %s, %w", s.Source, len(s.Rungs), first, last, samples)
	}
	return problem.New("%s: %d rungs from %s to %s, %w %w", s.Source, len(s.Rungs), first, last, samples, s.inRuns())
}

// Counted is a phrase about so many samples.
func Counted(n int) error {
	return problem.Plural(n, problem.New("1 sample"), problem.New("%d samples", n))
}

// inRuns is a phrase, which goes on from what there is.
func (s *Set) inRuns() error {
	return problem.Plural(s.Runs, problem.New("in 1 run"), problem.New("in %d runs", s.Runs))
}

// sampled are the chains of a rung that have samples.
func (s *Set) sampled(rung int) bool {
	return slices.ContainsFunc(s.Chains, func(c Chain) bool { return c.Rung == rung && c.Len(s) > 0 })
}
