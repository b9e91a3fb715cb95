package density

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/models"
)

// Wide is the variance of a fitted base in units of that of the samples, where these are few or their chains may not
// have settled.
const Wide = 2

// Moments returns the moments of points by rows (stats.AddMoments), with a weight of 1 each if weights is nil.
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

// Count returns the Moments of all rows.
func (p *spaceRows) Count() []float64 { return Moments(p.x, nil, p.m.d.Dim) }

// Refit returns d with another base: a multivariate t density of df > 2 degrees of freedom, or a normal one for df =
// 0, with the mean of n samples of the target and wide times their covariance; on are the Moments of the samples. The
// kernel is random-walk Metropolis-Hastings with the covariance of the base for its proposals, so the units of the
// coordinates do not matter. It needs no tuning run: 2.38/sqrt(dim) is the best step for normal targets
// ([Roberts2001]). ok is false where the samples have no positive definite covariance.
func (d Density) Refit(on []float64, n, moves, df int, wide float64) (fitted Density, k Kernel, ok bool) {
	dim := d.Dim
	mean, root := stats.MeanCov(on, float64(n), wide, dim)
	if !num.Cholesky(root, dim, nil) {
		return d, k, false
	}
	b := Base{Mean: mean, Root: root, DF: float64(df)}
	if !b.Normalise() {
		return d, k, false
	}

	fitted = d
	fitted.LogZ0, fitted.SlopeBase, fitted.Centred = 0, b.Slope, false
	fitted.LogBase, fitted.DrawBase = b.Log, b.Draw
	if d.Estimate != nil {
		fitted.Estimate = func() models.Estimator { return d.Against(fitted, d.Estimate()) }
	}

	// The root is that of wide times the covariance of the target, so the step is shorter by sqrt(wide).
	step := 2.38 / math.Sqrt(wide*float64(dim))
	return fitted, Kernel{Name: "mh", Moves: moves, Root: root, Step: func(float64) float64 { return step }}, true
}

// Against returns an estimator of log f_1 - log f_0 for the base f_0 of fitted, from one for the base of d.
func (d Density) Against(fitted Density, likelihood models.Estimator) models.Estimator {
	return func(s *rng.Stream, x []float64) float64 {
		prior := d.LogBase(x)
		if !(prior > math.Inf(-1)) {
			return prior
		}
		return likelihood(s, x) + prior - fitted.LogBase(x)
	}
}

// Base is a normal distribution, or with DF > 2 a multivariate t distribution, with a mean and the Cholesky factor of
// the covariance. Call Normalise before any other method. A draw of the t distribution is mean + Root z / sqrt(g), z
// normal and g a gamma variable of shape DF/2 and of scale 2/(DF-2), which makes the covariance that of Root.
type Base struct {
	Mean, Root []float64
	DF         float64
	peak       float64 // log density at the mean
}

// Normalise computes the log density at the mean, and reports whether it is finite.
func (b *Base) Normalise() bool {
	dim := float64(len(b.Mean))
	if b.DF > 0 { // log(pi (df-2)) = log 2 pi - log 2 + log(df-2)
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

// Log returns the log density at x.
func (b *Base) Log(x []float64) float64 {
	var room [32]float64
	return b.LogAt(b.Whiten(x, num.Sized(room[:0], len(x))))
}

// LogAt returns the log density at points whose squared length in whitened coordinates is q.
func (b *Base) LogAt(q float64) float64 {
	if b.DF > 0 {
		return b.peak - num.Mul((b.DF+float64(len(b.Mean)))/2, num.Log1p(q/(b.DF-2)))
	}
	return b.peak - float64(q/2)
}

// Slope sets out to the gradient of Log at x, -PullAt(q) times the inverse covariance times x - mean.
func (b *Base) Slope(x, out []float64) {
	pull := b.PullAt(b.Whiten(x, out))
	num.SolveUpperT(b.Root, len(x), out)
	for i := range out {
		out[i] *= -pull
	}
}

// PullAt returns the length of the gradient of Log by whitened coordinates z as a multiple of |z|, where |z|^2 = q: 1
// for a normal distribution, and (df+dim)/(df-2+q) for a t distribution.
func (b *Base) PullAt(q float64) float64 {
	if b.DF > 0 {
		return (b.DF + float64(len(b.Mean))) / (b.DF - 2 + q)
	}
	return 1
}

// Draw sets x to a draw.
func (b *Base) Draw(s *rng.Stream, x []float64) {
	dim := len(b.Mean)
	z := make([]float64, dim)
	s.Norms(z)
	if b.DF > 0 {
		factor := num.Exp((num.Log((b.DF-2)/2) - s.LogGamma(b.DF/2)) / 2) // 1/sqrt(g)
		for i := range z {
			z[i] *= factor
		}
	}
	for i := range x {
		x[i] = b.Mean[i] + num.Dot(b.Root[i*dim:i*dim+i+1], z[:i+1])
	}
}
