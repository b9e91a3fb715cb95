package program

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/models/density"
)

// heavy is a density with heavy tails: a product over groups of coordinates, each with a multivariate t density or,
// for the coordinates whose tails are light, a normal one.
type heavy []group

// group is a multivariate t density of k of the coordinates,
//
//	log f(x) = log f(m) - (df+k)/2 log(1 + q/df),  q = (x-m)' (root root')^-1 (x-m),
//
// or a normal one for df = 0. Here root root' is the scale matrix, not the covariance, which df <= 2 does not have.
type group struct {
	coords  []int
	normal  density.Base // the normal density with mean m and Cholesky factor root
	df      float64
	logPeak float64 // log f(m)
}

// newGroup returns the group of coords with the entries of mean and of the scale matrix for them; ok is false where
// that matrix is not positive definite.
func newGroup(coords []int, mean, matrix []float64, dim int, df float64) (b group, ok bool) {
	k := len(coords)
	b = group{coords: coords, normal: density.Base{Mean: make([]float64, k), Root: make([]float64, k*k)}, df: df}
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

// gather returns the coordinates of the group from x, in the memory of room where it is enough.
func (b *group) gather(x, room []float64) []float64 {
	out := num.Sized(room, len(b.coords))
	for r, i := range b.coords {
		out[r] = x[i]
	}
	return out
}

// Log is the log density at x.
func (h heavy) Log(x []float64) (sum float64) {
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

// squaredDistance returns q where the log of the normal density is f.
func (b *group) squaredDistance(f float64) float64 { return 2 * max(0, b.normal.Log(b.normal.Mean)-f) }

// Slope sets out to the gradient of Log at x.
func (h heavy) Slope(x, out []float64) {
	var roomX, roomSlope [stackFloats]float64
	for k := range h {
		b := &h[k]
		at, slope, factor := b.gather(x, roomX[:0]), num.Sized(roomSlope[:0], len(b.coords)), 1.
		b.normal.Grad(at, slope)
		if b.df > 0 { // that of the t density is that of the normal one times (df+k)/(df+q)
			factor = (b.df + float64(len(b.coords))) / (b.df + b.squaredDistance(b.normal.Log(at)))
		}
		for r, i := range b.coords {
			out[i] = num.Mul(factor, slope[r])
		}
	}
}

// Draw sets x to a draw: m + sqrt(df/chi2) root z for a t density, with chi2/2 a gamma variable of shape df/2.
func (h heavy) Draw(s *rng.Stream, x []float64) {
	for k := range h {
		b := &h[k]
		at, factor := make([]float64, len(b.coords)), 1.
		b.normal.Draw(s, at)
		if b.df > 0 {
			factor = num.Exp((num.Log(b.df/2) - s.LogGamma(b.df/2)) / 2)
		}
		for r, i := range b.coords {
			m := b.normal.Mean[r]
			x[i] = m + num.Mul(factor, at[r]-m)
		}
	}
}

func (h heavy) logBound() (sum float64) {
	for k := range h {
		sum += h[k].logPeak
	}
	return sum
}

// Conditions on a part with heavy tails.
const (
	minDF, maxDF  = .3, 10 // degrees of freedom of a coordinate with heavy tails; others count as light
	minHeavyShare = .5     // weight in the base below which the part is taken back
)

// addHeavyPart adds a part whose tails fall by the same powers as those of the target, around the mode of largest mass
// and with the scales of the Laplace approximation there. A tail whose mass falls as t^-df, to the nearest 1/8, has df
// degrees of freedom. If coordinates are independent, the density along one of them falls by one power more than its
// mass, and each is a group of its own. Coordinates along which it falls by at least 1.5 powers more form one
// multivariate t density. All others have normal tails, with the covariance of the metric.
func (p *pilot) addHeavyPart(mode density.Base) {
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

	// The groups, and the metric: a block of the covariance from for each group. As the curvature of a t density at its
	// mode is (df+k)/df times that of a normal one with the same matrix, the matrix is that much larger.
	var groups heavy
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
		b, ok := newGroup(coords, mode.Mean, cov, dim, df)
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

	// The part stays if it has most of the weight. Chains adapt the step to its metric.
	before := *p
	normal := density.Base{Mean: mode.Mean, Root: metric}
	c := newChains(p.t, normal, p.key, 200, chainsPerMode)
	c.run(adaptationWindows[len(adaptationWindows)-1])
	last := len(p.base.parts)
	p.base.parts = append(p.base.parts[:last:last], part{heavy: groups})
	p.chainNormals, p.stepSizes = append(p.chainNormals[:last:last], normal), append(p.stepSizes[:last:last], c.stepSize)
	p.updateBase()
	if p.base.logW[last] < num.Log(minHeavyShare) {
		*p = before
		return
	}

	// If the target has one mode and the part alone is close to it, the other parts are of no use.
	if p.modes == 1 {
		logW := logWeights(groups, dim, p.points.LogF, p.key, 9)
		if essShare(logW, num.LogSumExp(logW)) > .5 {
			p.base.parts, p.chainNormals, p.stepSizes = p.base.parts[last:], p.chainNormals[last:], p.stepSizes[last:]
			p.updateBase()
		}
	}
	p.metric, p.stepSize = normal, c.stepSize
}

// essShare returns the effective sample size of floorDraws weights as a share of them, (sum w)^2/(n sum w^2), by the
// logs of the weights and of their sum.
func essShare(logW []float64, logSum float64) float64 {
	return stats.ESSShare(stats.Squares(logW, logSum), floorDraws)
}
