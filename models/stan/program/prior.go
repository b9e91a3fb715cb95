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
	density  *tape.EvaluatorPool
	drawTape *tape.EvaluatorPool // its outputs are a draw of the coordinates, as functions of standard normal variables
	normals  int                 // number of standard normal variables
}

// priorOf returns the prior of a tape from its notes, or an error with the reason why there is none that can be
// sampled.
func priorOf(t *tape.Tape) (*prior, error) {
	density, err := tape.Read([]byte(t.Note(tape.NotePrior)))
	if err != nil {
		return nil, noPriorError(t.Note(tape.NoteNoPrior))
	}
	draws, err := tape.Read([]byte(t.Note(tape.NoteDraws)))
	if err != nil || density.Dim() != t.Dim() || len(draws.OutputNames()) != t.Dim() {
		return nil, noPriorError("")
	}
	p := &prior{density.EvaluatorPool(), draws.EvaluatorPool(), draws.Dim()}
	if n := p.countRejected(t.Dim()); n > maxRejected {
		return nil, cannotDrawError(problem.New("of %d draws rounding puts %d on a bound or out of range", testDraws, n))
	}
	return p, nil
}

// Draws of the prior that rounding puts on a bound or out of range are redrawn, which changes log Z by about the share
// of such draws. priorOf therefore makes testDraws draws, and accepts a prior if at most maxRejected of them are
// rejected.
const testDraws, maxRejected = 400, 4

// countRejected returns how many of testDraws draws are rejected.
func (p *prior) countRejected(dim int) (n int) {
	x, z, key := make([]float64, dim), make([]float64, p.normals), rng.NewKey(0, basePrior, dim)
	for i := range uint32(testDraws) {
		if s := key.Stream(6, i, 0); !p.tryDraw(&s, z, x) {
			n++
		}
	}
	return n
}

// cannotDrawError returns the error for a program without a prior that can be sampled, with the reason.
func cannotDrawError(why error) error {
	return problem.New("base = prior needs a prior that can be drawn from: %w; leave base out", why)
}

// noPriorError returns the error for a NoteNoPrior.
func noPriorError(note string) error {
	reason, name, _ := strings.Cut(note, "\n")
	why := problem.New("the file has none")
	switch reason {
	case tape.PriorMissing:
		why = problem.New("no ~ gives %s a distribution of its own", name)
	case tape.PriorRepeated:
		why = problem.New("%s has more than one ~", name)
	case tape.PriorType:
		why = problem.New("%s is of a type for which there are no draws", name)
	case tape.PriorFamily:
		why = problem.New("there are no draws of %s", name)
	case tape.PriorShapeParam:
		why = problem.New("%s can be drawn only if its shapes are constant multiples of 1/2", name)
	case tape.PriorTruncated:
		why = problem.New("the mass of the prior of %s within its bounds is unknown", name)
	case tape.PriorCyclic:
		why = problem.New("the prior of %s depends on itself", name)
	case tape.PriorTooLong:
		why = problem.New("it takes too many operations")
	}
	return cannotDrawError(why)
}

// Log returns the log density at x, and -Inf if it is NaN or +Inf.
func (p *prior) Log(x []float64) float64 {
	if f := p.density.LogF(x); num.NotNaN(f) && f < math.Inf(1) {
		return f
	}
	return math.Inf(-1)
}

// Grad sets out to the gradient of Log, and to 0 if it is not finite.
func (p *prior) Grad(x, out []float64) {
	if f := p.density.Gradient(x, out); !num.Finite(f) || !num.AllFinite(out) {
		clear(out)
	}
}

// Draw sets x to a sample. Rejected draws are repeated; priorOf has checked that they are rare.
func (p *prior) Draw(s *rng.Stream, x []float64) {
	for z := make([]float64, p.normals); !p.tryDraw(s, z, x); {
	}
}

// tryDraw sets z to standard normal variables and x to the draw that they give. It returns false if rounding has put x
// on a bound or out of range.
func (p *prior) tryDraw(s *rng.Stream, z, x []float64) bool {
	s.Norms(z)
	p.drawTape.Outputs(z, x)
	return num.AllFinite(x) && num.Finite(p.density.LogF(x))
}

// logBound returns +Inf, because no bound is known.
func (p *prior) logBound() float64 { return math.Inf(1) }
