package density

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// Settings of FitByImportance: points of a round for each dimension, and at least; the effective sample size of a round
// as a share of its points; the largest number of rounds.
const (
	pointsPerDim, minPoints = 20, 100
	essShare                = .2
	maxRounds               = 60
)

// FitByImportance fits a first normal base by adaptive importance sampling, without chains and for any units of the
// coordinates. In each round it draws points from the current base and weights them by the target; the weights are
// tempered until the effective sample size is a fifth of the points, and the next base is fitted to the weighted
// points. The fit ends when two rounds needed no tempering. The base covers one mode of the target.
//
// gain returns log f_1 - log f_0 in nats, or the log of an unbiased estimate of f_1/f_0. lastMoments are the Moments of
// the points of the last round, with total weight 1; nil if no base was found. evaluations is the number of points. The
// result depends on d and gain alone.
func (d Density) FitByImportance(gain models.Estimator) (lastMoments []float64, evaluations int) {
	lastMoments, evaluations, converged := d.fitByImportance(gain, BaseInflation, maxRounds, maxRounds)
	if !converged && lastMoments != nil && d.Dim > maxInflatedDims {
		slowMoments, extraEvaluations, _ := d.fitByImportance(gain, 1+math.Sqrt(shrinkage/float64(d.Dim)), slowRounds, patience)
		lastMoments, evaluations = slowMoments, evaluations+extraEvaluations
	}
	return lastMoments, evaluations
}

// A round makes the variance of the base along each axis smaller by the weights and larger by the inflation. If the
// weights divide the variance by 1 + a, the effective sample size is the share ((1+2a)/(1+a)^2)^(dim/2) of the points;
// a share of 1/5 gives a = sqrt(3.2/dim) to first order. In more than maxInflatedDims dimensions this is less than the
// inflation by BaseInflation, and the base would grow without end. There the variance is multiplied by 1 +
// sqrt(0.8/dim) instead: its logarithm grows half as fast as the weights reduce it, so the base reaches the target
// slowly.
const (
	maxInflatedDims = 10
	shrinkage       = .8
	slowRounds      = 250
	patience        = 12 // rounds without an improvement of the tempering exponent
)

// fitByImportance is FitByImportance with bases whose variance is inflation times that of the points. It ends after the
// given number of rounds, or after patience rounds in which the tempering exponent did not rise; converged reports
// whether it ended earlier, after two rounds without tempering.
func (d Density) fitByImportance(gain models.Estimator, inflation float64, rounds, patience uint32) (lastMoments []float64,
	evaluations int, converged bool) {
	key, base := rng.NewKey(0, "base", d.Dim), d
	n := max(minPoints, pointsPerDim*d.Dim)
	points, score, w := make([]float64, n*d.Dim), make([]float64, n), make([]float64, n)

	untempered, bestExponent, bestRound := 0, 0., uint32(0) // rounds without tempering; the largest exponent and its round
	for round := uint32(0); round < min(rounds, bestRound+patience) && untempered < 2; round++ {
		for i := range score {
			x, s := points[i*d.Dim:(i+1)*d.Dim], key.Stream(0, uint32(i), round)
			base.DrawBase(&s, x)
			if score[i] = d.LogBase(x) - base.LogBase(x); score[i] > MinLogEstimate {
				score[i] += gain(&s, x)
			}
			if !(score[i] > MinLogEstimate && score[i] < math.Inf(1)) {
				score[i] = MinLogEstimate
			}
		}

		// Temper the weights.
		c := TemperedWeights(score, num.Mul(essShare, float64(n)), w)
		if c == 1 {
			untempered++
		}
		if c > bestExponent {
			bestExponent, bestRound = c, round
		}
		evaluations += n

		// Fit the next base.
		moments := Moments(points, w, d.Dim)
		fitted, _, ok := d.Refit(moments, 1, 1, 0, inflation)
		if !ok {
			break
		}
		base, lastMoments = fitted, moments
	}
	return lastMoments, evaluations, untempered == 2
}

// TemperedWeights sets w to normalised weights proportional to e^(c score) and returns c: the first of 1, 0.7, 0.7^2,
// ... for which the effective sample size is at least minESS, or the first below 1e-9.
func TemperedWeights(score []float64, minESS float64, w []float64) (c float64) {
	maxScore := slices.Max(score)
	for c = 1; ; c *= .7 {
		sum, squares := 0., 0.
		for i, s := range score {
			w[i] = num.Exp(num.Mul(c, s-maxScore))
			sum += w[i]
			squares += num.Mul(w[i], w[i])
		}
		for i := range w {
			w[i] /= sum
		}
		if num.Mul(sum, sum) >= num.Mul(minESS, squares) || c < 1e-9 {
			return c
		}
	}
}

// Capabilities returns the cost and the bases that can be fitted. Refit is offered for unimodal targets whose base is
// not yet fitted.
func (m *Space) Capabilities() models.Capabilities {
	c := models.Capabilities{Cost: m.Cost}
	c.Base = models.Base{StudentT: m.StudentT, Normal: m.Normal, FitByImportance: m.FitByImportance}
	if m.d.Unimodal && !m.hasFittedBase && m.d.Estimate == nil {
		c.Base.Refit = m.Refit
	}
	return c
}

// Refit returns m with the normal base of Density.Refit, or m itself if the samples have no positive definite
// covariance.
func (m *Space) Refit(moments []float64, n int) models.Model {
	if fitted := m.refit(moments, n, 0, BaseInflation); fitted != nil {
		return fitted
	}
	return m
}

// refit returns m with the base of Density.Refit, or nil if the samples have no positive definite covariance. If
// inflation is 1 and there are gradients, the kernel becomes hmc.
func (m *Space) refit(moments []float64, n, df int, inflation float64) *Space {
	d, k, ok := m.d.Refit(moments, n, m.k.Moves, df, inflation)
	if !ok {
		return nil
	}
	if d.Grad != nil && inflation == 1 { // in whitened coordinates the target is nearly standard normal
		step := 1 / math.Sqrt(math.Sqrt(float64(d.Dim)))
		k.Name, k.Leaps = "hmc", int(math.Ceil(1.5/step))
		k.Step = func(float64) float64 { return step }
	}
	fitted, err := New(m.info, d, k)
	if err != nil {
		return nil
	}
	fitted.hasFittedBase = true
	return fitted
}

// studentT is a Space whose Refit fits a t base of df degrees of freedom, or a normal one for df = 0, with inflation
// times the covariance of the samples.
type studentT struct {
	*Space
	df        int
	inflation float64
}

// StudentT returns m with a Refit that fits a t base of df degrees of freedom, or a normal one for df = 0.
func (m *Space) StudentT(df int) models.Model { return studentT{m, df, BaseInflation} }

// Normal returns m with a Refit that fits a normal base with the mean and the covariance of the samples. If there are
// gradients, the kernel becomes Hamiltonian Monte Carlo with the inverse of this covariance as mass matrix.
func (m *Space) Normal() models.Model { return studentT{m, 0, 1} }

// Capabilities returns those of the Space, with a Refit that does not require a unimodal target.
func (m studentT) Capabilities() models.Capabilities {
	c := m.Space.Capabilities()
	c.Base.Refit = m.Refit
	return c
}

// Refit returns the model with the base of Density.Refit, or m itself if the samples have no positive definite
// covariance.
func (m studentT) Refit(moments []float64, n int) models.Model {
	if fitted := m.refit(moments, n, m.df, m.inflation); fitted != nil {
		return fitted
	}
	return m
}

// FitByImportance returns m with the normal base of Density.FitByImportance, and the number of points evaluated.
func (m *Space) FitByImportance() (models.Model, int) {
	r := m.importance.Get(func() ImportanceFit {
		gain := func(_ *rng.Stream, x []float64) float64 { return m.d.LogF(x) - m.d.LogBase(x) }
		if m.d.Estimate != nil {
			gain = m.d.Estimate()
		}
		moments, evaluations := m.d.FitByImportance(gain)
		if moments == nil {
			return ImportanceFit{m, evaluations}
		}
		return ImportanceFit{m.Refit(moments, 1), evaluations}
	})
	return r.Model, r.Evaluations
}

// ImportanceFit is a result of Space.FitByImportance.
type ImportanceFit struct {
	Model       models.Model
	Evaluations int
}
