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

// File is a file that the user gives. Name includes the folder if known; it appears in errors and identifies the steps
// of BEAST 2 (see stepNumber).
type File struct {
	Name string
	Data []byte
	// Load, if not nil, returns the content, of Size bytes, and Data is not used. It is called when the file is read, so
	// that only one file at a time is in memory.
	Load func() ([]byte, error)
	Size int
}

// Len returns the size of the file, without decompressing it.
func (f *File) Len() int { return max(len(f.Data), f.Size) }

// Bytes returns the content of the file.
func (f *File) Bytes() ([]byte, error) {
	if f.Load == nil {
		return f.Data, nil
	}
	return f.Load()
}

// Options has information that files may lack.
type Options struct {
	Alpha float64        // exponent of the powers (i/K)^(1/alpha) of BEAST 2, which its logs do not contain; 0: 0.3, as in BEAST 2
	Begin func(file int) // called with the index of each file before it is read; may be nil
	Draws []string       // names of the numbers of a posterior draw; nil if the files are not posterior draws of a program
}

// Kind is the kind of the samples in a file.
type Kind int

// Kinds of samples.
const (
	Powers Kind = iota // samples at powers of the likelihood, with log likelihoods
	States             // samples in the states of a path, with energies
	Stones             // log Z of each step and run, without samples
	Points             // dead points of nested sampling
	Draws              // draws from the posterior of a program
)

// Set holds the samples of files that belong together.
type Set struct {
	Kind        Kind
	Source      string  // program and file type, such as "RevBayes power posterior"
	Units       string  // of the energies in the files: nats, kT or kJ/mol
	Temperature float64 // in K; NaN if not known
	Rungs       []Rung  // from the base to the target
	Chains      []Chain // for Powers and States, sorted by rung, then run
	Runs        int
	// Complete reports whether log f of each sample is known at all rungs, which mbar requires.
	Complete bool
	Stones   []Stone      // for Stones
	Points   []*Run       // for Points: runs of nested sampling
	Draws    []*DrawChain // for Draws
	Notes    []error      // phrases: how the files were interpreted, and what was left out
}

// Rung is a distribution of the ladder: a power of the likelihood (At has one value) or a state of a path with its
// lambda values (At has one value for each component of the path).
type Rung struct {
	Label string
	At    []float64
}

// Chain holds the samples of one rung and run, in the order in which they were drawn.
type Chain struct {
	Rung, Run int
	LogL      []float64 // for Powers: log likelihood of each sample
	LogF      []float64 // for States: samples x rungs, log f up to a constant of each sample; nil if not known
	Slopes    []float64 // for States: samples x components, d log f/d lambda; nil if not known
}

// Stone is a step of stepping stone sampling, without its samples.
type Stone struct {
	Power float64   // power of the likelihood at which the samples were drawn
	LogZ  []float64 // by run: contribution of the step to log Z
}

// Limits of a set.
const (
	maxRungs   = 1000
	maxRuns    = 100
	maxNumbers = 40e6 // numbers kept in memory, of all files together
)

// Len returns the number of samples of a chain of set s.
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

// Slope returns d log f/d lambda of the i-th sample of a chain along a component of the path.
func (s *Set) Slope(c *Chain, i, component int) float64 {
	if c.LogL != nil {
		return c.LogL[i]
	}
	return c.Slopes[i*len(s.Rungs[0].At)+component]
}

// Read reads files that belong together and joins them into a set. It returns an error, with the name of the file, if a
// file cannot be interpreted or does not fit the others. The meter, which may be nil, limits memory and counts
// operations.
func Read(files []File, o Options, m *meter.Meter) (*Set, error) {
	if len(files) == 0 {
		return nil, problem.New("no files were given")
	}
	if o.Alpha == 0 {
		o.Alpha = 0.3
	}
	var parts []*fileData
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
		if numberCount(append(parts, p)) > maxNumbers {
			return nil, problem.New("%s: with it there are more than %d million numbers, the limit; leave samples out evenly",
				f.Name, int(maxNumbers/1e6))
		}
		parts = append(parts, p)
	}
	return join(parts, o)
}

// source is a file with the options for reading it.
type source struct {
	File
	options Options
	meter   *meter.Meter
}

// fileData is the content of one file, after parsing.
type fileData struct {
	file        string
	kind        Kind
	source      string
	units       string
	temperature float64
	components  []string // names of the components of the path
	states      []Rung   // states of the columns of LogF; nil if there are no such columns
	blocks      []*block
	stones      []Stone
	runs        int
	points      *Run
	draws       []*DrawChain
	warmup      int     // number of draws of the warm-up, which are left out
	array       *array  // u_kn or N_k, if the file has only one of them
	power       float64 // power of a BEAST 2 step, if the file is its beast.xml; else NaN
	step        int     // number of the BEAST 2 step of the file, from its name; else -1
}

// block is a sequence of samples of one rung in a file, beginning at a line.
type block struct {
	Rung
	Chain
	line, count int
	first, last float64 // time or iteration; NaN if not known
	run         float64 // run number in the file; NaN if none
}

// newFileData returns the data of a file without samples.
func newFileData(f *source, kind Kind, source, units string) *fileData {
	return &fileData{file: f.Name, kind: kind, source: source, units: units, temperature: math.NaN(), power: math.NaN(),
		step: -1}
}

// numberCount returns how many numbers the files have in memory, to compare with maxNumbers.
func numberCount(parts []*fileData) (n int) {
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

// readFile recognises the format of a file by its content and reads the file.
func readFile(f *source) (*fileData, error) {
	if err := unsupported(f); err != nil {
		return nil, err
	}
	if isArrays(f.Data) {
		return readArrays(f)
	}

	// Texts other than tables.
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

	// Tables of draws, and tables without names.
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
	if slices.Contains(t.Names, "lp__") { // Stan's parameters may be called theta or beta
		return nil, problem.New("%s: Stan's draws give log Z only together with their program; use the command logz "+
			"read %s -model program.stan -data data.json", f.Name, path.Base(f.Name))
	}

	// Tables with column names: the first reader that recognises the columns.
	for _, read := range []func(*table) (*fileData, error){readStones, readAlchemlyb, readNested, readPowers, readStep} {
		if p, err := read(t); p != nil || err != nil {
			return p, err
		}
	}
	return nil,
		problem.New("%s, line %d: no columns that are known, but %s; needed are a power (power, beta or theta) and "+
			"a log likelihood (likelihood, loglik or lnL), or logL and logL_birth of nested sampling", f.Name, t.Line,
			csv.Truncate(strings.Join(t.Names, ", ")))
}

// unsupported returns an error for a file format that is recognised by its first bytes but not supported, else nil.
func unsupported(f *source) error {
	hasPrefix := func(s string) bool { return bytes.HasPrefix(f.Data, []byte(s)) }
	switch {
	case hasPrefix("PAR1"):
		return problem.New("%s: parquet cannot be read; save it as CSV, in Python: pandas.read_parquet(%q).to_csv(%q)",
			f.Name, f.Name, "u_nk.csv")
	case hasPrefix("\x89HDF"):
		return problem.New("%s: HDF5 cannot be read; save logl and logvol or samples_n by numpy.savez, or a table as CSV",
			f.Name)
	case len(f.Data) > 1 && f.Data[0] == 0x80 && f.Data[1] <= 5:
		return problem.New("%s: a pickle of Python cannot be read; save what is in it by numpy.savez, in Python: "+
			"numpy.savez(%q, **results.asdict())", f.Name, "results.npz")
	}
	return nil
}

// rungsNote returns a phrase with the number of rungs, the first and the last rung, and the number of samples.
func (s *Set) rungsNote() error {
	n := 0
	for i := range s.Chains {
		n += s.Chains[i].Len(s)
	}
	first, last := s.Rungs[0].Label, s.Rungs[len(s.Rungs)-1].Label
	samples := CountSamples(n)
	if s.Runs == 1 {
		return problem.New("%s: %d rungs from %s to %s, %w", s.Source, len(s.Rungs), first, last, samples)
	}
	return problem.New("%s: %d rungs from %s to %s, %w %w", s.Source, len(s.Rungs), first, last, samples, s.inRunsPhrase())
}

// CountSamples returns the translatable phrase "n samples".
func CountSamples(n int) error {
	return problem.Plural(n, problem.New("1 sample"), problem.New("%d samples", n))
}

// inRunsPhrase returns the translatable phrase "in n runs".
func (s *Set) inRunsPhrase() error {
	return problem.Plural(s.Runs, problem.New("in 1 run"), problem.New("in %d runs", s.Runs))
}

// sampled reports whether a rung has samples.
func (s *Set) sampled(rung int) bool {
	return slices.ContainsFunc(s.Chains, func(c Chain) bool { return c.Rung == rung && c.Len(s) > 0 })
}
