package tape

import (
	"math"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/rng"
	ops "logzlab/core/tape"
)

// Values of the parameter base.
const (
	baseFitted = "fitted"
	basePrior  = "prior"
)

// prior is the prior that a program states, as a base.
type prior struct {
	density *ops.Points
	draws   *ops.Points // coordinates, of standard normal variables
	noise   int
}

// priorOf is that of a tape, or an error that says why it has none.
func priorOf(t *ops.Tape) (*prior, error) {
	density, err := ops.Read([]byte(t.Note(ops.NotePrior)))
	if err != nil {
		return nil, noPrior(t.Note(ops.NoteNoPrior))
	}
	draws, err := ops.Read([]byte(t.Note(ops.NoteDraws)))
	if err != nil || density.Dim() != t.Dim() || len(draws.Names()) != t.Dim() {
		return nil, noPrior("")
	}
	return &prior{density.Points(), draws.Points(), draws.Dim()}, nil
}

// noPrior says why there is none.
func noPrior(note string) error {
	reason, name, _ := strings.Cut(note, "\n")
	why := problem.New("the file has none")
	switch reason {
	case ops.PriorMissing:
		why = problem.New("no ~ gives %s a distribution of its own", name)
	case ops.PriorTwice:
		why = problem.New("more than one ~ is about %s", name)
	case ops.PriorShape:
		why = problem.New("%s is of a type for which there are no draws", name)
	case ops.PriorFamily:
		why = problem.New("there are no draws of %s", name)
	case ops.PriorShapes:
		why = problem.New("%s is drawn only where its shapes are constant multiples of 1/2", name)
	case ops.PriorCut:
		why = problem.New("what the bounds of %s leave of its prior is not known", name)
	case ops.PriorCircle:
		why = problem.New("%s depends on what depends on it", name)
	case ops.PriorTooLong:
		why = problem.New("it takes too many operations")
	}
	return problem.New("base = prior needs a prior that can be drawn from: %w; leave base out", why)
}

// Log is the log density at x, -Inf where that is no number.
func (p *prior) Log(x []float64) float64 {
	if f := p.density.LogF(x); num.Known(f) && f < math.Inf(1) {
		return f
	}
	return math.Inf(-1)
}

// Slope sets out to the gradient of Log, 0 where it is no number.
func (p *prior) Slope(x, out []float64) {
	if f := p.density.Slope(x, out); !num.Finite(f) || !finite(out) {
		clear(out)
	}
}

// Draw sets x to a sample. What rounding has put on a bound is drawn again.
func (p *prior) Draw(s *rng.Stream, x []float64) {
	z := make([]float64, p.noise)
	for range 100 {
		s.Norms(z)
		p.draws.Show(z, x)
		if finite(x) && num.Finite(p.density.LogF(x)) {
			return
		}
	}
}

func (p *prior) peak() float64 { return math.Inf(1) }
