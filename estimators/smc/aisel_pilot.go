package smc

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/estimators"
)

// maxProposalFloats is the largest number of floats in all proposals, maxProposalDim the largest dimension with learned
// proposals.
const maxProposalFloats, maxProposalDim = 100000, 100

// walkScale/d is the scale of the covariance of proposals. minLogScale and maxLogScale bound the log of the factor that
// is adapted to the acceptance rate.
const (
	walkScale                = 2.38 * 2.38
	minLogScale, maxLogScale = -1.2, .7
)

// proposalSize returns the number of floats of a proposal: the inverse temperature and the Cholesky factor of the
// covariance.
func (l *lane) proposalSize() int { return 1 + l.Model.Info().Dim*l.Model.Info().Dim }

// propose sets the proposal of the moves at a rung to the learned proposal with the nearest beta.
func (l *lane) propose() {
	p := l.v.Can.Points
	if p == nil || len(l.proposals) == 0 {
		return
	}
	beta, each := l.ladder[l.Rung], l.proposalSize()
	best := l.proposals[:each]
	for one := range slices.Chunk(l.proposals, each) {
		if math.Abs(one[0]-beta) < math.Abs(best[0]-beta) {
			best = one
		}
	}
	p.SetProposal(best[1:])
}

// pilot is an island that learns the proposals of all others. It is not part of the estimate.
type pilot struct {
	noHooks
	*lane
	root     []float64 // Cholesky factor of the scaled covariance of the particles
	logScale float64   // log of the factor that is adapted to the acceptance rate
	every    int       // a proposal is kept at each step that is a multiple of every
	learned  []float64
}

// learn runs the island to the end and returns its proposals as the partial.
func (l *lane) learn(yield func(*frame.Frame) bool) {
	d := l.Model.Info().Dim
	p := &pilot{lane: l, root: make([]float64, d*d), every: 1 + l.top()*(1+d*d)/maxProposalFloats}
	for i := range d {
		p.root[i*d+i] = 1
	}
	l.out, l.hooks, l.u.LastStep = estimators.NewObserver(yield), p, -1
	l.pop.Draw(l.at(0, estimators.PurposeStart))
	l.equalWeights()
	l.cool(l.top())
	l.finish()
	if l.out.Stopped {
		return
	}
	var w wire.Writer
	w.Float(l.islandRecord.Sweeps)
	w.Float(l.Evals)
	w.Floats(p.learned)
	l.u.Partial = w.B
}

// beforeMove sets the proposal by the covariance of the particles, and keeps it.
func (p *pilot) beforeMove() {
	proposal := []float64{p.ladder[p.Rung]}
	for _, x := range p.root {
		proposal = append(proposal, num.Mul(num.Exp(p.logScale), x))
	}
	if p.Steps%p.every == 0 {
		p.learned = append(p.learned, proposal...)
	}
	p.v.Can.Points.SetProposal(proposal[1:])
}

// afterMove adapts the scale to the mean acceptance probability, towards .25, or .4 in one or two dimensions.
func (p *pilot) afterMove() {
	best := .25
	if p.Model.Info().Dim < 3 {
		best = .4
	}
	p.logScale = max(minLogScale, min(maxLogScale, p.logScale+p.v.Can.Points.AcceptanceRate()-best))
}

// reweighted sets root by the covariance of the weighted particles. Few particles estimate correlations badly, so the
// covariances of different coordinates are shrunk towards 0. If the matrix is still not positive definite, the previous
// root is kept.
func (p *pilot) reweighted() {
	if p.ess == 0 {
		return
	}
	pop, d := p.v.Can.Points, p.Model.Info().Dim
	mean, cov, squares := make([]float64, d), make([]float64, d*d), 0.
	for r, lw := range p.lw {
		w := num.Exp(lw)
		squares += num.Mul(w, w)
		for i, x := range pop.Point(r) {
			mean[i] += num.Mul(w, x)
		}
	}

	// The covariance of the weighted particles.
	for r, lw := range p.lw {
		w, x := num.Exp(lw), pop.Point(r)
		for i := range d {
			for j := range i + 1 {
				cov[i*d+j] += num.Mul(w, (x[i]-mean[i])*(x[j]-mean[j]))
			}
		}
	}

	// Shrunk for few particles, and scaled for the walk.
	keep := 1 / (1 + num.Mul(float64(d), squares))
	for i := range d {
		for j := range i + 1 {
			cov[i*d+j] *= walkScale / float64(d)
			if j < i {
				cov[i*d+j] *= keep
			}
		}
	}
	if num.Cholesky(cov, d, nil) {
		p.root = cov
	}
}
