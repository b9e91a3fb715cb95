package tape

import (
	"slices"

	"logzlab/core/problem"
)

// Tape is a program that computes a log density of points, and what there is to show of them. It never changes.
type Tape struct {
	dim, slots int32
	ops        []op
	indices    []int32   // places that Copy gathers
	constants  []float64 // constants
	target     int32     // place of the log density
	targetOps  int       // operations that the log density needs; the others are for what is shown
	outputs    []output
	outputOps  []int32 // operations that these need
	notes      []note
}

// note is a text with a key, for those who read the tape.
type note struct{ key, text string }

// Keys of notes: the id of the data file; the names of parameters without a prior; of those whose priors are cut by
// declarations and not normalised, after the nats by which log Z is lower, or ? where they are not known; two tapes,
// the log density of the prior, and coordinates drawn from it, as what is shown of standard normal variables; or why
// there are none; the tape in coordinates that are not centred (Changed),
// and the coordinates that are changed there.
const (
	NoteData           = "data"
	NoteImproper       = "improper"
	NoteTruncated      = "cut"
	NotePrior          = "prior"
	NoteDraws          = "draws"
	NoteNoPrior        = "no_prior"
	NoteNonCentred     = "non_centred"
	NoteReparametrised = "changed"
)

// Reasons of NoteNoPrior, followed by a line break and a name.
const (
	PriorMissing    = "missing" // a parameter has no statement of its own
	PriorRepeated   = "twice"   // it has several
	PriorType       = "shape"   // its type has no draws
	PriorFamily     = "family"  // a distribution has none
	PriorShapeParam = "shapes"  // of a distribution whose shape is no multiple of 1/2 or not constant
	PriorTruncated  = "cut"     // bounds leave a part of a prior that is not known
	PriorCyclic     = "circle"  // priors depend on each other
	PriorTooLong    = "long"
)

// Note is the text of a key, "" without one.
func (t *Tape) Note(key string) string {
	for _, n := range t.notes {
		if n.key == key {
			return n.text
		}
	}
	return ""
}

// Note adds a text for those who read the tape, for example where its data come from.
func (b *Builder) Note(key, text string) { b.notes = append(b.notes, note{key, text}) }

// shown is a number with a name.
type output struct {
	name string
	slot int32 // its place; below zero, of constant ^at
}

// Dim is the number of coordinates.
func (t *Tape) Dim() int { return int(t.dim) }

// Ops is the number of operations, and Slots that of the numbers they compute.
func (t *Tape) NumOps() int   { return len(t.ops) }
func (t *Tape) NumSlots() int { return int(t.slots) }

// Constants are the constants of the tape, each once, in increasing order: those of the program and its data.
func (t *Tape) Constants() []float64 {
	out := slices.Clone(t.constants)
	slices.Sort(out)
	return slices.Compact(out)
}

// Names are the names of the numbers that are shown.
func (t *Tape) OutputNames() []string {
	out := make([]string, len(t.outputs))
	for i, s := range t.outputs {
		out[i] = s.name
	}
	return out
}

// Show names numbers of which pictures and draws are made: the parameters in their own units, name by name.
func (b *Builder) Output(name string, x Scalar) { b.outputs = append(b.outputs, namedOutput{name, x}) }

type namedOutput struct {
	name string
	x    Scalar
}

// Work is about the time of an evaluation of the log density at one point, in nanoseconds of one core.
func (t *Tape) EvalTime() float64 {
	work := 0.
	for _, o := range t.ops[:t.targetOps] {
		work += 20 + o.evalTime()
	}
	return work
}

// work is the part of Work that grows with the operands.
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

// Finish is the tape. It has the operations that the log density and what is shown need, and nothing else. Operations
// of one code that do not need each other become one operation on a vector, so that loops that were unrolled run as
// fast as vectors.
func (b *Builder) Finish() (*Tape, error) {
	if b.err != nil {
		return nil, b.err
	}
	known, terms := 0., b.target[:0:0]
	for _, x := range b.target {
		if v, ok := x.Const(); ok {
			known += v
		} else {
			terms = append(terms, x)
		}
	}
	if len(terms) == 0 {
		return nil, problem.New("the log density depends on no parameter")
	}
	target := b.Do(Add, b.Sum(terms), Const(known))
	if b.err != nil {
		return nil, b.err
	}
	return b.compact(target)
}
