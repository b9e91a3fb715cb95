package lang

import (
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/models/stan/prove"
	"logzlab/models/stan/tape"
)

// Emitter writes operations to a tape. It counts the work and stops what takes too long.
type Emitter struct {
	B     *tape.Builder
	Facts *prove.Facts // of the numbers on the tape
	going func() bool  // nil: it always goes on
	At    int          // what is worked on, for errors
	Steps int
	pause int             // steps at which going is asked
	Outer int             // the outermost loop that runs; -1: none
	heard map[string]bool // whether functions of distributions tell that an argument is outside: see hears

	random rng.Stream // of transformed data
}

// NewEmitter makes an emitter of an empty tape, that asks going from time to time whether to go on.
func NewEmitter(going func() bool) Emitter {
	r := Emitter{going: going, pause: pauseSteps, Outer: -1, heard: map[string]bool{},
		random: randomKey.Stream(0, 0, 0)}
	r.Start(0)
	return r
}

// Start starts the tape anew, with so many coordinates.
func (r *Emitter) Start(dim int) {
	r.B = tape.NewBuilder(dim)
	r.Facts = prove.New(r.B)
}

// Limits of a run: steps, and how many pass until going is asked.
const MaxSteps, pauseSteps = 30_000_000, 100_000

// MaxElements is the most elements that a value may have, and that live variables may have together.
const MaxElements = 8_000_000

func (r *Emitter) Fail(err error) { Fail(r.At, err) }

// Step counts work.
func (r *Emitter) Step(n int) {
	if r.Steps += n + 1; r.Steps < r.pause {
		return
	}
	if r.Steps > MaxSteps {
		if r.Outer >= 0 {
			r.At = r.Outer
		}
		r.Fail(problem.New("the program takes more than %d steps; its loops are too long", MaxSteps))
	}
	if r.pause = r.Steps + pauseSteps; r.going != nil && !r.going() {
		r.Fail(errStopped)
	}
	if err := r.B.Err(); err != nil {
		r.Fail(err)
	}
}

var errStopped = problem.New("the compiler was stopped")

// Room refuses what is too large. It returns the number of elements.
func (r *Emitter) Room(dims ...int) int {
	n := 1.0
	for _, d := range dims {
		if d < 0 {
			r.Fail(problem.New("a size cannot be %d", d))
		}
		n *= float64(d)
	}
	if n > MaxElements {
		r.Fail(problem.New("%.0f numbers are too many; the limit is %d", n, MaxElements))
	}
	r.Step(int(n) / 8)
	return int(n)
}

// Numbers are the values of constants; what depends on a parameter fails.
func (r *Emitter) Numbers(x []tape.Scalar, what string) []float64 {
	out := make([]float64, len(x))
	for i, s := range x {
		c, ok := s.Const()
		if !ok {
			r.Fail(problem.New("%s depends on a parameter here; it must depend on data only", what))
		}
		out[i] = c
	}
	return out
}
