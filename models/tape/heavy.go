package tape

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/core/stats"
	"logzlab/models/density"
)

// heavy is a base with heavy tails: independent groups of coordinates, each with a multivariate t density, and a normal
// one of the other coordinates.
type heavy []group

// group is a multivariate t density of some coordinates,
//
//	log f(x) = log f(m) - (df+k)/2 log(1 + q/df),  q = (x-m)' (root root')^-1 (x-m),
//
// of k coordinates; a normal one for df = 0.
type group struct {
	of    []int
	round density.Base // normal, of the same mean and root
	df    float64
	top   float64 // log f(m)
}

// newGroup makes a group; ok is false where cov is no covariance.
func newGroup(of []int, mean, cov []float64, dim int, df float64) (b group, ok bool) {
	k := len(of)
	b = group{of: of, round: density.Base{Mean: make([]float64, k), Root: make([]float64, k*k)}, df: df}
	for r, i := range of {
		b.round.Mean[r] = mean[i]
		for c, j := range of {
			b.round.Root[r*k+c] = cov[i*dim+j]
		}
	}
	if !num.Cholesky(b.round.Root, k, nil) || !b.round.Normalise() {
		return b, false
	}
	if b.top = b.round.Log(b.round.Mean); df > 0 {
		n := float64(k)
		b.top += num.LogGamma((df+n)/2) - num.LogGamma(df/2) - num.Mul(n/2, num.Log(df/2))
	}
	return b, true
}

// take is the part of x that a group has.
func (b *group) take(x, room []float64) []float64 {
	out := num.Sized(room, len(b.of))
	for r, i := range b.of {
		out[r] = x[i]
	}
	return out
}

// Log is the log density at x.
func (h heavy) Log(x []float64) (sum float64) {
	var room [roomOf]float64
	for k := range h {
		b := &h[k]
		f := b.round.Log(b.take(x, room[:0]))
		if b.df > 0 {
			f = b.top - num.Mul((b.df+float64(len(b.of)))/2, num.Log1p(b.far(f)/b.df))
		}
		sum += f
	}
	return sum
}

// far is q where the normal density has this log.
func (b *group) far(f float64) float64 { return 2 * max(0, b.round.Log(b.round.Mean)-f) }

// Slope sets out to the gradient of Log at x.
func (h heavy) Slope(x, out []float64) {
	var room, of [roomOf]float64
	for k := range h {
		b := &h[k]
		at, slope, pull := b.take(x, room[:0]), num.Sized(of[:0], len(b.of)), 1.
		b.round.Slope(at, slope)
		if b.df > 0 {
			pull = (b.df + float64(len(b.of))) / (b.df + b.far(b.round.Log(at)))
		}
		for r, i := range b.of {
			out[i] = num.Mul(pull, slope[r])
		}
	}
}

// Draw sets x to a sample.
func (h heavy) Draw(s *rng.Stream, x []float64) {
	for k := range h {
		b := &h[k]
		at, long := make([]float64, len(b.of)), 1.
		b.round.Draw(s, at)
		if b.df > 0 {
			long = num.Exp((num.Log(b.df/2) - s.LogGamma(b.df/2)) / 2)
		}
		for r, i := range b.of {
			m := b.round.Mean[r]
			x[i] = m + num.Mul(long, at[r]-m)
		}
	}
}

func (h heavy) peak() (sum float64) {
	for k := range h {
		sum += h[k].top
	}
	return sum
}

// Degrees of freedom of tails for which the base gets a part with heavy tails, and the share of the target that it must
// have: else the base stays what it was.
const (
	leastDF, mostDF = .3, 10
	heavyShare      = .5
)

// addHeavy adds to the base a part whose tails fall as those of the target do, where these are powers: around its
// highest mode, with scales by the curvature there. The density of one of independent coordinates falls by one power
// more than its mass; coordinates of which it falls by more have a common t density, as a multivariate one.
func (p *pilot) addHeavy(mode density.Base, key rng.Key) {
	dim := p.t.Dim()
	var alone, common, rest []int
	df := make([]float64, dim)
	for i, t := range p.tails {
		df[i] = math.Round(-8*t.slope) / 8
		switch {
		case t.x == nil || df[i] < leastDF || df[i] > mostDF:
			rest = append(rest, i)
		case t.slope-t.power < 1.5:
			alone = append(alone, i)
		default:
			common = append(common, i)
		}
	}
	if len(rest) == dim {
		return
	}

	// The groups, and a metric of their scales.
	var h heavy
	metric := make([]float64, dim*dim)
	add := func(of []int, from density.Base, df, wide float64) bool {
		cov := make([]float64, dim*dim)
		for r, i := range of {
			for _, j := range of[:r+1] {
				v := num.Mul(wide, num.Dot(from.Root[i*dim:i*dim+min(i, j)+1], from.Root[j*dim:j*dim+min(i, j)+1]))
				cov[i*dim+j], cov[j*dim+i] = v, v
				metric[i*dim+j], metric[j*dim+i] = v, v
			}
		}
		b, ok := newGroup(of, mode.Mean, cov, dim, df)
		h = append(h, b)
		return ok
	}
	ok := true
	for _, i := range alone {
		ok = ok && add([]int{i}, mode, df[i], (df[i]+1)/df[i])
	}
	if k := float64(len(common)); k > 0 {
		df := df[common[0]]
		ok = ok && add(common, mode, df, (df+k)/df)
	}
	if len(rest) > 0 {
		ok = ok && add(rest, p.space, 0, coreWidth)
	}
	if !ok || !num.Cholesky(metric, dim, nil) {
		return
	}

	// Whether the part has most of the target.
	old := *p
	around := density.Base{Mean: mode.Mean, Root: metric}
	c := newChains(p.t, around, key, 200, pilotChains)
	c.run(windows[len(windows)-1])
	p.spent += c.spent
	last := len(p.base.parts)
	p.base.parts = append(p.base.parts[:last:last], part{heavy: h})
	p.around, p.steps = append(p.around[:last:last], around), append(p.steps[:last:last], c.step)
	logF := p.t.Points().LogF
	p.finish(logF, key)
	if p.base.logW[last] < num.Log(heavyShare) {
		*p = old
		return
	}
	if p.modes == 1 && suits(h, logF, key, dim) { // by itself
		p.base.parts, p.around, p.steps = p.base.parts[last:], p.around[last:], p.steps[last:]
		p.finish(logF, key)
	}
	p.space, p.step = around, c.step
}

// suits reports whether more than half of the draws of a base are effective at the target.
func suits(from base, logF func(x []float64) float64, key rng.Key, dim int) bool {
	logW := logWeights(from, dim, logF, key, 9)
	return essShare(logW, num.LogSumExp(logW)) > .5
}

// essShare is the effective share of floorDraws weights, whose logs have this log of their sum.
func essShare(logW []float64, total float64) float64 {
	return stats.ESSShare(stats.Squares(logW, total), floorDraws)
}
