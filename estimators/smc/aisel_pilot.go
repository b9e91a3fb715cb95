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

// steering is how a lane moves points: by proposals that were learned, or that it learns now.
type steering struct {
	proposals []float64 // beta and the Cholesky factor of a covariance, one after the other, by increasing beta
	pilot     bool
	root      []float64 // of the particles, in the pilot
	logScale  float64   // of proposals, in the pilot
}

// mostLearned bounds the numbers in proposals, mostSteered the dimensions.
const mostLearned, mostSteered = 100000, 100

// Proposals: the scale of their covariance, and bounds of the log of the factor that follows the acceptance.
const (
	walkScale             = 2.38 * 2.38
	leastScale, mostScale = -1.2, .7
)

// steer sets the proposal for the moves at a rung: that of the nearest beta.
func (l *lane) steer() {
	p, ok := l.pop.(models.Steered)
	if !ok || len(l.proposals) == 0 {
		return
	}
	beta, each := l.ladder[l.rung], 1+l.Model.Info().Dim*l.Model.Info().Dim
	best := l.proposals[:each]
	for one := range slices.Chunk(l.proposals, each) {
		if math.Abs(one[0]-beta) < math.Abs(best[0]-beta) {
			best = one
		}
	}
	p.Steer(best[1:])
}

// learn runs the island to the end and leaves its proposals. Between rungs their scale follows the acceptance.
func (l *lane) learn(yield func(*frame.Frame) bool) {
	top, d := len(l.ladder)-1, l.Model.Info().Dim
	p := l.pop.(models.Steered)
	best := .25
	if d < 3 {
		best = .4
	}
	l.pop.Draw(l.at(0, estimators.PurposeStart))
	l.even()
	every := 1 + top*(1+d*d)/mostLearned
	l.u.Last = -1
	var learned []float64
	for l.step(); l.rung < top; l.step() {
		if l.root == nil {
			l.root = make([]float64, d*d)
			for i := range d {
				l.root[i*d+i] = 1
			}
		}
		scaled := []float64{l.ladder[l.rung]}
		for _, x := range l.root {
			scaled = append(scaled, num.Mul(num.Exp(l.logScale), x))
		}
		if l.steps%every == 0 {
			learned = append(learned, scaled...)
		}
		p.Steer(scaled[1:])
		at := l.at(l.rung, estimators.PurposeMove)
		for t := range l.moves {
			at.Step = uint32(t)
			l.pop.Move(at, l.v.Rung, false)
			l.sweeps += float64(l.Size)
			if !yield(l.v.Show(l.rung*l.moves + t)) {
				return
			}
		}
		l.logScale = max(leastScale, min(mostScale, l.logScale+p.Accepted()-best))
	}
	l.u.Last = top * l.moves
	if !yield(l.v.Show(l.u.Last)) {
		return
	}
	var w wire.Writer
	w.Float(l.sweeps)
	w.Float(l.evals)
	w.Floats(learned)
	l.u.Partial = w.B
}

// spread takes the root of the covariance of the weighted particles, before they are resampled. Few particles say
// little of how coordinates go together, so covariances are shrunk; where there are too few the last root stays.
func (l *lane) spread() {
	p, d := l.pop.(models.Steered), l.Model.Info().Dim
	mean, cov, squares := make([]float64, d), make([]float64, d*d), 0.
	for r, lw := range l.lw {
		w := num.Exp(lw)
		squares += num.Mul(w, w)
		for i, x := range p.Point(r) {
			mean[i] += num.Mul(w, x)
		}
	}
	for r, lw := range l.lw {
		w, x := num.Exp(lw), p.Point(r)
		for i := range d {
			for j := range i + 1 {
				cov[i*d+j] += num.Mul(w, (x[i]-mean[i])*(x[j]-mean[j]))
			}
		}
	}
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
		l.root = cov
	}
}
