package lang

import (
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/models/stan/ranges"
	"logzlab/models/stan/tape"
)

// Emitter appends operations to a tape and limits the work of the compiler.
type Emitter struct {
	B             *tape.Builder
	Facts         *ranges.Analysis // range analysis of the numbers on the tape
	keepGoing     func() bool      // nil: never stop
	Pos           int              // current position, for errors
	Steps         int              // steps of work so far, see CountSteps
	nextPoll      int              // value of Steps at the next poll of keepGoing
	OuterLoop     int              // position of the outermost running loop; -1: none
	domainChecked map[string]bool  // cache of checksDomain

	random rng.Stream // random numbers of transformed data
}

// NewEmitter returns an emitter with an empty tape. During long compilations it polls keepGoing and fails if the result
// is false; nil means that it never stops.
func NewEmitter(keepGoing func() bool) Emitter {
	r := Emitter{keepGoing: keepGoing, nextPoll: pollInterval, OuterLoop: -1, domainChecked: map[string]bool{},
		random: randomKey.Stream(0, 0, 0)}
	r.Start(0)
	return r
}

// Start replaces the tape by an empty one with dim inputs.
func (r *Emitter) Start(dim int) {
	r.B = tape.NewBuilder(dim)
	r.Facts = ranges.New(r.B)
}

// MaxSteps is the largest number of steps of a compilation; keepGoing is polled every pollInterval steps.
const MaxSteps, pollInterval = 30_000_000, 100_000

// MaxElements is the largest number of elements of a value, and of all live variables together.
const MaxElements = 8_000_000

// Fail ends the compilation with an error at the current position.
func (r *Emitter) Fail(err error) { Fail(r.Pos, err) }

// CountSteps counts n+1 steps of work, and fails if there are too many or keepGoing returns false.
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

// CheckSize returns the product of dims, and fails if it exceeds MaxElements.
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

// Constants returns the values of x, and fails if one depends on a parameter. what names x in the error.
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
