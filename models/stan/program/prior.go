package program

import (
	"math"
	"strings"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// Values of the parameter base.
const (
	baseFitted = "fitted"
	basePrior  = "prior"
)

// prior is the prior of a program as a base.
type prior struct {
	density *tape.EvaluatorPool
	draws   *tape.EvaluatorPool // shows a draw of the coordinates, as a function of standard normal variables
	normals int
}

// priorOf returns the prior of a tape from its notes, or an error that says why there is none that can be drawn from.
func priorOf(t *tape.Tape) (*prior, error) {
	density, err := tape.Read([]byte(t.Note(tape.NotePrior)))
	if err != nil {
		return nil, noPrior(t.Note(tape.NoteNoPrior))
	}
	draws, err := tape.Read([]byte(t.Note(tape.NoteDraws)))
	if err != nil || density.Dim() != t.Dim() || len(draws.OutputNames()) != t.Dim() {
		return nil, noPrior("")
	}
	p := &prior{density.EvaluatorPool(), draws.EvaluatorPool(), draws.Dim()}
	if n := p.countRounded(t.Dim()); n > maxRounded {
		return nil, cannotDraw(problem.New("of %d draws rounding puts %d on a bound or out of range", triedDraws, n))
	}
	return p, nil
}

// Draws of the prior that rounding puts on a bound or out of range are drawn again, which changes log Z by about the
// share of such draws. So priorOf makes triedDraws draws, and accepts a prior if at most maxRounded of them are such.
const triedDraws, maxRounded = 400, 4

// countRounded returns how many of triedDraws draws rounding puts on a bound or out of range.
func (p *prior) countRounded(dim int) (n int) {
	x, z, key := make([]float64, dim), make([]float64, p.normals), rng.NewKey(0, basePrior, dim)
	for i := range uint32(triedDraws) {
		if s := key.Stream(6, i, 0); !p.tryDraw(&s, z, x) {
			n++
		}
	}
	return n
}

// cannotDraw returns the error of a program without a prior that can be drawn from, with the reason.
func cannotDraw(why error) error {
	return problem.New("base = prior needs a prior that can be drawn from: %w; leave base out", why)
}

// noPrior returns the error for a note that says why there is no prior.
func noPrior(note string) error {
	reason, name, _ := strings.Cut(note, "\n")
	why := problem.New("the file has none")
	switch reason {
	case tape.PriorMissing:
		why = problem.New("no ~ gives %s a distribution of its own", name)
	case tape.PriorRepeated:
		why = problem.New("more than one ~ is about %s", name)
	case tape.PriorType:
		why = problem.New("%s is of a type for which there are no draws", name)
	case tape.PriorFamily:
		why = problem.New("there are no draws of %s", name)
	case tape.PriorShapeParam:
		why = problem.New("%s is drawn only where its shapes are constant multiples of 1/2", name)
	case tape.PriorTruncated:
		why = problem.New("what the bounds of %s leave of its prior is not known", name)
	case tape.PriorCyclic:
		why = problem.New("%s depends on what depends on it", name)
	case tape.PriorTooLong:
		why = problem.New("it takes too many operations")
	}
	return cannotDraw(why)
}

// Log returns the log density at x, -Inf where it is NaN or infinite.
func (p *prior) Log(x []float64) float64 {
	if f := p.density.LogF(x); num.Known(f) && f < math.Inf(1) {
		return f
	}
	return math.Inf(-1)
}

// Slope sets out to the gradient of Log, 0 where it is not finite.
func (p *prior) Slope(x, out []float64) {
	if f := p.density.Gradient(x, out); !num.Finite(f) || !num.AllFinite(out) {
		clear(out)
	}
}

// Draw sets x to a draw. One that rounding spoils is drawn again; priorOf has checked that this is rare.
func (p *prior) Draw(s *rng.Stream, x []float64) {
	for z := make([]float64, p.normals); !p.tryDraw(s, z, x); {
	}
}

// tryDraw sets z to standard normal variables and x to the draw by them. It returns false if rounding has put x on a
// bound or out of range.
func (p *prior) tryDraw(s *rng.Stream, z, x []float64) bool {
	s.Norms(z)
	p.draws.Outputs(z, x)
	return num.AllFinite(x) && num.Finite(p.density.LogF(x))
}

// logBound returns +Inf, as no bound is known.
func (p *prior) logBound() float64 { return math.Inf(1) }
