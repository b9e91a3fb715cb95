package latent

import (
	"math"
	"sync"

	"logzlab/core/frame"
	"logzlab/core/lazy"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/models"
	"logzlab/models/density"
)

// Model is a Bayesian model with latent variables, whose likelihood is estimated without bias by averaging over random
// draws of these variables (models.Estimator). The base is the prior of the parameters, and log Z is the log evidence.
type Model struct {
	*density.Space
	family
	userDraws  int             // draws of an estimate set by the user; 0 means that chooseDraws chooses them
	tau        float64         // tau of the ladder for which draws are chosen, see ChooseDraws
	draws      lazy.Value[int] // result of chooseDraws
	importance lazy.Value[density.ImportanceFit]

	mu    sync.Mutex         // guards byTau
	byTau map[float64]*Model // results of ChooseDraws
}

// family is the part of a Model that differs between the kinds of models.
type family struct {
	prior density.Density // prior of the parameters, without the likelihood
	// estimator returns an Estimator with n draws, for one lane.
	estimator          func(n int) models.Estimator
	baseTime, drawTime float64 // time of an estimate apart from its draws, and of each draw, in ns
	truth              *models.Truth
	series             *series // nil if the data are not a series
	posteriorFit       *lazy.Value[normal]
	fittedKernel       *density.Kernel // kernel of a fitted base; nil if the base is the prior
}

// Parameters that several kinds of latent models have.
var (
	paramInner = spec.Param{Name: "inner", Type: "int", Default: "0", Min: 0, Max: maxInner, For: spec.Bridges,
		Help: "Number N of random draws for each estimate of a likelihood: particles of the filter, or draws for each " +
			"group; 0 chooses the most efficient number."}
	paramMoves = spec.Param{Name: "moves", Type: "int", Default: "1", Min: 1, Max: 10000, For: spec.Moves,
		Help: "Transitions in one sweep."}
)

// Limits of the number of draws that chooseDraws chooses. Log estimates of a filter with fewer than 10 particles are
// far from normal.
const minInner, maxInner = 10, 10000

// newModel returns a model for the parameters v.
func newModel(info models.Info, fam family, v spec.Values) (*Model, error) {
	fam.posteriorFit = &lazy.Value[normal]{}
	var set struct {
		Inner int `param:"inner"`
		Moves int `param:"moves"`
	}
	v.Fill(&set)
	m := &Model{family: fam, userDraws: set.Inner, tau: 1}
	return m, m.setSpace(info, max(set.Moves, 1))
}

// setSpace sets m.Space, with the given number of transitions in a sweep.
func (m *Model) setSpace(info models.Info, moves int) (err error) {
	d, k := m.prior, density.Kernel{Name: "mh", Moves: moves}
	d.Estimate = func() models.Estimator { return m.estimator(m.Draws()) }
	if m.series != nil {
		d.RunFilter = func(round uint32, x []float64) (*frame.Flow, float64) {
			return m.series.flow(round, x, m.Draws(), m.baseTime+num.Mul(m.drawTime, float64(m.Draws())))
		}
	}
	if m.fittedKernel != nil {
		k = *m.fittedKernel
	}
	m.Space, err = density.New(info, d, k)
	return err
}

// Capabilities returns the choices of a base and of the number of draws. Refit is offered if the base is the prior.
func (m *Model) Capabilities() models.Capabilities {
	c := models.Capabilities{Likelihood: m, Cost: m.Cost}
	c.Exact.Truth = m.Truth
	c.Base = models.Base{StudentT: m.StudentT, Normal: m.Normal, FitByImportance: m.FitByImportance}
	if m.fittedKernel == nil {
		c.Base.Refit = m.Refit
	}
	return c
}

// Refit returns m with the normal base of density.Refit, or m itself if the samples have no positive definite
// covariance.
func (m *Model) Refit(moments []float64, n int) models.Model {
	if fitted := m.refit(moments, n, 0, density.BaseInflation); fitted != nil {
		return fitted
	}
	return m
}

// refit returns m with the base of density.Refit, or nil if the samples have no positive definite covariance.
func (m *Model) refit(moments []float64, n, df int, inflation float64) *Model {
	base, k, ok := m.prior.Refit(moments, n, m.Kernel().Moves, df, inflation)
	if !ok {
		return nil
	}
	fam := m.family
	fam.prior, fam.fittedKernel, fam.posteriorFit = base, &k, &lazy.Value[normal]{}
	fam.estimator = func(draws int) models.Estimator { return m.prior.Rebase(base, m.estimator(draws)) }
	fitted := &Model{family: fam, userDraws: m.userDraws, tau: 1}
	if fitted.setSpace(m.Info(), k.Moves) != nil {
		return nil
	}
	return fitted
}

// studentT is a model with a Refit that fits a t base of df degrees of freedom, or a normal one for df = 0.
type studentT struct {
	*Model
	df        int
	inflation float64
}

// StudentT returns m with a Refit that fits a t base of df degrees of freedom, or a normal one for df = 0.
func (m *Model) StudentT(df int) models.Model { return studentT{m, df, density.BaseInflation} }

// Normal returns m with a Refit that fits a normal base with the mean and the covariance of the samples.
func (m *Model) Normal() models.Model { return studentT{m, 0, 1} }

// Capabilities returns those of the model, with a Refit even if its base is already fitted.
func (m studentT) Capabilities() models.Capabilities {
	c := m.Model.Capabilities()
	c.Base.Refit = m.Refit
	return c
}

// Refit returns the model with the base of density.Refit, or m itself if the samples have no positive definite
// covariance.
func (m studentT) Refit(moments []float64, n int) models.Model {
	if fitted := m.refit(moments, n, m.df, m.inflation); fitted != nil {
		return fitted
	}
	return m
}

// FitByImportance returns m with a normal base found by adaptive importance sampling (density.Density.FitByImportance),
// and the number of evaluations. The result depends on m alone.
func (m *Model) FitByImportance() (models.Model, int) {
	r := m.importance.Get(m.fitBase)
	return r.Model, r.Evaluations
}

// fitBase computes the result of FitByImportance.
func (m *Model) fitBase() density.ImportanceFit {
	moments, evaluations := m.prior.FitByImportance(m.estimator(firstDraws))
	if moments == nil {
		return density.ImportanceFit{Model: m, Evaluations: evaluations}
	}
	return density.ImportanceFit{Model: m.Refit(moments, 1), Evaluations: evaluations}
}

// Truth returns the log evidence, or nil if it is unknown.
func (m *Model) Truth() *models.Truth { return m.truth }

// ChooseDraws returns m with the number of draws chosen for tau, or m itself if the user set the number. New models
// have tau = 1, the value for importance sampling.
func (m *Model) ChooseDraws(tau float64) models.Model {
	if m.userDraws > 0 || tau == m.tau {
		return m
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byTau[tau] == nil {
		c := &Model{family: m.family, tau: tau}
		if c.setSpace(m.Info(), m.Kernel().Moves) != nil {
			return m
		}
		if m.byTau == nil {
			m.byTau = map[float64]*Model{}
		}
		m.byTau[tau] = c
	}
	return m.byTau[tau]
}

// DrawsGiven reports whether the user set the number of draws.
func (m *Model) DrawsGiven() bool { return m.userDraws > 0 }

// Draws returns the number of draws of an estimate.
func (m *Model) Draws() int { return m.draws.Get(m.chooseDraws) }

// MaxVariance is the largest variance of log estimates for which draws are chosen. The theory ([AISEL] Theorem 1)
// assumes perfect moves; real moves are accepted less often if estimates are noisy, and particle MCMC is most efficient
// at variances between 1 and 3 ([Pitt2012]).
const MaxVariance = 1.5

// BestVariance returns the variance s of log estimates at which annealing with tau takes the least time for a given
// accuracy. If n draws give the variance spread/n and take the time draw each, let a = spread draw; an estimate with
// variance s takes the time base + a/s. Noise multiplies the number of chains that are needed by e^(tau s) ([AISEL]
// section 3.4). Thus s minimises e^(tau s) (base + a/s): it is the positive root of tau base s^2 + tau a s - a = 0.
func BestVariance(tau, a, base float64) float64 {
	b := num.Mul(tau, a)
	return 2 * a / (b + math.Sqrt(num.Mul(b, b)+num.Mul(4*b, base)))
}

// DrawsForVariance returns the number of draws at which the variance of log estimates is BestVariance, but at most
// MaxVariance, if n draws give the variance spread/n.
func (m *Model) DrawsForVariance(tau, spread float64) int {
	a := max(num.Mul(spread, m.drawTime), 1e-9)
	draws := math.Ceil(a / m.drawTime / min(MaxVariance, BestVariance(tau, a, m.baseTime)))
	return int(min(max(draws, minInner), maxInner))
}

// EstimateTime returns the time of an estimate apart from its draws, and of each draw, in the units of models.Cost.
func (m *Model) EstimateTime() (base, draw float64) { return m.baseTime, m.drawTime }

// Estimates returns a function whose calls return independent log estimates, in nats, from n draws at the centre of the
// posterior. Its random numbers are its own.
func (m *Model) Estimates(n int) func() float64 {
	mean, estimate, i := m.posteriorFit.Get(m.fitPosterior).mean, m.estimator(n), uint32(0)
	key := rng.NewKey(0, "trials", n) // results depend on this name
	return func() float64 {
		s := key.Stream(0, 0, i)
		i++
		return estimate(&s, mean)
	}
}

// Settings of the choice of the number of draws. First a normal distribution is fitted to the posterior by importance
// sampling: points of a round, rounds, effective sample size. Then the variance of log estimates is measured from pairs
// of them, twice: with firstDraws draws, and then with the number of draws found, but at most maxMeasuredDraws.
const (
	fitPoints, fitRounds, fitESS = 60, 8, 8
	variancePairs                = 50
	firstDraws, maxMeasuredDraws = 20, 100
)

// normal is a normal distribution with independent coordinates.
type normal struct{ mean, sd []float64 }

// drawsKey returns the key of the random numbers of this choice, which therefore depends on the model and tau alone.
func (m *Model) drawsKey() rng.Key { return rng.NewKey(0, "draws", m.prior.Dim) }

// fitPosterior fits a normal distribution to the posterior by rounds of importance sampling.
func (m *Model) fitPosterior() normal {
	dim, key := m.prior.Dim, m.drawsKey()
	fit := normal{make([]float64, dim), make([]float64, dim)}
	mean, sd := fit.mean, fit.sd
	estimate, draw, logBase := m.estimator(firstDraws), m.prior.DrawBase, m.prior.LogBase
	points, score, w := make([]float64, fitPoints*dim), make([]float64, fitPoints), make([]float64, fitPoints)
	for round := range uint32(fitRounds) {
		for i := range score {
			x, s := points[i*dim:(i+1)*dim], key.Stream(0, uint32(i), round)
			draw(&s, x)
			s = key.Stream(1, 0, 0) // the same random numbers of the estimate for all points
			score[i] = max(m.prior.LogBase(x)+estimate(&s, x)-logBase(x), density.MinLogEstimate)
		}
		density.TemperedWeights(score, fitESS, w)
		for j := range mean {
			mean[j], sd[j] = 0, 0
			for i, p := range w {
				mean[j] += num.Mul(p, points[i*dim+j])
			}
			for i, p := range w {
				d := points[i*dim+j] - mean[j]
				sd[j] += num.Mul(p, d*d)
			}
			sd[j] = math.Sqrt(sd[j])
		}
		draw, logBase = normalPrior(mean, sd).DrawBase, func(x []float64) float64 { return normalPrior(mean, sd).LogBase(x) }
	}
	return fit
}

// chooseDraws measures the variance of log estimates near the posterior mean and returns the number of draws.
func (m *Model) chooseDraws() int {
	if m.userDraws > 0 {
		return m.userDraws
	}
	fit, key, x := m.posteriorFit.Get(m.fitPosterior), m.drawsKey(), make([]float64, m.prior.Dim)
	draw := normalPrior(fit.mean, fit.sd).DrawBase
	n := firstDraws
	for round := range uint32(2) {
		draws := min(n, maxMeasuredDraws)
		sum, estimate := 0., m.estimator(draws)
		for i := range uint32(variancePairs) {
			s := key.Stream(2+round, i, 0)
			draw(&s, x)
			if d := estimate(&s, x) - estimate(&s, x); num.Finite(d) {
				sum += num.Mul(d, d) / (2 * variancePairs)
			}
		}
		n = m.DrawsForVariance(m.tau, num.Mul(float64(draws), sum))
	}
	return n
}

// Cost returns the memory and time of rows. Nearly all of the time is that of the estimates.
func (m *Model) Cost() models.Cost {
	estimate := m.baseTime + num.Mul(m.drawTime, float64(m.Draws()))
	c := models.PointsCost(m.prior.Dim, m.Kernel().Moves, estimate)
	c.Overhead += float64(32 * m.Draws())
	c.Encoded += 8
	return c
}

// normalPrior returns a density whose base is N(mean, diag sd^2), without a target.
func normalPrior(mean, sd []float64) density.Density {
	log0 := -num.Mul(float64(len(mean))/2, num.Log2Pi)
	for _, s := range sd {
		log0 -= num.Log(s)
	}
	return density.Density{Dim: len(mean), LogBase: func(x []float64) float64 {
		q := 0.0
		for i := range x {
			z := (x[i] - mean[i]) / sd[i]
			q += num.Mul(z, z)
		}
		return log0 - float64(q/2)
	}, DrawBase: func(s *rng.Stream, x []float64) {
		for i := range x {
			x[i] = mean[i] + num.Mul(sd[i], s.Norm())
		}
	}}
}

// pulse returns an estimator that yields to other goroutines according to the time of an estimate, in nanoseconds.
func pulse(estimate models.Estimator, time float64) models.Estimator {
	return func(s *rng.Stream, x []float64) float64 {
		meter.Pulse(time)
		return estimate(s, x)
	}
}
