package temper

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/wire"
	"logzlab/internal/answers"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
)

// 1e-9 detects c_k in place of c_k/r_k, the base's step not subtracted, and the two stages of the gain joined at t0 in
// place of t0^b. r of the golden file is moved into the shares: the step depends on c_k/(K r_k) alone.
func TestSAMSGolden(t *testing.T) {
	var g struct {
		C, Logr  []float64
		LogZ     []float64 `json:"logZ_in"`
		LogZNext []float64 `json:"logZ_out"`
		Gamma    float64
		Gain     struct {
			Most  float64 `json:"pmin"`
			Beta  float64
			T0    int
			T     []int
			Gamma []float64
		}
	}
	answers.Golden(t, "sams", &g)
	k := float64(len(g.C))
	l := newAdaptedWeights(len(g.C))
	copy(l.zhat, g.LogZ)
	l.gain = k * g.Gamma
	c := make([]float64, len(g.C))
	for i := range c {
		c[i] = g.C[i] / (k * math.Exp(g.Logr[i]))
	}
	l.update(c, selfAdjusted(len(c), 0), 1)
	methodtest.NearAll(t, "log Z after a sweep", l.zhat, g.LogZNext, 1e-9)
	for i, at := range g.Gain.T {
		methodtest.Near(t, "gain", twoStage(at, g.Gain.T0, g.Gain.Most, g.Gain.Beta), g.Gain.Gamma[i], 1e-9)
	}
}

// tableau is a toy model: f_k(x) of a few states at a few rungs, with exact draws from q(x, k).
type tableau struct{ logf [][]float64 } // by state, rung

func (f tableau) logZ() (z []float64) {
	for k := range f.logf[0] {
		var col []float64
		for x := range f.logf {
			col = append(col, f.logf[x][k])
		}
		z = append(z, num.LogSumExp(col)-num.LogSumExp([]float64{f.logf[0][0], f.logf[1][0], f.logf[2][0]}))
	}
	return z
}

// conditionals returns q(k|x) of every state.
func (f tableau) conditionals(zhat []float64) (q [][]float64) {
	for _, row := range f.logf {
		c := begun(len(zhat))
		conditional(append([]float64(nil), row...), zhat, c, .5)
		q = append(q, c.x)
	}
	return q
}

// shares returns the means of q(k|x) over q(x), the density of states under log Zhat.
func (f tableau) shares(zhat []float64) []float64 {
	c := make([]float64, len(zhat))
	total := 0.0
	for x, q := range f.conditionals(zhat) {
		weight := 0.0
		for k := range zhat {
			weight += math.Exp(f.logf[x][k] - zhat[k])
		}
		total += weight
		for k := range c {
			c[k] += weight * q[k]
		}
	}
	for k := range c {
		c[k] /= total
	}
	return c
}

var toy = tableau{[][]float64{{0, -1, -3, -2}, {-1, 1, 2, 4}, {-.5, 0, 3, 7}}}

// For both methods: at the exact log Zhat the expected change by a sweep is 0; each sweep adds the gain in total,
// before the base is subtracted; the gain never rises once the ladder is filled; and log Zhat converges to the exact
// values.
func TestAdaptersConverge(t *testing.T) {
	rungs := len(toy.logf[0])
	for name, rule := range map[string]gainRule{"wl": wangLandau(4, 2)(rungs, 1e6), "sams": selfAdjusted(rungs, 1e6)} {
		exact := toy.logZ()
		l := newAdaptedWeights(rungs)
		copy(l.zhat, exact)
		l.period, l.gain = searching, .5
		l.update(toy.shares(exact), rule, 10)
		methodtest.NearAll(t, name+" at the exact values", l.zhat, exact, 1e-12)

		l = newAdaptedWeights(rungs)
		for l.sweeps < 20000 {
			before, gain, period := append([]float64(nil), l.zhat...), l.gain, l.period
			c := toy.shares(l.zhat)
			l.update(c, rule, 10)
			moved := 0.0
			for k := range before {
				moved += l.zhat[k] - before[k]
			}
			moved += float64(rungs) * gain * c[0] // the base's step was taken off every rung
			methodtest.Near(t, name+" sum of steps", moved, gain, 1e-9)
			if l.zhat[0] != 0 {
				t.Fatalf("%s: log Zhat of the base is %v", name, l.zhat[0])
			}
			if period >= searching && l.gain > gain {
				t.Fatalf("%s: the gain rises from %v to %v after %d sweeps", name, gain, l.gain, l.sweeps)
			}
		}
		methodtest.NearAll(t, name+" in the end", l.zhat, exact, 1e-3)
		rate := map[string]float64{"wl": 2, "sams": 1}[name]
		if k := float64(rungs); l.period != falling || !(math.Abs(l.gain*20000/k-rate) < .1*rate) {
			t.Errorf("%s: period %d, gain %v after 20,000 sweeps, want about %v K/20,000", name, l.period, l.gain, rate)
		}
	}
}

// Wang-Landau's gain is log(1 + g) with g = 1, 1/2, 1/4 and so on, and stays until every rung has its visits.
func TestWangLandauHalves(t *testing.T) {
	rule, even := wangLandau(0, 1)(4, 1e6), []float64{.25, .25, .25, .25}
	l := newAdaptedWeights(4)
	l.period, l.gain = searching, rule.first
	for g := 1.0; l.period == searching; g /= 2 {
		methodtest.Near(t, "gain", l.gain, math.Log(1+g), 1e-12)
		for i := range 8 { // 10 chains, 20 visits of 4 rungs on average
			if i > 0 && l.gain != math.Log(1+g) && math.Abs(l.gain-math.Log(1+g)) > 1e-12 {
				t.Fatalf("g = %v was left after %d sweeps", g, i)
			}
			l.update(even, rule, 10)
		}
	}
	if l.sweeps < 3*8 || l.t0 < 30 || l.t0 > 2000 {
		t.Errorf("the gain falls from sweep %d on, with t0 = %v", l.sweeps, l.t0)
	}
	// If visits are never even it falls from half of the sweeps on.
	rule, l = wangLandau(0, 1)(4, 100), newAdaptedWeights(4)
	for l.period, l.gain = searching, rule.first; l.sweeps < 100; {
		l.update([]float64{.7, .1, .1, .1}, rule, 10)
	}
	if methodtest.Near(t, "t0", l.t0, 4, 1e-9); l.fallsFrom != 50 {
		t.Errorf("the gain falls from sweep %d of 100 on", l.fallsFrom)
	}
}

// If chains mix at once, the error from filling falls as left_over says: to less than a thousandth of a rise of 1 nat
// in 1,500 sweeps of wl. Fails if the gain is halved as soon as visits are even (0.0024), or falls as K/sweeps (0.0012;
// 0.0049 with both).
func TestErrorFromStart(t *testing.T) {
	const rungs = 30
	rule, l := wangLandau(4, 2)(rungs, 1500), newAdaptedWeights(rungs)
	exact, c := make([]float64, rungs), make([]float64, rungs)
	for k := range exact {
		exact[k] = float64(k) / (rungs - 1)
	}
	for range 1500 {
		sum := 0.0
		for k := range c {
			c[k] = math.Exp(exact[k] - l.zhat[k])
			sum += c[k]
		}
		for k := range c {
			c[k] /= sum
		}
		l.update(c, rule, 10)
	}
	off, left := 1-l.zhat[rungs-1], math.Exp(-l.relaxed)
	if !(math.Abs(off) < .001) || !(left < .002 && left > off/2) {
		t.Errorf("%v nats are left, told %v", off, left)
	}
}

// The state of an island is loaded completely.
func TestAdaptedState(t *testing.T) {
	l := newAdaptedWeights(3)
	for range 50 {
		l.update([]float64{.2, .3, .5}, wangLandau(4, 2)(3, 60), 2)
	}
	l.guesses, l.half = append(l.guesses, l.zhat...), 1.5
	var w, again wire.Writer
	l.Append(&w)
	readAdaptedWeights(&wire.Reader{B: w.B}).Append(&again)
	if string(w.B) != string(again.B) {
		t.Error("what is adapted is not what was saved")
	}
}

// Chains of an island that add their conditionals to one sum give their mean, on every platform.
func TestSharesOfAnIsland(t *testing.T) {
	const rows, rungs = 5, 7
	between := kernel.NewTempering(make([]float64, rows*rungs), make([]float64, rungs))
	sum, want := make([]float64, rungs), make([]float64, rungs)
	for r := range rows {
		between.C = append(between.C, sum)
		between.U[r] = .5
	}
	for i := range between.X {
		between.X[i] = math.Sin(float64(i))
	}
	between.Step()
	for r := range rows {
		for k := range want {
			want[k] += num.Mul(between.Q[r*rungs+k], 1/between.Sum[r])
		}
	}
	for k := range want {
		if sum[k] != want[k] {
			t.Fatalf("rung %d: %v, want %v", k, sum[k], want[k])
		}
	}
}

// With visits Wang-Landau also finds log Z, up to a bias of about the variance of an island; islands spread more.
// Detects shares of visits that do not sum to 1, and an ignored parameter.
func TestWangLandauByVisits(t *testing.T) {
	m := methodtest.RBM(t, 8, 5, .8, false)
	want := methodtest.ExactLogZ(t, m)
	const islands = 10
	squares := map[string]float64{}
	for _, increments := range []string{"conditional", "visits"} {
		var z []float64
		runs := tier.Size(8, 16, 60)
		for seed := range runs {
			cfg := methodtest.Config(t, WL, m, 1+seed, "chains=5", "islands=10", "temperatures=12", "sweeps=400",
				"increments="+increments)
			_, res := methodtest.Drive(t, WL, cfg)
			z = append(z, res.LogZ)
			squares[increments] += res.SE * res.SE
		}
		_, mean, se := methodtest.ZScore(z, want)
		bias := islands * squares[increments] / float64(runs)
		t.Logf("%s: %.4f +- %.4f, exact %.4f; variance of an island %.4f", increments, mean, se, want, bias)
		if !(math.Abs(mean-want) < 4*se+bias) {
			t.Errorf("%s: %g +- %g, exact %g", increments, mean, se, want)
		}
	}
	if ratio := squares["visits"] / squares["conditional"]; !(ratio > 1.3) {
		t.Errorf("the variance by visits is %g times the other", ratio)
	} else {
		t.Logf("the variance by visits is %.2f times the other", ratio)
	}
}
