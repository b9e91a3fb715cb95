package density

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/models"
)

// Wide is how many times the variance of few samples, which may lag, a base has that is fitted to them.
const Wide = 2

// Moments are the sums over points of weight times each coordinate, then of weight times their products, row by row of
// the lower triangle. Without weights each counts 1.
func Moments(points, weights []float64, dim int) []float64 {
	out := make([]float64, dim+dim*(dim+1)/2)
	for r := range len(points) / dim {
		x, w, products := points[r*dim:(r+1)*dim], 1., out[dim:]
		if weights != nil {
			w = weights[r]
		}
		for i, v := range x {
			v = num.Mul(w, v)
			out[i] += v
			for j := range i + 1 {
				products[j] += num.Mul(v, x[j])
			}
			products = products[i+1:]
		}
	}
	return out
}

// Count is the Moments of all rows.
func (p *spaceRows) Count() []float64 { return Moments(p.x, nil, p.m.d.Dim) }

// Refit is d with another base in place of its own, and a kernel for it: a multivariate t density of df > 2 degrees of
// freedom, or a normal one for df = 0. The base has the mean of n samples of the target and wide times their
// covariance; on are the Moments of the samples. Proposals have the shape of the base, so the units of the coordinates
// do not matter. They need no tuning run: 2.38/sqrt(dim) is the best step for normal targets ([Roberts2001]). ok is
// false where the samples have no covariance.
func (d Density) Refit(on []float64, n, moves, df int, wide float64) (fitted Density, k Kernel, ok bool) {
	dim, count := d.Dim, float64(n)
	mean, root := make([]float64, dim), make([]float64, dim*dim)
	for i := range mean {
		mean[i] = on[i] / count
	}

	// The covariance, widened, and its root.
	products := on[dim:]
	for i := range dim {
		for j := range i + 1 {
			v := wide * (products[j]/count - num.Mul(mean[i], mean[j]))
			root[i*dim+j], root[j*dim+i] = v, v
		}
		products = products[i+1:]
	}
	if !num.Cholesky(root, dim, nil) {
		return d, k, false
	}
	b := Base{Mean: mean, Root: root, DF: float64(df)}
	if !b.Normalise() {
		return d, k, false
	}

	// The density with the new base.
	fitted = d
	fitted.LogZ0, fitted.SlopeBase, fitted.Centred = 0, b.Slope, false
	fitted.LogBase, fitted.DrawBase = b.Log, b.Draw
	if d.Estimate != nil {
		fitted.Estimate = func() models.Estimator { return d.Against(fitted, d.Estimate()) }
	}

	// The step suits the target, not the wider base.
	step := 2.38 / math.Sqrt(wide*float64(dim))
	return fitted, Kernel{Name: "mh", Moves: moves, Root: root, Step: func(float64) float64 { return step }}, true
}

// Against estimates log f_1 less the log of the base of fitted, where likelihood estimates log f_1 less that of d.
func (d Density) Against(fitted Density, likelihood models.Estimator) models.Estimator {
	return func(s *rng.Stream, x []float64) float64 {
		prior := d.LogBase(x)
		if !(prior > math.Inf(-1)) {
			return prior
		}
		return likelihood(s, x) + prior - fitted.LogBase(x)
	}
}

// Base is a normal distribution, or with DF > 2 a t distribution, with a mean and the Cholesky factor of a covariance.
// t = mean + root z / sqrt(g), z normal, has that covariance where g is a gamma variable of shape DF/2 and of scale
// 2/(DF-2). Normalise comes first.
type Base struct {
	Mean, Root []float64
	DF         float64
	peak       float64 // log density at the mean
}

// Normalise finds the peak, and reports whether it is a number.
func (b *Base) Normalise() bool {
	dim := float64(len(b.Mean))
	if b.DF > 0 { // log 2 pi - log 2 + log(df-2) is that of pi (df-2)
		b.peak = num.LogGamma((b.DF+dim)/2) - num.LogGamma(b.DF/2) -
			num.Mul(dim/2, num.Log2Pi-num.Log(2)+num.Log(b.DF-2))
	} else {
		b.peak = -num.Mul(dim/2, num.Log2Pi)
	}
	for i := range b.Mean {
		b.peak -= num.Log(b.Root[i*len(b.Mean)+i])
	}
	return num.Finite(b.peak)
}

// Whiten sets z to root^-1 (x - mean), and returns the square of its length.
func (b *Base) Whiten(x, z []float64) (q float64) {
	for i, v := range x {
		z[i] = v - b.Mean[i]
	}
	num.SolveLower(b.Root, len(x), z)
	for _, v := range z {
		q += num.Mul(v, v)
	}
	return q
}

// Log is the log density at x.
func (b *Base) Log(x []float64) float64 {
	var room [32]float64
	return b.LogAt(b.Whiten(x, num.Sized(room[:0], len(x))))
}

// LogAt is the log density at points whose squared length in whitened coordinates is q.
func (b *Base) LogAt(q float64) float64 {
	if b.DF > 0 {
		return b.peak - num.Mul((b.DF+float64(len(b.Mean)))/2, num.Log1p(q/(b.DF-2)))
	}
	return b.peak - float64(q/2)
}

// Slope sets out to the gradient of Log at x: minus the inverse covariance times x - mean, which the tails of a t
// distribution make smaller.
func (b *Base) Slope(x, out []float64) {
	pull := b.PullAt(b.Whiten(x, out))
	num.SolveUpperT(b.Root, len(x), out)
	for i := range out {
		out[i] *= -pull
	}
}

// PullAt is the length of the gradient at points whose squared length in whitened coordinates is q, in those coordinates
// and as a multiple of the point's own length.
func (b *Base) PullAt(q float64) float64 {
	if b.DF > 0 {
		return (b.DF + float64(len(b.Mean))) / (b.DF - 2 + q)
	}
	return 1
}

// Draw sets x to a sample.
func (b *Base) Draw(s *rng.Stream, x []float64) {
	dim := len(b.Mean)
	z := make([]float64, dim)
	s.Norms(z)
	if b.DF > 0 {
		long := num.Exp((num.Log((b.DF-2)/2) - s.LogGamma(b.DF/2)) / 2)
		for i := range z {
			z[i] *= long
		}
	}
	for i := range x {
		x[i] = b.Mean[i] + num.Dot(b.Root[i*dim:i*dim+i+1], z[:i+1])
	}
}
