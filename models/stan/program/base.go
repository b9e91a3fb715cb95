package program

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models/density"
)

// baseDensity is a normalised density that can be the base of a path.
type baseDensity interface {
	Log(x []float64) float64         // log density at x
	Grad(x, out []float64)           // sets out to the gradient of Log at x
	Draw(s *rng.Stream, x []float64) // sets x to a draw
	logBound() float64               // upper bound of Log
}

// component is a component of the base around a mode: a mixture of a normal distribution (core) and a t distribution
// (tail) with the same mean and shape. Both are wider than the chains there, so that importance weights do not become
// large far from the mode. A component may instead have tails as heavy as those of the target (heavyTailed).
type component struct {
	core, tail  density.Base
	heavyTailed heavyTailed // nil: core and tail
}

// Parameters of core and tail. Widths are variances as multiples of the variance of the chains. The scale matrix of the
// t distribution, (df-2)/df times its covariance, is 1.3 times the covariance of the chains.
const (
	tailShare    = .3 // weight of tail
	tailDF       = 5
	coreWidth    = 1.2
	tailWidth    = 1.3 * tailDF / (tailDF - 2.)
	coreOverTail = coreWidth / tailWidth
	logTailShare = -1.2039728043259361  // log tailShare
	logCoreShare = -0.35667494393873245 // log (1 - tailShare)
)

// newComponent returns the component around chains with the mean and the covariance of fitted.
func newComponent(fitted density.Base) component {
	scaled := func(variance, df float64) density.Base {
		b := density.Base{Mean: fitted.Mean, Root: slices.Clone(fitted.Root), DF: df}
		for i := range b.Root {
			b.Root[i] *= math.Sqrt(variance)
		}
		b.Normalise()
		return b
	}
	return component{core: scaled(coreWidth, 0), tail: scaled(tailWidth, tailDF)}
}

// Log returns the log density at x.
func (p *component) Log(x []float64) float64 {
	if p.heavyTailed != nil {
		return p.heavyTailed.Log(x)
	}
	var room [stackFloats]float64
	core, tail := p.logShares(p.core.Whiten(x, num.Sized(room[:0], len(x))))
	return num.LogAddExp(core, tail)
}

// logShares returns the logs of the weighted densities of core and tail, whose sum is the density of the component. q
// is the squared Mahalanobis distance for core; for tail it is coreOverTail q.
func (p *component) logShares(q float64) (core, tail float64) {
	return logCoreShare + p.core.LogAtMahalanobis(q), logTailShare + p.tail.LogAtMahalanobis(num.Mul(coreOverTail, q))
}

// Grad sets out to the gradient of Log at x.
func (p *component) Grad(x, out []float64) {
	if p.heavyTailed != nil {
		p.heavyTailed.Grad(x, out)
		return
	}
	q := p.core.Whiten(x, out)
	core, tail := p.logShares(q)
	share := num.Exp(tail - num.LogAddExp(core, tail))
	tailPull := num.Mul(coreOverTail, p.tail.GradFactor(num.Mul(coreOverTail, q)))
	pull := num.Mul(1-share, p.core.GradFactor(q)) + num.Mul(share, tailPull)
	num.SolveUpperT(p.core.Root, len(x), out)
	for i := range out {
		out[i] *= -pull
	}
}

// Draw sets x to a sample.
func (p *component) Draw(s *rng.Stream, x []float64) {
	switch {
	case p.heavyTailed != nil:
		p.heavyTailed.Draw(s, x)
	case s.Float64() < tailShare:
		p.tail.Draw(s, x)
	default:
		p.core.Draw(s, x)
	}
}

// logBound returns the log density at the mean, the maximum of the component.
func (p *component) logBound() float64 {
	if p.heavyTailed != nil {
		return p.heavyTailed.logBound()
	}
	return p.Log(p.core.Mean)
}

// mixture is a mixture of components.
type mixture struct {
	components []component
	logW       []float64 // logs of the weights, which sum to 1
}

// Log returns the log density at x.
func (m *mixture) Log(x []float64) float64 {
	if len(m.components) == 1 {
		return m.components[0].Log(x)
	}
	var room [stackFloats]float64
	return num.LogSumExp(m.logShares(x, room[:0]))
}

// stackFloats is the number of components or coordinates up to which densities are computed without allocation.
const stackFloats = 32

// logShares returns the logs of the weighted densities of the components at x, whose sum is the density of the mixture.
// The result is in scratch if that is large enough.
func (m *mixture) logShares(x, scratch []float64) []float64 {
	out := num.Sized(scratch, len(m.components))
	for k := range m.components {
		out[k] = m.logW[k] + m.components[k].Log(x)
	}
	return out
}

// Grad sets out to the gradient of Log at x.
func (m *mixture) Grad(x, out []float64) {
	if len(m.components) == 1 {
		m.components[0].Grad(x, out)
		return
	}
	var roomLogs, roomSlope [stackFloats]float64
	logs, slope := m.logShares(x, roomLogs[:0]), num.Sized(roomSlope[:0], len(x))
	sum := num.LogSumExp(logs)
	clear(out)
	for k := range m.components {
		m.components[k].Grad(x, slope)
		num.Axpy(num.Exp(logs[k]-sum), slope, out)
	}
}

// Draw sets x to a sample.
func (m *mixture) Draw(s *rng.Stream, x []float64) {
	k := 0
	if len(m.components) > 1 {
		k = s.Categorical(m.logW)
	}
	m.components[k].Draw(s, x)
}

// minShare is the smallest weight of a component, before normalisation.
const minShare = .01

// fitWeights sets the weight of each component to the share of the target for which it is responsible, the mean of
//
//	P(component k | x) = w_k q_k(x)/sum_j w_j q_j(x)
//
// over the target, estimated by importance sampling from the mixture. It does so twice, the second time with draws from
// the mixture with the weights of the first. The weights stay if no draw has a positive density.
func (m *mixture) fitWeights(logF func(x []float64) float64, key rng.Key, dim int) {
	const draws = 400
	x := make([]float64, dim)

	for round := range uint32(2) {
		shares, logW := make([][]float64, draws), make([]float64, draws)
		for i := range shares {
			s := key.Stream(2, uint32(i), round)
			m.Draw(&s, x)
			shares[i] = m.logShares(x, nil)
			q := num.LogSumExp(shares[i])
			for k := range shares[i] {
				shares[i][k] = num.Exp(shares[i][k] - q)
			}
			if logW[i] = logF(x) - q; !num.Finite(logW[i]) {
				logW[i] = math.Inf(-1)
			}
		}
		top := num.LogSumExp(logW)
		if !num.Finite(top) {
			return
		}

		total, sums := 0., make([]float64, len(m.components))
		for i, s := range shares {
			num.Axpy(num.Exp(logW[i]-top), s, sums)
		}
		for k := range sums {
			sums[k] = max(sums[k], minShare)
			total += sums[k]
		}
		for k, v := range sums {
			m.logW[k] = num.Log(v / total)
		}
	}
}

// Parameters of floorOf.
const (
	floorDraws  = 400 // draws of logWeights
	floorMargin = 100 // nats between the estimate of log Z and the floor
)

// floorOf returns a floor of log f - log base for the path: the log of the mean importance weight of draws from the
// base, minus floorMargin; -Inf if all weights are 0. Replacing f by max(f, e^floor base) increases Z by at most
// e^floor. Since the mean weight exceeds e^t Z with probability at most e^-t (Markov's inequality), this does not
// change log Z in floating point. Without a floor, log weights are as low as -1e10 if the density falls steeply within
// the reach of the base, for example towards small scales, and no ladder is fine enough near the base.
func floorOf(m baseDensity, dim int, logF func(x []float64) float64, key rng.Key) float64 {
	return num.LogMeanExp(logWeights(m, dim, logF, key, 3)) - floorMargin
}

// logWeights returns log f - log base at floorDraws draws from a base, and -Inf if that is not finite. phase is part of
// the address of the random numbers.
func logWeights(m baseDensity, dim int, logF func(x []float64) float64, key rng.Key, phase uint32) []float64 {
	logW, x := make([]float64, floorDraws), make([]float64, dim)
	for i := range logW {
		s := key.Stream(phase, uint32(i), 0)
		m.Draw(&s, x)
		if logW[i] = logF(x) - m.Log(x); !num.Finite(logW[i]) {
			logW[i] = math.Inf(-1)
		}
	}
	return logW
}

// logBound returns the largest bound of a component.
func (m *mixture) logBound() float64 {
	top := math.Inf(-1)
	for k := range m.components {
		top = max(top, m.components[k].logBound())
	}
	return top
}
