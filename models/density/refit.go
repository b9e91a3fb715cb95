package density

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/models"
)

// BaseInflation is the ratio of the variance of a fitted base to that of the samples, if the samples are few or their
// chains may not have converged.
const BaseInflation = 2

// Moments returns the moments of points stored by rows (stats.AddMoments). Nil weights are all 1.
func Moments(points, weights []float64, dim int) []float64 {
	out := make([]float64, stats.MomentCount(dim))
	for r := range len(points) / dim {
		w := 1.
		if weights != nil {
			w = weights[r]
		}
		stats.AddMoments(out, points[r*dim:(r+1)*dim], w)
	}
	return out
}

// RefitSums returns the Moments of all rows.
func (p *pointRows) RefitSums() []float64 { return Moments(p.x, nil, p.m.d.Dim) }

// Refit returns d with a fitted base and a kernel for it. The base is a multivariate t density of df > 2 degrees of
// freedom, or a normal one for df = 0. Its mean is that of n samples of the target, its covariance inflation times
// theirs; moments are the Moments of the samples. The kernel is random-walk Metropolis-Hastings whose proposals have
// the covariance of the base, so units of the coordinates do not matter, with the step 2.38/sqrt(dim), which is optimal
// for normal targets ([Roberts2001]); no tuning run is needed. ok is false if the samples have no positive definite
// covariance.
func (d Density) Refit(moments []float64, n, moves, df int, inflation float64) (fitted Density, k Kernel, ok bool) {
	dim := d.Dim
	mean, root := stats.MeanCov(moments, float64(n), inflation, dim)
	if !num.Cholesky(root, dim, nil) {
		return d, k, false
	}
	b := Base{Mean: mean, Root: root, DF: float64(df)}
	if !b.Normalise() {
		return d, k, false
	}

	fitted = d
	fitted.LogZ0, fitted.GradBase, fitted.Centred = 0, b.Grad, false
	fitted.LogBase, fitted.DrawBase = b.Log, b.Draw
	if d.Estimate != nil {
		fitted.Estimate = func() models.Estimator { return d.Rebase(fitted, d.Estimate()) }
	}

	// root belongs to inflation times the covariance of the target, so the step is shorter by sqrt(inflation).
	step := 2.38 / math.Sqrt(inflation*float64(dim))
	return fitted, Kernel{Name: "mh", Moves: moves, Root: root, Step: func(float64) float64 { return step }}, true
}

// Rebase converts an estimator of log f_1 - log f_0 for the base of d into one for the base of fitted.
func (d Density) Rebase(fitted Density, likelihood models.Estimator) models.Estimator {
	return func(s *rng.Stream, x []float64) float64 {
		prior := d.LogBase(x)
		if !(prior > math.Inf(-1)) {
			return prior
		}
		return likelihood(s, x) + prior - fitted.LogBase(x)
	}
}

// Base is a normal distribution, or a multivariate t distribution if DF > 2, with a mean and the Cholesky factor Root
// of the covariance. Call Normalise before any other method. A draw of the t distribution is mean + Root z / sqrt(g),
// with z standard normal and g a gamma variable of shape DF/2 and scale 2/(DF-2), which makes Root the Cholesky factor
// of the covariance.
type Base struct {
	Mean, Root []float64
	DF         float64
	logPeak    float64 // log density at the mean, in nats
}

// Normalise computes logPeak and reports whether it is finite.
func (b *Base) Normalise() bool {
	dim := float64(len(b.Mean))
	if b.DF > 0 { // log(pi (df-2)) = log 2 pi - log 2 + log(df-2)
		b.logPeak = num.LogGamma((b.DF+dim)/2) - num.LogGamma(b.DF/2) -
			num.Mul(dim/2, num.Log2Pi-num.Log(2)+num.Log(b.DF-2))
	} else {
		b.logPeak = -num.Mul(dim/2, num.Log2Pi)
	}
	for i := range b.Mean {
		b.logPeak -= num.Log(b.Root[i*len(b.Mean)+i])
	}
	return num.Finite(b.logPeak)
}

// Whiten sets z to Root^-1 (x - mean) and returns |z|^2, the squared Mahalanobis distance of x.
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

// Log returns the log density at x, in nats.
func (b *Base) Log(x []float64) float64 {
	var buf [32]float64
	return b.LogAtMahalanobis(b.Whiten(x, num.Sized(buf[:0], len(x))))
}

// LogAtMahalanobis returns the log density at points with squared Mahalanobis distance q.
func (b *Base) LogAtMahalanobis(q float64) float64 {
	if b.DF > 0 {
		return b.logPeak - num.Mul((b.DF+float64(len(b.Mean)))/2, num.Log1p(q/(b.DF-2)))
	}
	return b.logPeak - float64(q/2)
}

// Grad sets out to the gradient of Log at x: -GradFactor(q) times the inverse covariance times (x - mean).
func (b *Base) Grad(x, out []float64) {
	factor := b.GradFactor(b.Whiten(x, out))
	num.SolveUpperT(b.Root, len(x), out)
	for i := range out {
		out[i] *= -factor
	}
}

// GradFactor returns the ratio of the gradient of Log with respect to whitened coordinates z to -z, at |z|^2 = q: 1 for
// a normal distribution, (df+dim)/(df-2+q) for a t distribution.
func (b *Base) GradFactor(q float64) float64 {
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
		factor := num.Exp((num.Log((b.DF-2)/2) - s.LogGamma(b.DF/2)) / 2) // 1/sqrt(g), see Base
		for i := range z {
			z[i] *= factor
		}
	}
	for i := range x {
		x[i] = b.Mean[i] + num.Dot(b.Root[i*dim:i*dim+i+1], z[:i+1])
	}
}
