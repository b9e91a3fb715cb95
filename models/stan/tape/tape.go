package tape

import (
	"slices"

	"logzlab/core/problem"
)

// Tape is a program that computes a log density at points, and named outputs. It is immutable.
type Tape struct {
	dim, slots int32
	ops        []op
	indices    []int32   // slots that gather operations copy
	constants  []float64 // constants
	target     int32     // slot of the log density
	targetOps  int       // number of operations that the log density needs; later ones are for outputs only
	outputs    []output
	outputOps  []int32 // operations that the outputs need
	notes      []note
}

// note is a text with a key, for readers of the tape.
type note struct{ key, text string }

// Keys of notes.
const (
	NoteData     = "data"     // ID of the data file
	NoteImproper = "improper" // names of parameters without a prior
	// NoteTruncated has the number of nats by which truncated, unnormalised priors lower log Z ("?" if unknown), and the
	// names of their parameters.
	NoteTruncated = "cut"
	NotePrior     = "prior"    // a tape: the log density of the prior
	NoteDraws     = "draws"    // a tape: its outputs are draws from the prior, made from standard normal coordinates
	NoteNoPrior   = "no_prior" // the reason why NotePrior and NoteDraws are missing
	// NoteNonCentred is the result of Builder.Reparametrise, in which NoteReparametrised lists the coordinates that are
	// reparametrised.
	NoteNonCentred     = "non_centred"
	NoteReparametrised = "changed"
)

// Reasons in NoteNoPrior, followed by a line break and a name.
const (
	PriorMissing    = "missing" // a parameter has no statement of its own
	PriorRepeated   = "twice"   // a parameter has several statements
	PriorType       = "shape"   // no draws for the type of a parameter
	PriorFamily     = "family"  // no draws for a distribution
	PriorShapeParam = "shapes"  // the shape parameter of a distribution is not a constant multiple of 1/2
	PriorTruncated  = "cut"     // the normalising constant of a truncated prior is unknown
	PriorCyclic     = "circle"  // priors depend on each other
	PriorTooLong    = "long"    // the tape would be too long
)

// Note returns the text of a key, or "".
func (t *Tape) Note(key string) string {
	for _, n := range t.notes {
		if n.key == key {
			return n.text
		}
	}
	return ""
}

// Note adds a text for readers of the tape.
func (b *Builder) Note(key, text string) { b.notes = append(b.notes, note{key, text}) }

// output is a named output.
type output struct {
	name string
	slot int32 // of the value
}

// Dim returns the number of coordinates.
func (t *Tape) Dim() int { return int(t.dim) }

// NumOps returns the number of operations, NumSlots the number of coordinates and results.
func (t *Tape) NumOps() int   { return len(t.ops) }
func (t *Tape) NumSlots() int { return int(t.slots) }

// Constants returns the distinct constants of the tape in increasing order: those of the program and its data.
func (t *Tape) Constants() []float64 {
	out := slices.Clone(t.constants)
	slices.Sort(out)
	return slices.Compact(out)
}

// OutputNames returns the names of the outputs.
func (t *Tape) OutputNames() []string {
	out := make([]string, len(t.outputs))
	for i, s := range t.outputs {
		out[i] = s.name
	}
	return out
}

// Output adds a named output: a value that is reported for draws, such as a parameter in its own units.
func (b *Builder) Output(name string, x Scalar) { b.outputs = append(b.outputs, namedOutput{name, x}) }

// namedOutput is an output of a Builder.
type namedOutput struct {
	name string
	x    Scalar
}

// EvalTime returns the approximate time of one evaluation of the log density, in nanoseconds of one core.
func (t *Tape) EvalTime() float64 {
	work := 0.
	for _, o := range t.ops[:t.targetOps] {
		work += 20 + o.evalTime()
	}
	return work
}

// evalTime returns the part of EvalTime that grows with the operands.
func (o *op) evalTime() float64 {
	n, p, q, r := float64(o.n), float64(o.p), float64(o.q), float64(o.r)
	switch o.code {
	case Copy, Neg, Abs, Square, Add, Sub, Mul, Min, Max, Step, Floor, Ceil, Select:
		return n
	case Sum, Dot:
		return p
	case LogSumExp:
		return 10 * p
	case MatMul:
		return p * q * r
	case Cholesky:
		return p * p * p / 3
	case Solve, SolveT:
		return p * p * r
	case GammaP, GammaQ, BetaP:
		return 200 * n
	}
	return 10 * n
}

// Finish returns the tape with the operations that the log density and the outputs need. Operations of the same code
// that do not depend on each other are merged into one operation on a vector, so unrolled loops run as fast as vector
// operations.
func (b *Builder) Finish() (*Tape, error) {
	if b.err != nil {
		return nil, b.err
	}
	constant, terms := 0., b.target[:0:0]
	for _, x := range b.target {
		if v, ok := x.Const(); ok {
			constant += v
		} else {
			terms = append(terms, x)
		}
	}
	if len(terms) == 0 {
		return nil, problem.New("the log density depends on no parameter")
	}
	target := b.Do(Add, b.Sum(terms), Const(constant))
	if b.err != nil {
		return nil, b.err
	}
	return b.compact(target)
}
