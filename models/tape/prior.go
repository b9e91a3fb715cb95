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
	p := &prior{density.Points(), draws.Points(), draws.Dim()}
	if n := p.rounded(t.Dim()); n > mostRounded {
		return nil, cannotDraw(problem.New("of %d draws rounding puts %d on a bound or out of range", triedDraws, n))
	}
	return p, nil
}

// Draws that are tried when a model is opened, and how many of them rounding may spoil: they are drawn again, which
// moves log Z by about their share.
const triedDraws, mostRounded = 400, 4

// rounded counts the draws, of triedDraws, that rounding spoils.
func (p *prior) rounded(dim int) (n int) {
	x, z, key := make([]float64, dim), make([]float64, p.noise), rng.NewKey(0, basePrior, dim)
	for i := range uint32(triedDraws) {
		if s := key.Stream(6, i, 0); !p.try(&s, z, x) {
			n++
		}
	}
	return n
}

func cannotDraw(why error) error {
	return problem.New("base = prior needs a prior that can be drawn from: %w; leave base out", why)
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
	return cannotDraw(why)
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
	if f := p.density.Slope(x, out); !num.Finite(f) || !num.AllFinite(out) {
		clear(out)
	}
}

// Draw sets x to a sample. What rounding spoils is drawn again; priorOf saw that this is rare.
func (p *prior) Draw(s *rng.Stream, x []float64) {
	for z := make([]float64, p.noise); !p.try(s, z, x); {
	}
}

// try sets x to a draw, made of normal variables in z; false: rounding has put it on a bound or out of range.
func (p *prior) try(s *rng.Stream, z, x []float64) bool {
	s.Norms(z)
	p.draws.Show(z, x)
	return num.AllFinite(x) && num.Finite(p.density.LogF(x))
}

func (p *prior) peak() float64 { return math.Inf(1) }
