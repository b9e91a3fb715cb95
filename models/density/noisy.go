package density

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// pseudoMarginal holds the estimator of the rows and their adapted proposal.
type pseudoMarginal struct {
	estimate models.Estimator
	noise    *rng.Stream // unless nil, the stream of every estimate: the search for steps compares points, not noise
	root     []float64   // of the covariance of proposals, by Cholesky; nil: the model's own kernel
	chance   float64     // sum of acceptance probabilities
	tried    float64     // their number
}

// noisyRows are those of a density with an estimated likelihood.
type noisyRows struct{ *spaceRows }

func (p noisyRows) Estimate(s *rng.Stream, r int) float64 { return p.estimate(s, p.row(r)) }

func (p *spaceRows) Point(r int) []float64 { return p.row(r) }

func (p *spaceRows) AddTo(sum, squares []float64, r int, weight float64) {
	for i, x := range p.shown(r) {
		sum[i] += num.Mul(weight, x)
		squares[i] += num.Mul(weight, x*x)
	}
}

func (p *spaceRows) SetProposal(root []float64) { p.root = root }

func (p *spaceRows) AcceptanceRate() float64 {
	mean := p.chance / p.tried
	p.chance, p.tried = 0, 0
	return mean
}

// Unlikely stands for an estimate that no particle supports, or that is no number: 0 times it is 0.
const Unlikely = -1e300

// density is log f_0 and log f_1 at x.
func (p *spaceRows) density(s *rng.Stream, x []float64) (l0, l1 float64) {
	p.spent++
	l0 = p.m.d.LogBase(x)
	if p.estimate == nil {
		return l0, p.m.d.LogF(x)
	}
	if p.noise != nil {
		same := *p.noise
		s = &same
	}
	if l0 > math.Inf(-1) { // outside of the support an estimate may be no number
		l1 = p.estimate(s, x)
	}
	if !(l1 > Unlikely && l1 < math.Inf(1)) {
		l1 = Unlikely
	}
	return l0, l0 + l1
}

// RowCapabilities adds fresh estimates of the likelihood to those of spaceRows.
func (p noisyRows) RowCapabilities() models.RowCapabilities {
	c := p.spaceRows.RowCapabilities()
	c.Estimate = p.Estimate
	return c
}
