package program

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models/density"
)

// baseDensity is a normalised density at which a path may start.
type baseDensity interface {
	Log(x []float64) float64         // log density at x
	Slope(x, out []float64)          // sets out to the gradient of Log at x
	Draw(s *rng.Stream, x []float64) // sets x to a draw
	logBound() float64               // upper bound of Log
}

// part is a component of the base, around a mode: a normal distribution (core) mixed with a t distribution of the same
// mean and shape (tail), both wider than the chains there, so that importance weights do not become large far from the
// mode. Or it is a distribution whose tails are as heavy as those of the target.
type part struct {
	core, tail density.Base
	heavy      heavy // nil: core and tail
}

// Parameters of core and tail. Widths are covariances in units of that of the chains. The scale matrix of the t
// distribution, (df-2)/df times its covariance, is 1.3 in these units.
const (
	tailShare    = .3 // weight of tail
	tailDF       = 5
	coreWidth    = 1.2
	tailWidth    = 1.3 * tailDF / (tailDF - 2.)
	coreOverTail = coreWidth / tailWidth
	logTailShare = -1.2039728043259361  // log tailShare
	logCoreShare = -0.35667494393873245 // log (1 - tailShare)
)

// newPart returns the part around chains with the mean and the covariance of fitted.
func newPart(fitted density.Base) part {
	scaled := func(by, df float64) density.Base {
		b := density.Base{Mean: fitted.Mean, Root: slices.Clone(fitted.Root), DF: df}
		for i := range b.Root {
			b.Root[i] *= math.Sqrt(by)
		}
		b.Normalise()
		return b
	}
	return part{core: scaled(coreWidth, 0), tail: scaled(tailWidth, tailDF)}
}

// Log returns the log density at x.
func (p *part) Log(x []float64) float64 {
	if p.heavy != nil {
		return p.heavy.Log(x)
	}
	var room [stackFloats]float64
	core, tail := p.logShares(p.core.Whiten(x, num.Sized(room[:0], len(x))))
	return num.LogAddExp(core, tail)
}

// logShares returns the logs of the weighted densities of core and tail, which add up to the density of the part. q is
// the squared length of the point in whitened coordinates of core; in those of tail it is coreOverTail q.
func (p *part) logShares(q float64) (core, tail float64) {
	return logCoreShare + p.core.LogAtMahalanobis(q), logTailShare + p.tail.LogAtMahalanobis(num.Mul(coreOverTail, q))
}

// Slope sets out to the gradient of Log at x.
func (p *part) Slope(x, out []float64) {
	if p.heavy != nil {
		p.heavy.Slope(x, out)
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

// Draw sets x to a draw.
func (p *part) Draw(s *rng.Stream, x []float64) {
	switch {
	case p.heavy != nil:
		p.heavy.Draw(s, x)
	case s.Float64() < tailShare:
		p.tail.Draw(s, x)
	default:
		p.core.Draw(s, x)
	}
}

func (p *part) logBound() float64 {
	if p.heavy != nil {
		return p.heavy.logBound()
	}
	return p.Log(p.core.Mean)
}

// mixture is a mixture of parts.
type mixture struct {
	parts []part
	logW  []float64 // logs of their weights, which add up to 1
}

// Log returns the log density at x.
func (m *mixture) Log(x []float64) float64 {
	if len(m.parts) == 1 {
		return m.parts[0].Log(x)
	}
	var room [stackFloats]float64
	return num.LogSumExp(m.logShares(x, room[:0]))
}

// stackFloats is the number of parts or coordinates up to which densities are computed without allocation.
const stackFloats = 32

// logShares returns the logs of the weighted densities of the parts at x, which add up to the density of the mixture,
// in the memory of room where it is enough.
func (m *mixture) logShares(x, room []float64) []float64 {
	out := num.Sized(room, len(m.parts))
	for k := range m.parts {
		out[k] = m.logW[k] + m.parts[k].Log(x)
	}
	return out
}

// Slope sets out to the gradient of Log at x.
func (m *mixture) Slope(x, out []float64) {
	if len(m.parts) == 1 {
		m.parts[0].Slope(x, out)
		return
	}
	var roomLogs, roomSlope [stackFloats]float64
	logs, slope := m.logShares(x, roomLogs[:0]), num.Sized(roomSlope[:0], len(x))
	sum := num.LogSumExp(logs)
	clear(out)
	for k := range m.parts {
		m.parts[k].Slope(x, slope)
		num.Axpy(num.Exp(logs[k]-sum), slope, out)
	}
}

// Draw sets x to a draw.
func (m *mixture) Draw(s *rng.Stream, x []float64) {
	k := 0
	if len(m.parts) > 1 {
		k = s.Categorical(m.logW)
	}
	m.parts[k].Draw(s, x)
}

// minShare is the smallest weight of a part, before normalisation.
const minShare = .01

// fitWeights sets the weight of each part to the share of the target for which it is responsible, the mean of
//
//	P(part k | x) = w_k q_k(x)/sum_j w_j q_j(x)
//
// over the target, estimated by importance sampling from the mixture. It is done twice, the second time with draws from
// the mixture with the weights of the first. The weights stay if no draw has a density above 0.
func (m *mixture) fitWeights(logF func(x []float64) float64, key rng.Key, dim int) {
	const draws = 400
	x := make([]float64, dim)

	for round := range uint32(2) {
		share, logW := make([][]float64, draws), make([]float64, draws)
		for i := range share {
			s := key.Stream(2, uint32(i), round)
			m.Draw(&s, x)
			share[i] = m.logShares(x, nil)
			q := num.LogSumExp(share[i])
			for k := range share[i] {
				share[i][k] = num.Exp(share[i][k] - q)
			}
			if logW[i] = logF(x) - q; !num.Finite(logW[i]) {
				logW[i] = math.Inf(-1)
			}
		}
		top := num.LogSumExp(logW)
		if !num.Finite(top) {
			return
		}

		total, sums := 0., make([]float64, len(m.parts))
		for i, s := range share {
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

// floorOf returns a floor for log f - log base, below which the path need not know it: the log of the mean importance
// weight of draws from the base, less floorMargin; -Inf if all weights are 0. With max(f, e^floor base) in place of f,
// Z grows by e^floor at most. As the mean weight exceeds e^t Z with a probability of at most e^-t (Markov's
// inequality), that changes no digit of log Z. Without a floor, where the density falls steeply within the reach of
// the base, as towards small scales, log weights are as low as -1e10, and no ladder is fine enough near the base.
func floorOf(m baseDensity, dim int, logF func(x []float64) float64, key rng.Key) float64 {
	return num.LogMeanExp(logWeights(m, dim, logF, key, 3)) - floorMargin
}

// logWeights returns log f - log base at floorDraws draws from a base, -Inf where it is not finite. phase is part of
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

// logBound returns the largest bound of a part.
func (m *mixture) logBound() float64 {
	top := math.Inf(-1)
	for k := range m.parts {
		top = max(top, m.parts[k].logBound())
	}
	return top
}
