package tape

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/models/density"
)

// base is where a path starts: a normalised density.
type base interface {
	Log(x []float64) float64
	Slope(x, out []float64)
	Draw(s *rng.Stream, x []float64)
	peak() float64 // at least Log anywhere
}

// part is a distribution around a mode: a normal one, a little wider than the chains that were run there, mixed with a
// t distribution that reaches farther, so that no draw of the target is far more likely than under the part. Or it is a
// distribution with tails as heavy as the target's.
type part struct {
	core, tail density.Base
	heavy      heavy // nil: core and tail
}

// The share of the t distribution in a part, its degrees of freedom, and the covariances of normal and t distribution,
// in units of that of the chains.
const (
	tailShare    = .3
	tailDF       = 5
	coreWidth    = 1.2
	tailWidth    = 1.3 * tailDF / (tailDF - 2.)
	logTailShare = -1.2039728043259361  // log tailShare
	logCoreShare = -0.35667494393873245 // log (1 - tailShare)
)

// newPart is a part around chains of this mean and covariance.
func newPart(around density.Base) part {
	wider := func(by, df float64) density.Base {
		b := density.Base{Mean: around.Mean, Root: slices.Clone(around.Root), DF: df}
		for i := range b.Root {
			b.Root[i] *= math.Sqrt(by)
		}
		b.Normalise()
		return b
	}
	return part{core: wider(coreWidth, 0), tail: wider(tailWidth, tailDF)}
}

// Log is the log density at x.
func (p *part) Log(x []float64) float64 {
	if p.heavy != nil {
		return p.heavy.Log(x)
	}
	var room [roomOf]float64
	core, tail := p.logs(p.core.Whiten(x, num.Sized(room[:0], len(x))))
	return num.LogAddExp(core, tail)
}

// closer is the covariance of core as a multiple of that of tail, which has the same shape.
const closer = coreWidth / tailWidth

// logs are the shares of core and tail in the density, by the squared length of a point in whitened coordinates of core.
func (p *part) logs(q float64) (core, tail float64) {
	return logCoreShare + p.core.LogAt(q), logTailShare + p.tail.LogAt(num.Mul(closer, q))
}

// Slope sets out to the gradient of Log at x.
func (p *part) Slope(x, out []float64) {
	if p.heavy != nil {
		p.heavy.Slope(x, out)
		return
	}
	q := p.core.Whiten(x, out)
	core, tail := p.logs(q)
	share := num.Exp(tail - num.LogAddExp(core, tail))
	pull := num.Mul(1-share, p.core.PullAt(q)) + num.Mul(share, num.Mul(closer, p.tail.PullAt(num.Mul(closer, q))))
	num.SolveUpperT(p.core.Root, len(x), out)
	for i := range out {
		out[i] *= -pull
	}
}

// Draw sets x to a sample.
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

func (p *part) peak() float64 {
	if p.heavy != nil {
		return p.heavy.peak()
	}
	return p.Log(p.core.Mean)
}

// mixture is a base of several distributions, a normal one around each mode, or one with heavy tails.
type mixture struct {
	parts []part
	logW  []float64 // logs of their weights, which add up to 1
}

// Log is the log density at x.
func (m *mixture) Log(x []float64) float64 {
	if len(m.parts) == 1 {
		return m.parts[0].Log(x)
	}
	var room [roomOf]float64
	return num.LogSumExp(m.logs(x, room[:0]))
}

// roomOf is the number of parts or coordinates up to which nothing is allocated.
const roomOf = 32

// logs are the logs of each part's share in the density at x, in the memory of room where it is enough.
func (m *mixture) logs(x, room []float64) []float64 {
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
	var room, of [roomOf]float64
	logs, one := m.logs(x, room[:0]), num.Sized(of[:0], len(x))
	sum := num.LogSumExp(logs)
	clear(out)
	for k := range m.parts {
		m.parts[k].Slope(x, one)
		num.Axpy(num.Exp(logs[k]-sum), one, out)
	}
}

// Draw sets x to a sample.
func (m *mixture) Draw(s *rng.Stream, x []float64) {
	k := 0
	if len(m.parts) > 1 {
		k = s.Categorical(m.logW)
	}
	m.parts[k].Draw(s, x)
}

// leastShare is that of any part.
const leastShare = .01

// weigh sets the weights of the parts to their shares of the target, by importance weights of draws from the mixture,
// which are made twice.
func (m *mixture) weigh(logF func(x []float64) float64, key rng.Key, dim int) {
	const draws = 400
	x := make([]float64, dim)

	// The second round draws from the mixture of the first.
	for round := range uint32(2) {
		share, logW := make([][]float64, draws), make([]float64, draws)
		for i := range share {
			s := key.Stream(2, uint32(i), round)
			m.Draw(&s, x)
			share[i] = m.logs(x, nil)
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

		// Each part's share of the target, none too small.
		total, sums := 0., make([]float64, len(m.parts))
		for i, s := range share {
			num.Axpy(num.Exp(logW[i]-top), s, sums)
		}
		for k := range sums {
			sums[k] = max(sums[k], leastShare)
			total += sums[k]
		}
		for k, v := range sums {
			m.logW[k] = num.Log(v / total)
		}
	}
}

// Draws of floor, and how far below what they find it lies.
const (
	floorDraws = 400
	floorBelow = 100
)

// floorOf is the least log f - log base that the path needs to know; -Inf where draws of the base find nothing. With
// max(f, e^floor base) in place of f, Z grows by e^floor at most. The mean weight of draws from the base is above e^t Z
// with a probability of e^-t at most, so this is no digit of log Z. Without a floor a base that reaches over a cliff,
// as those of logs of scales do, has log weights of -1e10 there, and no ladder is fine enough near the base.
func floorOf(m base, dim int, logF func(x []float64) float64, key rng.Key) float64 {
	return num.LogMeanExp(logWeights(m, dim, logF, key, 3)) - floorBelow
}

// logWeights are log f - log base of draws from a base, -Inf where that is no number. phase is part of their address.
func logWeights(m base, dim int, logF func(x []float64) float64, key rng.Key, phase uint32) []float64 {
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

// peak is at least the log density anywhere.
func (m *mixture) peak() float64 {
	top := math.Inf(-1)
	for k := range m.parts {
		top = max(top, m.parts[k].peak())
	}
	return top
}
