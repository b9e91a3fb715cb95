package density

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// The search of Rough: points of a round for each dimension, and at least; the share of them that is to be effective;
// rounds at most.
const (
	roughPoints, roughLeast = 20, 100
	roughShare              = .2
	roughRounds             = 60
)

// Rough are the Moments, of weight 1 in all, for a first normal base, found without chains, whatever the units of the
// coordinates; nil where none is found. In each round points are drawn from the base and weighted by the target.
// Weights are evened out until a fifth of the points is effective, and the next base is fitted to the points. The
// search ends when weights needed no evening out in two rounds. gain is log f_1 - log f_0, or an estimate of it. The
// result depends on d and gain alone. Rough finds one mode. looks is the number of points.
func (d Density) FitByImportance(gain models.Estimator) (on []float64, looks int) {
	on, looks, found := d.search(gain, Wide, roughRounds, roughRounds)
	if !found && on != nil && d.Dim > fewAxes {
		again, more, _ := d.search(gain, 1+math.Sqrt(narrower/float64(d.Dim)), slowRounds, patience)
		on, looks = again, looks+more
	}
	return on, looks
}

// A fifth of the points is effective where weights make the variance 1 + sqrt(3.2/dim) times smaller along each axis
// ((1+2a)/(1+a)^2)^(dim/2) = 1/5, to first order. A base that is Wide times as wide would grow without end in more
// dimensions than fewAxes; one that is wider by half of that gets to the target slowly.
const (
	fewAxes    = 10
	narrower   = .8
	slowRounds = 250
	patience   = 12 // rounds in which weights are as uneven as ever
)

// search is Rough with bases that are wide times as wide as the points, for so many rounds, or until weights have not
// got more even for some.
func (d Density) search(gain models.Estimator, wide float64, rounds, patience uint32) (on []float64, looks int,
	found bool) {
	key, base := rng.NewKey(0, "base", d.Dim), d
	n := max(roughLeast, roughPoints*d.Dim)
	points, score, w := make([]float64, n*d.Dim), make([]float64, n), make([]float64, n)

	// Rounds go on while the weights get more even.
	whole, best, at := 0, 0., uint32(0)
	for round := uint32(0); round < min(rounds, at+patience) && whole < 2; round++ {
		for i := range score {
			x, s := points[i*d.Dim:(i+1)*d.Dim], key.Stream(0, uint32(i), round)
			base.DrawBase(&s, x)
			if score[i] = d.LogBase(x) - base.LogBase(x); score[i] > Unlikely {
				score[i] += gain(&s, x)
			}
			if !(score[i] > Unlikely && score[i] < math.Inf(1)) {
				score[i] = Unlikely
			}
		}

		// The weights, flattened until enough points count.
		c := WeightAtMost(score, num.Mul(roughShare, float64(n)), w)
		if c == 1 {
			whole++
		}
		if c > best {
			best, at = c, round
		}
		looks += n

		// The next base is fitted to the weighted points.
		moments := Moments(points, w, d.Dim)
		fitted, _, ok := d.Refit(moments, 1, 1, 0, wide)
		if !ok {
			break
		}
		base, on = fitted, moments
	}
	return on, looks, whole == 2
}

// WeightAtMost sets w to weights, in sum 1, in proportion to e^(c score), with the largest c up to 1 at which at least
// so many of them are effective, and returns c.
func WeightAtMost(score []float64, least float64, w []float64) (c float64) {
	top := slices.Max(score)
	for c = 1; ; c *= .7 {
		sum, squares := 0., 0.
		for i, s := range score {
			w[i] = num.Exp(num.Mul(c, s-top))
			sum += w[i]
			squares += num.Mul(w[i], w[i])
		}
		for i := range w {
			w[i] /= sum
		}
		if num.Mul(sum, sum) >= num.Mul(least, squares) || c < 1e-9 {
			return c
		}
	}
}

// Capabilities returns the choices of a base. Refit is for targets with one mode, and only once.
func (m *Space) Capabilities() models.Capabilities {
	c := models.Capabilities{Cost: m.Cost}
	c.Base = models.Base{StudentT: m.StudentT, Normal: m.Normal, FitByImportance: m.FitByImportance}
	if m.d.Unimodal && !m.fitted && m.d.Estimate == nil {
		c.Base.Refit = m.Refit
	}
	return c
}

// Refit is m with the normal base of Density.Refit, or m itself where the samples have no covariance.
func (m *Space) Refit(on []float64, n int) models.Model {
	if fitted := m.refit(on, n, 0, Wide); fitted != nil {
		return fitted
	}
	return m
}

// refit is m with the base of Density.Refit, nil where the samples have no covariance.
func (m *Space) refit(on []float64, n, df int, wide float64) *Space {
	d, k, ok := m.d.Refit(on, n, m.k.Moves, df, wide)
	if !ok {
		return nil
	}
	if d.Slope != nil && wide == 1 { // the target is near a round normal one, for which step and leaps are chosen
		step := 1 / math.Sqrt(math.Sqrt(float64(d.Dim)))
		k.Name, k.Leaps = "hmc", int(math.Ceil(1.5/step))
		k.Step = func(float64) float64 { return step }
	}
	fitted, err := New(m.info, d, k)
	if err != nil {
		return nil
	}
	fitted.fitted = true
	return fitted
}

// tailed is a model whose base may be fitted, with the tails of a t distribution.
type tailed struct {
	*Space
	df   int
	wide float64
}

// Tailed is m for a t base of df degrees of freedom, or a normal one for df = 0.
func (m *Space) StudentT(df int) models.Model { return tailed{m, df, Wide} }

// Normal is m for a normal base with the mean and the covariance of samples, and where there are gradients for
// Hamiltonian Monte Carlo that takes these for its masses.
func (m *Space) Normal() models.Model { return tailed{m, 0, 1} }

// Capabilities returns those of the density, with a Refit for any number of modes.
func (m tailed) Capabilities() models.Capabilities {
	c := m.Space.Capabilities()
	c.Base.Refit = m.Refit
	return c
}

// Refit is the model with the base of Density.Refit, or m itself where the samples have no covariance.
func (m tailed) Refit(on []float64, n int) models.Model {
	if fitted := m.refit(on, n, m.df, m.wide); fitted != nil {
		return fitted
	}
	return m
}

// Rough is m with the normal base of Density.Rough, and the number of its points.
func (m *Space) FitByImportance() (models.Model, int) {
	r := m.rough.Get(func() Roughed {
		gain := func(_ *rng.Stream, x []float64) float64 { return m.d.LogF(x) - m.d.LogBase(x) }
		if m.d.Estimate != nil {
			gain = m.d.Estimate()
		}
		on, looks := m.d.FitByImportance(gain)
		if on == nil {
			return Roughed{m, looks}
		}
		return Roughed{m.Refit(on, 1), looks}
	})
	return r.Model, r.Looks
}

// Roughed is a model with the base of Rough, and the points of Rough.
type Roughed struct {
	Model models.Model
	Looks int
}
