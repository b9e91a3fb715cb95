package lang

import (
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/models/stan/ranges"
	"logzlab/models/stan/tape"
)

// Emitter writes operations to a tape. It counts the work and stops what takes too long.
type Emitter struct {
	B             *tape.Builder
	Facts         *ranges.Analysis // of the numbers on the tape
	keepGoing     func() bool      // nil: it always goes on
	Pos           int              // what is worked on, for errors
	Steps         int
	nextPoll      int             // steps at which going is asked
	OuterLoop     int             // the outermost loop that runs; -1: none
	domainChecked map[string]bool // whether functions of distributions tell that an argument is outside: see hears

	random rng.Stream // of transformed data
}

// NewEmitter makes an emitter of an empty tape, that asks going from time to time whether to go on.
func NewEmitter(going func() bool) Emitter {
	r := Emitter{keepGoing: going, nextPoll: pollInterval, OuterLoop: -1, domainChecked: map[string]bool{},
		random: randomKey.Stream(0, 0, 0)}
	r.Start(0)
	return r
}

// Start starts the tape anew, with so many coordinates.
func (r *Emitter) Start(dim int) {
	r.B = tape.NewBuilder(dim)
	r.Facts = ranges.New(r.B)
}

// Limits of a run: steps, and how many pass until going is asked.
const MaxSteps, pollInterval = 30_000_000, 100_000

// MaxElements is the most elements that a value may have, and that live variables may have together.
const MaxElements = 8_000_000

func (r *Emitter) Fail(err error) { Fail(r.Pos, err) }

// Step counts work.
func (r *Emitter) CountSteps(n int) {
	if r.Steps += n + 1; r.Steps < r.nextPoll {
		return
	}
	if r.Steps > MaxSteps {
		if r.OuterLoop >= 0 {
			r.Pos = r.OuterLoop
		}
		r.Fail(problem.New("the program takes more than %d steps; its loops are too long", MaxSteps))
	}
	if r.nextPoll = r.Steps + pollInterval; r.keepGoing != nil && !r.keepGoing() {
		r.Fail(errStopped)
	}
	if err := r.B.Err(); err != nil {
		r.Fail(err)
	}
}

var errStopped = problem.New("the compiler was stopped")

// Room refuses what is too large. It returns the number of elements.
func (r *Emitter) CheckSize(dims ...int) int {
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
	r.CountSteps(int(n) / 8)
	return int(n)
}

// Numbers are the values of constants; what depends on a parameter fails.
func (r *Emitter) Constants(x []tape.Scalar, what string) []float64 {
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
