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

// Model is a Bayesian model with latent variables that are summed out by draws: the base is the prior of its
// parameters, log Z the log evidence, and every likelihood an unbiased estimate (Estimator).
type Model struct {
	*density.Space
	family
	given int     // draws for an estimate; 0: picked
	tau   float64 // for which they are picked
	n     lazy.Value[int]
	rough lazy.Value[density.Roughed]

	mu      sync.Mutex
	refined map[float64]*Model
}

// family is what the kinds of latent models differ in.
type family struct {
	prior density.Density // without a likelihood
	// estimator makes an Estimator of n draws that one lane uses.
	estimator func(n int) models.Estimator
	base, one float64 // time of an estimate, and what each draw adds to it
	truth     *models.Truth
	series    *series // nil: the data are none
	middle    *lazy.Value[normal]
	fitted    *density.Kernel // of a fitted base; nil: the base is the prior
}

// Parameters that several kinds have.
var (
	paramInner = spec.Param{Name: "inner", Type: "int", Default: "0", Min: 0, Max: maxInner, For: spec.Bridges,
		Help: "Random draws N behind each estimate of a likelihood: particles of the filter, or draws for each group; 0 " +
			"picks about the number that gives most for its time."}
	paramWalks = spec.Param{Name: "moves", Type: "int", Default: "1", Min: 1, Max: 10000, For: spec.Moves,
		Help: "Transitions in one sweep."}
)

const minInner, maxInner = 10, 10000 // of what is picked; fewer than 10 particles are far from normal

func newModel(info models.Info, l family, v spec.Values) (*Model, error) {
	l.middle = &lazy.Value[normal]{}
	var set struct {
		Inner int `param:"inner"`
		Moves int `param:"moves"`
	}
	v.Fill(&set)
	m := &Model{family: l, given: set.Inner, tau: 1}
	return m, m.space(info, max(set.Moves, 1))
}

// space makes the density.
func (m *Model) space(info models.Info, moves int) (err error) {
	d, k := m.prior, density.Kernel{Name: "mh", Moves: moves}
	d.Estimate = func() models.Estimator { return m.estimator(m.Draws()) }
	if m.series != nil {
		d.Follow = func(round uint32, x []float64) (*frame.Flow, float64) {
			return m.series.follow(round, x, m.Draws(), m.base+num.Mul(m.one, float64(m.Draws())))
		}
	}
	if m.fitted != nil {
		k = *m.fitted
	}
	m.Space, err = density.New(info, d, k)
	return err
}

// Capabilities returns the choices of a base and of the number of draws. Refit is for models whose base is the prior.
func (m *Model) Capabilities() models.Capabilities {
	c := models.Capabilities{Likelihood: m, Cost: m.Cost}
	c.Exact.Truth = m.Truth
	c.Base = models.Base{StudentT: m.StudentT, Normal: m.Normal, FitByImportance: m.FitByImportance}
	if m.fitted == nil {
		c.Base.Refit = m.Refit
	}
	return c
}

// Refit is m with the normal base of density.Refit, or m itself where the samples have no covariance.
func (m *Model) Refit(on []float64, n int) models.Model {
	if fitted := m.refit(on, n, 0, density.Wide); fitted != nil {
		return fitted
	}
	return m
}

// refit is m with the base of density.Refit, nil where the samples have no covariance.
func (m *Model) refit(on []float64, n, df int, wide float64) *Model {
	base, k, ok := m.prior.Refit(on, n, m.Kernel().Moves, df, wide)
	if !ok {
		return nil
	}
	l := m.family
	l.prior, l.fitted, l.middle = base, &k, &lazy.Value[normal]{}
	l.estimator = func(draws int) models.Estimator { return m.prior.Against(base, m.estimator(draws)) }
	c := &Model{family: l, given: m.given, tau: 1}
	if c.space(m.Info(), k.Moves) != nil {
		return nil
	}
	return c
}

// tailed is a model whose base may be fitted, with the tails of a t distribution.
type tailed struct {
	*Model
	df   int
	wide float64
}

// Tailed is m for a t base of df degrees of freedom, or a normal one for df = 0.
func (m *Model) StudentT(df int) models.Model { return tailed{m, df, density.Wide} }

// Normal is m for a normal base with the mean and the covariance of samples.
func (m *Model) Normal() models.Model { return tailed{m, 0, 1} }

// Capabilities returns those of the model, whose base may be fitted again.
func (m tailed) Capabilities() models.Capabilities {
	c := m.Model.Capabilities()
	c.Base.Refit = m.Refit
	return c
}

// Refit is the model with the base of density.Refit, or m itself where the samples have no covariance.
func (m tailed) Refit(on []float64, n int) models.Model {
	if fitted := m.refit(on, n, m.df, m.wide); fitted != nil {
		return fitted
	}
	return m
}

// Rough is m with a normal base that is found without chains (density.Rough). It depends on m alone.
// The second result is the number of points that were looked at.
func (m *Model) FitByImportance() (models.Model, int) {
	r := m.rough.Get(m.findBase)
	return r.Model, r.Looks
}

func (m *Model) findBase() density.Roughed {
	on, looks := m.prior.FitByImportance(m.estimator(pickFirst))
	if on == nil {
		return density.Roughed{Model: m, Looks: looks}
	}
	return density.Roughed{Model: m.Refit(on, 1), Looks: looks}
}

// Truth is the log evidence where it is known.
func (m *Model) Truth() *models.Truth { return m.truth }

// Refine is m for another tau; without it the number of draws is that for tau = 1, which is importance sampling.
func (m *Model) ChooseDraws(tau float64) models.Model {
	if m.given > 0 || tau == m.tau {
		return m
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refined[tau] == nil {
		c := &Model{family: m.family, tau: tau}
		if c.space(m.Info(), m.Kernel().Moves) != nil {
			return m
		}
		if m.refined == nil {
			m.refined = map[float64]*Model{}
		}
		m.refined[tau] = c
	}
	return m.refined[tau]
}

// Given reports whether the number of draws is given, not picked.
func (m *Model) Given() bool { return m.given > 0 }

// Draws is the number of draws behind an estimate.
func (m *Model) Draws() int { return m.n.Get(m.pick) }

// MaxNoise is the largest variance of log estimates that is aimed at. [AISEL] Theorem 1 assumes perfect moves; real
// moves are accepted less often where estimates are noisy, and particle MCMC is at its best between 1 and 3
// ([Pitt2012]).
const MaxNoise = 1.5

// BestNoise is the variance s of log estimates at which annealing with tau has its result in the least time: it
// minimises e^(tau s) (a/s + base), where an estimate with n draws takes base + n one, a = n s one, and e^(tau s) is
// the number of chains that make up for the noise ([AISEL] section 3.4). The root of tau base s^2 + tau a s - a = 0.
func BestNoise(tau, a, base float64) float64 {
	b := num.Mul(tau, a)
	return 2 * a / (b + math.Sqrt(num.Mul(b, b)+num.Mul(4*b, base)))
}

// Suggest is the number of draws for log estimates with the best variance, up to MaxNoise, where it is spread over the
// number of draws.
func (m *Model) Suggest(tau, spread float64) int {
	a := max(num.Mul(spread, m.one), 1e-9)
	want := math.Ceil(a / m.one / min(MaxNoise, BestNoise(tau, a, m.base)))
	return int(min(max(want, minInner), maxInner))
}

// Price is the time of an estimate, in the units of Cost, and what each draw behind it adds.
func (m *Model) Price() (base, one float64) { return m.base, m.one }

// Estimates makes log estimates from n draws at the middle of the posterior, one after the other. They have a key of
// their own.
func (m *Model) Estimates(n int) func() float64 {
	at, estimate, i := m.middle.Get(m.find).mean, m.estimator(n), uint32(0)
	key := rng.NewKey(0, "trials", n) // an old name of noise tests, which the digits keep
	return func() float64 {
		s := key.Stream(0, 0, i)
		i++
		return estimate(&s, at)
	}
}

// The search that picks the number of draws.
const (
	pickPoints, pickRounds, pickESS = 60, 8, 8
	pickPairs                       = 50
	pickFirst, pickMost             = 20, 100 // draws of the first measurement, and at most of the second
)

// normal is a distribution with independent coordinates.
type normal struct{ mean, sd []float64 }

// pickKey is that of the search, so what it finds depends on the model and tau alone.
func (m *Model) pickKey() rng.Key { return rng.NewKey(0, "draws", m.prior.Dim) }

// find is about where the posterior is: the normal distribution that importance sampling fits to it, round by round.
func (m *Model) find() normal {
	dim, key := m.prior.Dim, m.pickKey()
	fit := normal{make([]float64, dim), make([]float64, dim)}
	mean, sd := fit.mean, fit.sd
	guess, draw, log := m.estimator(pickFirst), m.prior.DrawBase, m.prior.LogBase
	points, score, w := make([]float64, pickPoints*dim), make([]float64, pickPoints), make([]float64, pickPoints)
	for round := range uint32(pickRounds) {
		for i := range score {
			x, s := points[i*dim:(i+1)*dim], key.Stream(0, uint32(i), round)
			draw(&s, x)
			s = key.Stream(1, 0, 0) // the same noise for all
			score[i] = max(m.prior.LogBase(x)+guess(&s, x)-log(x), density.Unlikely)
		}
		density.WeightAtMost(score, pickESS, w)
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
		draw, log = normalPrior(mean, sd).DrawBase, func(x []float64) float64 { return normalPrior(mean, sd).LogBase(x) }
	}
	return fit
}

// pick measures the variance of log estimates about where the posterior is.
func (m *Model) pick() int {
	if m.given > 0 {
		return m.given
	}
	fit, key, x := m.middle.Get(m.find), m.pickKey(), make([]float64, m.prior.Dim)
	draw := normalPrior(fit.mean, fit.sd).DrawBase
	n := pickFirst
	for round := range uint32(2) {
		tries := min(n, pickMost)
		sum, estimate := 0., m.estimator(tries)
		for i := range uint32(pickPairs) {
			s := key.Stream(2+round, i, 0)
			draw(&s, x)
			if d := estimate(&s, x) - estimate(&s, x); num.Finite(d) {
				sum += num.Mul(d, d) / (2 * pickPairs)
			}
		}
		n = m.Suggest(m.tau, num.Mul(float64(tries), sum))
	}
	return n
}

// Cost is mostly that of estimates.
func (m *Model) Cost() models.Cost {
	estimate := m.base + num.Mul(m.one, float64(m.Draws()))
	c := models.PointsCost(m.prior.Dim, m.Kernel().Moves, estimate)
	c.Overhead += float64(32 * m.Draws())
	c.Encoded += 8
	return c
}

// normalPrior is N(mean, diag sd^2) as the base of a density.
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

// pulse lets others run after an estimate that takes long.
func pulse(estimate models.Estimator, time float64) models.Estimator {
	return func(s *rng.Stream, x []float64) float64 {
		meter.Pulse(time)
		return estimate(s, x)
	}
}
