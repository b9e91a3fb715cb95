package program

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/models/density"
)

// heavyTailed is a density with heavy tails: a product over groups of coordinates, each with a multivariate t density,
// or a normal one for coordinates with light tails.
type heavyTailed []coordGroup

// coordGroup is a multivariate t density of k of the coordinates,
//
//	log f(x) = log f(m) - (df+k)/2 log(1 + q/df),  q = (x-m)' (root root')^-1 (x-m),
//
// or a normal one for df = 0. Here root root' is the scale matrix, not the covariance, which does not exist for
// df <= 2.
type coordGroup struct {
	coords  []int
	normal  density.Base // the normal density with mean m and Cholesky factor root
	df      float64
	logPeak float64 // log f(m)
}

// newCoordGroup returns the group of coords with their entries of mean and of the scale matrix; ok is false if that
// matrix is not positive definite.
func newCoordGroup(coords []int, mean, matrix []float64, dim int, df float64) (b coordGroup, ok bool) {
	k := len(coords)
	b = coordGroup{coords: coords, normal: density.Base{Mean: make([]float64, k), Root: make([]float64, k*k)}, df: df}
	for r, i := range coords {
		b.normal.Mean[r] = mean[i]
		for c, j := range coords {
			b.normal.Root[r*k+c] = matrix[i*dim+j]
		}
	}
	if !num.Cholesky(b.normal.Root, k, nil) || !b.normal.Normalise() {
		return b, false
	}
	if b.logPeak = b.normal.Log(b.normal.Mean); df > 0 {
		n := float64(k)
		b.logPeak += num.LogGamma((df+n)/2) - num.LogGamma(df/2) - num.Mul(n/2, num.Log(df/2))
	}
	return b, true
}

// gather returns the coordinates of the group from x, in scratch if that is large enough.
func (b *coordGroup) gather(x, scratch []float64) []float64 {
	out := num.Sized(scratch, len(b.coords))
	for r, i := range b.coords {
		out[r] = x[i]
	}
	return out
}

// Log returns the log density at x.
func (h heavyTailed) Log(x []float64) (sum float64) {
	var room [stackFloats]float64
	for k := range h {
		b := &h[k]
		f := b.normal.Log(b.gather(x, room[:0]))
		if b.df > 0 {
			f = b.logPeak - num.Mul((b.df+float64(len(b.coords)))/2, num.Log1p(b.squaredDistance(f)/b.df))
		}
		sum += f
	}
	return sum
}

// squaredDistance returns q for a log f of the normal density.
func (b *coordGroup) squaredDistance(f float64) float64 {
	return 2 * max(0, b.normal.Log(b.normal.Mean)-f)
}

// Grad sets out to the gradient of Log at x.
func (h heavyTailed) Grad(x, out []float64) {
	var roomX, roomSlope [stackFloats]float64
	for k := range h {
		b := &h[k]
		groupX, slope, factor := b.gather(x, roomX[:0]), num.Sized(roomSlope[:0], len(b.coords)), 1.
		b.normal.Grad(groupX, slope)
		if b.df > 0 { // the gradient of the normal density times (df+k)/(df+q)
			factor = (b.df + float64(len(b.coords))) / (b.df + b.squaredDistance(b.normal.Log(groupX)))
		}
		for r, i := range b.coords {
			out[i] = num.Mul(factor, slope[r])
		}
	}
}

// Draw sets x to a sample: m + sqrt(df/chi2) root z for a t density, where chi2/2 is a gamma variable of shape df/2.
func (h heavyTailed) Draw(s *rng.Stream, x []float64) {
	for k := range h {
		b := &h[k]
		draw, factor := make([]float64, len(b.coords)), 1.
		b.normal.Draw(s, draw)
		if b.df > 0 {
			factor = num.Exp((num.Log(b.df/2) - s.LogGamma(b.df/2)) / 2)
		}
		for r, i := range b.coords {
			m := b.normal.Mean[r]
			x[i] = m + num.Mul(factor, draw[r]-m)
		}
	}
}

// logBound returns the maximum of Log, at the means of all groups.
func (h heavyTailed) logBound() (sum float64) {
	for k := range h {
		sum += h[k].logPeak
	}
	return sum
}

// Conditions for a component with heavy tails.
const (
	minDF, maxDF  = .3, 10 // degrees of freedom of a coordinate with heavy tails; others count as light
	minHeavyShare = .5     // smallest weight in the base with which the component is kept
)

// addHeavyTailed adds a component whose tails decrease by the same powers as those of the target, around the mode of
// largest mass and with the scales of the Laplace approximation there. A tail whose mass decreases as t^-df, rounded to
// 1/8, has df degrees of freedom. If coordinates are independent, the density along one of them decreases by one power
// more than its mass, and each is a group of its own. Coordinates along which it decreases by at least 1.5 powers more
// form one multivariate t density. All others have normal tails, with the covariance of the metric.
func (p *pilot) addHeavyTailed(mode density.Base) {
	dim := p.t.Dim()
	var independent, joint, light []int
	df := make([]float64, dim)
	for i, t := range p.tails {
		df[i] = math.Round(-8*t.slope) / 8
		switch {
		case t.x == nil || df[i] < minDF || df[i] > maxDF:
			light = append(light, i)
		case t.slope-t.power < 1.5:
			independent = append(independent, i)
		default:
			joint = append(joint, i)
		}
	}
	if len(light) == dim {
		return
	}

	// Groups and metric: a block of the covariance for each group. The curvature of a t density at its mode is
	// (df+k)/df times that of a normal density with the same matrix, so the matrix is larger by this factor.
	var groups heavyTailed
	metric := make([]float64, dim*dim)
	add := func(coords []int, from density.Base, df, scale float64) bool {
		cov := make([]float64, dim*dim)
		for r, i := range coords {
			for _, j := range coords[:r+1] {
				v := num.Mul(scale, num.Dot(from.Root[i*dim:i*dim+min(i, j)+1], from.Root[j*dim:j*dim+min(i, j)+1]))
				cov[i*dim+j], cov[j*dim+i] = v, v
				metric[i*dim+j], metric[j*dim+i] = v, v
			}
		}
		b, ok := newCoordGroup(coords, mode.Mean, cov, dim, df)
		groups = append(groups, b)
		return ok
	}
	ok := true
	for _, i := range independent {
		ok = ok && add([]int{i}, mode, df[i], (df[i]+1)/df[i])
	}
	if k := float64(len(joint)); k > 0 {
		df := df[joint[0]]
		ok = ok && add(joint, mode, df, (df+k)/df)
	}
	if len(light) > 0 {
		ok = ok && add(light, p.metric, 0, coreWidth)
	}
	if !ok || !num.Cholesky(metric, dim, nil) {
		return
	}

	// Keep the component if it has most of the weight. Chains adapt the step to its metric.
	saved := *p
	normal := density.Base{Mean: mode.Mean, Root: metric}
	c := newChains(p.t, normal, p.key, 200, chainsPerMode)
	c.run(adaptationWindows[len(adaptationWindows)-1])
	last := len(p.base.components)
	p.base.components = append(p.base.components[:last:last], component{heavyTailed: groups})
	p.chainNormals, p.stepSizes = append(p.chainNormals[:last:last], normal), append(p.stepSizes[:last:last], c.stepSize)
	p.updateBase()
	if p.base.logW[last] < num.Log(minHeavyShare) {
		*p = saved
		return
	}

	// If the target has one mode and the component alone is close to it, drop the others.
	if p.modes == 1 {
		logW := logWeights(groups, dim, p.points.LogF, p.key, 9)
		if essShare(logW, num.LogSumExp(logW)) > .5 {
			p.base.components, p.chainNormals, p.stepSizes = p.base.components[last:], p.chainNormals[last:], p.stepSizes[last:]
			p.updateBase()
		}
	}
	p.metric, p.stepSize = normal, c.stepSize
}

// essShare returns the effective sample size of floorDraws weights as a share of them, (sum w)^2/(n sum w^2), from the
// logs of the weights and of their sum.
func essShare(logW []float64, logSum float64) float64 {
	return stats.ESSFraction(stats.SumSquares(logW, logSum), floorDraws)
}
