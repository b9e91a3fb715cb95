package density

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/models"
)

// A fitted base has integral 1, twice the covariance of the samples and the tails that were asked for: in one dimension
// by a sum over a grid, with x = sinh u, so that tails are in it; in two by draws. Planted and caught: the scale of the
// t density in place of its covariance; df + 1 for df + dim in the exponent.
func TestFittedBase(t *testing.T) {
	samples := []float64{-1, 0, 2, 2.5, 3}
	mean, v := stats.MeanVar(samples)
	v *= float64(len(samples)-1) / float64(len(samples))
	for _, df := range []int{0, 3, 5, 30} {
		d, _, ok := wideToNarrow(1).Refit(Moments(samples, nil, 1), len(samples), 1, df, Wide)
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
			t.Errorf("df = %d: the tail falls by %v, not %v", df, far, want)
		}
	}

	// Draws: of x'x, and of the ratio of a narrow normal density, whose mean is 1.
	on := []float64{0, 0, 40, 12, 10} // of twenty samples with variances 2 and .5 and the covariance .6
	narrow := wideToNarrow(2)
	for _, df := range []int{0, 5} {
		d, _, _ := narrow.Refit(on, 20, 1, df, Wide)
		x, ratio, cross := make([]float64, 2), stats.Welford{}, stats.Welford{}
		for r := range 40000 {
			s := rng.NewKey(1, "fitted base", df).Stream(0, uint32(r), 0)
			d.DrawBase(&s, x)
			ratio.Add(math.Exp(-((x[0]-1)*(x[0]-1)+x[1]*x[1])/.2-math.Log(.2*math.Pi)) / math.Exp(d.LogBase(x)))
			cross.Add(x[0] * x[1])
		}
		for what, w := range map[string]stats.Welford{"ratio": ratio, "covariance": cross} {
			want, se := map[string]float64{"ratio": 1, "covariance": 1.2}[what], math.Sqrt(w.Var()/40000)
			if math.Abs(w.Mean-want) > 4*se || se > .05 {
				t.Errorf("df = %d: %s %v +- %v, want %v", df, what, w.Mean, se, want)
			}
		}
	}
}

// An estimate follows the base: with the fitted one it is that of log f_1 less log of the fitted base. So it is where
// the base is found by Rough, and points with prior density 0 stay impossible.
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
			return models.Can(m.StudentT(5)).Base.Refit(Moments([]float64{1, 2, 3, 1, 0, 4}, nil, 2), 3)
		}} {
		fitted, ok := refit().(*Space)
		if !ok || fitted == m || !fitted.fitted {
			t.Fatal("no base is fitted")
		}
		f := fitted.Density()
		x := []float64{.7, 1.2}
		if l := f.LogBase(x) + f.Estimate()(nil, x); math.Abs(l-exact(x)) > 1e-9 || f.LogBase(x) == prior(x) {
			t.Errorf("log f_1 is %v, not %v", l, exact(x))
		}
		x[0] = -.1
		if l := f.Estimate()(nil, x); num.Finite(l) {
			t.Errorf("a point without prior density has the log likelihood %v", l)
		}
	}
	if same := models.Can(m.StudentT(5)).Base.Refit(Moments([]float64{1, 2, 1, 2}, nil, 2), 2); models.Can(same).Base.Refit == nil {
		t.Error("a base was fitted to one point")
	}
}

// In thirty dimensions, all thirty times as narrow as the base, the search gets to the target: its base lies around the
// mean and is wider than the target, but less than four times. A base twice as wide as its points in each round grows
// without end there: its variance passed 1e7.
func TestRoughManyAxes(t *testing.T) {
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
		t.Errorf("points of the last round are %g from the mean, where the target's are .1", sd)
	}
}
