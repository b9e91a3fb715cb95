package density

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/models"
)

// A fitted base has integral 1, twice the covariance of the samples and the requested tails: in one dimension by a sum
// over a grid of x = sinh u, which includes the tails; in two dimensions by draws. The test fails with the scale matrix
// of the t density in place of its covariance, and with df + 1 in place of df + dim in the exponent.
func TestFittedBase(t *testing.T) {
	samples := []float64{-1, 0, 2, 2.5, 3}
	mean, v := stats.MeanVar(samples)
	v *= float64(len(samples)-1) / float64(len(samples))
	for _, df := range []int{0, 3, 5, 30} {
		d, _, ok := wideToNarrow(1).Refit(Moments(samples, nil, 1), len(samples), 1, df, BaseInflation)
		if !ok {
			t.Fatal("no base is fitted")
		}
		const h = .001
		whole, first, second := 0., 0., 0.
		for u := -25.; u <= 25; u += h {
			x := math.Sinh(u)
			p := math.Exp(d.LogBase([]float64{x})) * math.Cosh(u) * h
			whole, first, second = whole+p, first+p*x, second+p*(x-mean)*(x-mean)
		}
		if math.Abs(whole-1) > 1e-6 || math.Abs(first-mean) > 1e-6 || math.Abs(second/v-2) > 1e-3 {
			t.Errorf("df = %d: integral %v, mean %v, variance %v", df, whole, first-mean, second/v)
		}
		far := d.LogBase([]float64{1e8}) - d.LogBase([]float64{1e6})
		if want := -float64(df+1) * math.Log(100); df > 0 && math.Abs(far-want) > 1e-3 {
			t.Errorf("df = %d: log density falls by %v in the tail, want %v", df, far, want)
		}
	}

	// Draws: means of x_0 x_1, and of the ratio of a narrow normal density to the base, which is 1.
	on := []float64{0, 0, 40, 12, 10} // twenty samples with variances 2 and .5 and covariance .6
	narrow := wideToNarrow(2)
	for _, df := range []int{0, 5} {
		d, _, _ := narrow.Refit(on, 20, 1, df, BaseInflation)
		x, ratio, cross := make([]float64, 2), stats.Welford{}, stats.Welford{}
		for r := range 40000 {
			s := rng.NewKey(1, "fitted base", df).Stream(0, uint32(r), 0)
			d.DrawBase(&s, x)
			ratio.Add(math.Exp(-((x[0]-1)*(x[0]-1)+x[1]*x[1])/.2-math.Log(.2*math.Pi)) / math.Exp(d.LogBase(x)))
			cross.Add(x[0] * x[1])
		}
		for quantity, w := range map[string]stats.Welford{"ratio": ratio, "covariance": cross} {
			want, se := map[string]float64{"ratio": 1, "covariance": 1.2}[quantity], math.Sqrt(w.Var()/40000)
			if math.Abs(w.Mean-want) > 4*se || se > .05 {
				t.Errorf("df = %d: %s %v +- %v, want %v", df, quantity, w.Mean, se, want)
			}
		}
	}
}

// With a fitted base the estimator returns log f_1 minus the log of that base, also for a base of FitByImportance, and
// points with prior density 0 stay impossible.
func TestFittedEstimate(t *testing.T) {
	d := wideToNarrow(2)
	exact, prior := d.LogF, d.LogBase
	d.LogF, d.LogBase = nil, func(x []float64) float64 {
		if x[0] < 0 {
			return math.Inf(-1)
		}
		return prior(x)
	}
	d.Estimate = func() models.Estimator {
		return func(s *rng.Stream, x []float64) float64 { return exact(x) - prior(x) }
	}
	m, err := New(models.Info{}, d, Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	for _, refit := range []func() models.Model{
		func() models.Model { m, _ := m.FitByImportance(); return m },
		func() models.Model {
			return models.CapabilitiesOf(m.StudentT(5)).Base.Refit(Moments([]float64{1, 2, 3, 1, 0, 4}, nil, 2), 3)
		}} {
		fitted, ok := refit().(*Space)
		if !ok || fitted == m || !fitted.hasFittedBase {
			t.Fatal("no base is fitted")
		}
		f := fitted.Density()
		x := []float64{.7, 1.2}
		if l := f.LogBase(x) + f.Estimate()(nil, x); math.Abs(l-exact(x)) > 1e-9 || f.LogBase(x) == prior(x) {
			t.Errorf("log f_1 = %v, want %v", l, exact(x))
		}
		x[0] = -.1
		if l := f.Estimate()(nil, x); num.Finite(l) {
			t.Errorf("log likelihood %v at a point with prior density 0", l)
		}
	}
	same := models.CapabilitiesOf(m.StudentT(5)).Base.Refit(Moments([]float64{1, 2, 1, 2}, nil, 2), 2)
	if models.CapabilitiesOf(same).Base.Refit == nil {
		t.Error("a base was fitted to one point")
	}
}

// In thirty dimensions, in all of which the target is thirty times narrower than the base, the fit reaches the target:
// the points of its last round are around the mean, with a standard deviation below four times that of the target. With
// BaseInflation in each round the variance grew beyond 1e7.
func TestFitByImportanceManyDims(t *testing.T) {
	const dim = 30
	d := wideToNarrow(dim)
	on, _ := d.FitByImportance(func(_ *rng.Stream, x []float64) float64 { return d.LogF(x) - d.LogBase(x) })
	if on == nil {
		t.Fatal("no base is found")
	}
	square := 0.
	products := on[dim:]
	for i := range dim {
		square += products[i] - 2*on[i] + 1 // of x - 1
		products = products[i+1:]
	}
	if sd := math.Sqrt(square / dim); !(sd > .07 && sd < .4) {
		t.Errorf("root mean square distance %g from the mean, want about .1", sd)
	}
}
