package density

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// pseudoMarginal holds the likelihood estimator of the rows, their adapted proposal, and its acceptance rate.
type pseudoMarginal struct {
	estimate     models.Estimator
	commonNoise  *rng.Stream // in the tuning run, the random numbers of every estimate; otherwise nil
	proposalRoot []float64   // Cholesky factor of the proposal covariance by SetProposal; nil means the model's own kernel
	acceptSum    float64     // sum of acceptance probabilities
	proposals    float64     // number of proposals
}

// estimatedRows are rows of a density with an estimated likelihood.
type estimatedRows struct{ *pointRows }

// Estimate returns a new log estimate of the likelihood at row r, in nats.
func (p estimatedRows) Estimate(s *rng.Stream, r int) float64 { return p.estimate(s, p.row(r)) }

// Point implements models.PointRows.
func (p *pointRows) Point(r int) []float64 { return p.row(r) }

// AddMoments adds the moments of the quantities of row r (models.RowCapabilities).
func (p *pointRows) AddMoments(sum, squares []float64, r int, weight float64) {
	for i, x := range p.quantities(p.row(r)) {
		sum[i] += num.Mul(weight, x)
		squares[i] += num.Mul(weight, x*x)
	}
}

// SetProposal implements models.PointRows.
func (p *pointRows) SetProposal(lower []float64) { p.proposalRoot = lower }

// AcceptanceRate implements models.PointRows.
func (p *pointRows) AcceptanceRate() float64 {
	mean := p.acceptSum / p.proposals
	p.acceptSum, p.proposals = 0, 0
	return mean
}

// MinLogEstimate replaces log estimates that are NaN or infinite. Unlike -Inf it gives 0 when it is multiplied by beta
// = 0.
const MinLogEstimate = -1e300

// density returns l0 = log f_0 and l1 = log f_1 at x in nats. s gives the random numbers of an estimate; without an
// estimator it is not used.
func (p *pointRows) density(s *rng.Stream, x []float64) (l0, l1 float64) {
	p.evaluations++
	l0 = p.m.d.LogBase(x)
	if p.estimate == nil {
		return l0, p.m.d.LogF(x)
	}
	if p.commonNoise != nil {
		noise := *p.commonNoise
		s = &noise
	}
	if l0 > math.Inf(-1) { // outside the support the estimate may be NaN
		l1 = p.estimate(s, x)
	}
	if !(l1 > MinLogEstimate && l1 < math.Inf(1)) {
		l1 = MinLogEstimate
	}
	return l0, l0 + l1
}

// RowCapabilities adds new estimates of the likelihood.
func (p estimatedRows) RowCapabilities() models.RowCapabilities {
	c := p.pointRows.RowCapabilities()
	c.Estimate = p.Estimate
	return c
}
