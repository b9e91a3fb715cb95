package smc

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// mostLearned bounds the numbers in proposals, mostSteered the dimensions.
const mostLearned, mostSteered = 100000, 100

// Proposals: the scale of their covariance, and bounds of the log of the factor that follows the acceptance.
const (
	walkScale             = 2.38 * 2.38
	leastScale, mostScale = -1.2, .7
)

// proposalSize is how many numbers a proposal has: the inverse temperature and a root of the covariance.
func (l *lane) proposalSize() int { return 1 + l.Model.Info().Dim*l.Model.Info().Dim }

// propose sets the proposal for the moves at a rung: that of the nearest beta.
func (l *lane) propose() {
	p, ok := l.pop.(models.Steered)
	if !ok || len(l.proposals) == 0 {
		return
	}
	beta, each := l.ladder[l.Rung], l.proposalSize()
	best := l.proposals[:each]
	for one := range slices.Chunk(l.proposals, each) {
		if math.Abs(one[0]-beta) < math.Abs(best[0]-beta) {
			best = one
		}
	}
	p.Steer(best[1:])
}

// pilot is an island that learns proposals for all others, and does not count.
type pilot struct {
	noHooks
	*lane
	root     []float64 // of the covariance of the particles
	logScale float64   // of proposals; follows the acceptance
	every    int       // steps from one proposal that is kept to the next
	learned  []float64
}

// learn runs the island to the end and leaves its proposals.
func (l *lane) learn(yield func(*frame.Frame) bool) {
	d := l.Model.Info().Dim
	p := &pilot{lane: l, root: make([]float64, d*d), every: 1 + l.top()*(1+d*d)/mostLearned}
	for i := range d {
		p.root[i*d+i] = 1
	}
	l.out, l.hooks, l.u.Last = estimators.NewObserver(yield), p, -1
	l.pop.Draw(l.at(0, estimators.PurposeStart))
	l.even()
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

// beforeMove sets the proposal made of the particles at the rung.
func (p *pilot) beforeMove() {
	proposal := []float64{p.ladder[p.Rung]}
	for _, x := range p.root {
		proposal = append(proposal, num.Mul(num.Exp(p.logScale), x))
	}
	if p.Steps%p.every == 0 {
		p.learned = append(p.learned, proposal...)
	}
	p.pop.(models.Steered).Steer(proposal[1:])
}

// afterMove lets the scale follow the acceptance.
func (p *pilot) afterMove() {
	best := .25
	if p.Model.Info().Dim < 3 {
		best = .4
	}
	p.logScale = max(leastScale, min(mostScale, p.logScale+p.pop.(models.Steered).Accepted()-best))
}

// reweighted takes the root of the covariance of the weighted particles. Few particles say little of how coordinates go
// together, so covariances are shrunk; where there are too few the last root stays.
func (p *pilot) reweighted() {
	if p.ess == 0 {
		return
	}
	pop, d := p.pop.(models.Steered), p.Model.Info().Dim
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
