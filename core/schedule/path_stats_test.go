package schedule

import (
	"math"
	"math/rand"
	"slices"
	"testing"
)

func TestLongestStepGolden(t *testing.T) {
	t.Parallel()
	var g struct {
		Adaptive struct {
			W, L  []float64
			Delta float64
		} `json:"adaptive_temp"`
	}
	truth(t, "public_golden.json", &g)
	w := make([]float64, len(g.Adaptive.W))
	for i, v := range g.Adaptive.W {
		w[i] = math.Log(v)
	}
	near(t, "step", []float64{longestStep(w, g.Adaptive.L, .9)}, []float64{g.Adaptive.Delta}, 1e-8)
}

// TestLearn anneals from N(0, 1/p) to N(0, 1/q) with exact moves: d log f/d beta is (p - q) x^2/2, with variance
// ((p-q)/(p + beta (q-p)))^2/2.
func TestLearn(t *testing.T) {
	t.Parallel()
	const p, q, rungs, chains = 1, 40, 201, 2000
	ladder, _ := Make("linear", rungs, nil)
	random := rand.New(rand.NewSource(1))
	logw := make([][]float64, chains)
	for c := range logw {
		logw[c] = make([]float64, rungs)
		for k := 1; k < rungs; k++ {
			at := p + ladder[k-1]*(q-p)
			x := random.NormFloat64() / math.Sqrt(at)
			logw[c][k] = logw[c][k-1] + (ladder[k]-ladder[k-1])*(p-q)*x*x/2
		}
	}
	got := Learn(ladder, logw, .9, false)
	for k := 8; k < rungs; k += 16 {
		slope := (p - q) / (p + ladder[k]*(q-p))
		if r := got.Var[k] / (slope * slope / 2); r < .6 || r > 1.5 {
			t.Errorf("beta = %.2f: variance / exact = %.2f", ladder[k], r)
		}
		if d := got.Mean[k] - slope/2; math.Abs(d) > 5*math.Abs(slope)/math.Sqrt(2*chains) {
			t.Errorf("beta = %.2f: error of the mean = %g", ladder[k], d)
		}
		// A step of 2a/slope keeps sqrt(1+4a)/(1+2a) of the conditional effective sample size: 0.9 for a = 0.3864.
		if r := got.Steps[k] * math.Abs(slope) / (2 * .3864); r < .8 || r > 1.25 {
			t.Errorf("beta = %.2f: step / exact = %.2f", ladder[k], r)
		}
	}
	varopt, err := Make("varopt", 101, got)
	if err != nil {
		t.Fatal(err)
	}
	exact := make([]float64, rungs)
	for k, b := range ladder {
		slope := (p - q) / (p + b*(q-p))
		exact[k] = slope * slope / 2
	}
	_, opt := Functionals(ladder, exact)
	if v := PredictedVariance(ladder, exact, varopt) * 100; v > 1.3*opt {
		t.Errorf("F of the learned schedule = %g, optimum %g", v, opt)
	}
	fast, err := Make("varopt:3", 101, got)
	if err != nil {
		t.Fatal(err)
	}
	for k := range fast[1:] {
		if d := fast[k+1] - fast[k]; d > .03+1e-12 {
			t.Errorf("step %d = %g, want at most 0.03", k, d)
		}
	}
}

// TestPilotExtends checks means at knots with few chains: if hidden units are summed out, the mean of d log f/d beta
// increases faster than the integral of its variance, here by 4 instead of 1, and the increase continues at this ratio;
// on a path linear in beta it is the integral of the variance.
func TestPilotExtends(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ growth, bad int }{{4, 6}, {1, 6}, {1, 0}} {
		p := &PathStats{}
		var want []float64
		for k := range 11 {
			b := float64(k) / 10
			p.Betas, p.Var, want = append(p.Betas, b), append(p.Var, 1), append(want, float64(c.growth)*b)
			p.Mean = append(p.Mean, want[k])
		}
		for k := 11 - max(c.bad, 1); k < 11; k++ {
			p.Mean[k] = -99
		}
		p.extendMeans(func(k int) bool { return k >= 11-c.bad })
		near(t, "means", p.Mean, want, 1e-9)
	}
}

// TestLearnNothing checks that knots without weight are interpolated, and that a pilot without any weight gives the
// linear schedule.
func TestLearnNothing(t *testing.T) {
	t.Parallel()
	ladder, _ := Make("linear", 11, nil)
	inf := math.Inf(-1)
	for name, row := range map[string][]float64{
		"dead": {0, inf, inf, inf, inf, inf, inf, inf, inf, inf, inf}, "flat": make([]float64, 11)} {
		rows := make([][]float64, 20)
		for i := range rows {
			rows[i] = row
		}
		p := Learn(ladder, rows, .9, false)
		for _, text := range []string{"varopt", "varopt:2", "gms13", "adaptive"} {
			got, err := Make(text, 19, p)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, text, err)
			}
			want, _ := Make("linear", 19, nil)
			near(t, name+", "+text, got, want, 1e-9)
		}
	}
}

// TestAutocorrelationTimes checks that slopes of an AR(1) process with correlation r have the autocorrelation time
// (1+r)/(1-r), and that a path with slow mixing in one half gets more rungs there: the density is proportional to the
// root of the time.
func TestAutocorrelationTimes(t *testing.T) {
	t.Parallel()
	const rungs, chains, r = 301, 400, .8
	ladder, _ := Make("linear", rungs, nil)
	random := rand.New(rand.NewSource(1))
	logw := make([][]float64, chains)
	for c := range logw {
		logw[c] = make([]float64, rungs)
		x := random.NormFloat64()
		for k := 1; k < rungs; k++ {
			if ladder[k] <= .5 {
				x = random.NormFloat64()
			} else {
				x = r*x + math.Sqrt(1-r*r)*random.NormFloat64()
			}
			logw[c][k] = logw[c][k-1] + 2*x*(ladder[k]-ladder[k-1])
		}
	}
	lag := AutocorrelationTimes(ladder, logw)
	for k := 20; k < rungs; k += 40 {
		want := 1.0
		if ladder[k] > .5 {
			want = (1 + r) / (1 - r)
		}
		if math.Abs(ladder[k]-.5) > .15 && (lag[k] < .75*want || lag[k] > 1.35*want) {
			t.Errorf("beta = %.2f: autocorrelation time = %.2f, want %.2f", ladder[k], lag[k], want)
		}
	}
	p := Learn(ladder, logw, 0, false)
	p.AutocorrTimes = lag
	got, err := Make("friction", 401, p)
	if err != nil {
		t.Fatal(err)
	}
	if s := got[100]; s < .4 || s > .6 { // 1/(1+3) of the rungs for the first half
		t.Errorf("rung 100 = %.2f, want 0.4 to 0.6", s)
	}
	for c := range logw { // all weights are 0
		for k := range logw[c] {
			logw[c][k] = math.Inf(-1)
		}
	}
	for k, x := range AutocorrelationTimes(ladder, logw) {
		if x != 1 {
			t.Fatalf("rung %d: autocorrelation time = %g without weights, want 1", k, x)
		}
	}
}

// TestLearnFlattens checks the first steps from a wide base, where one chain has all the weight: with flattened weights
// the pilot measures the slope there; without, it uses the values of later rungs.
func TestLearnFlattens(t *testing.T) {
	t.Parallel()
	ladder, _ := Make("power:4", 101, nil)
	random := rand.New(rand.NewSource(2))
	logw := make([][]float64, 100)
	for c := range logw {
		logw[c] = make([]float64, len(ladder))
		for k := 1; k < len(ladder); k++ {
			slope := random.NormFloat64()
			if ladder[k] < .01 {
				slope -= 1e7 * float64(c) // the first chain soon has all the weight
			}
			logw[c][k] = logw[c][k-1] + slope*(ladder[k]-ladder[k-1])
		}
	}
	flat, other := Learn(ladder, logw, 0, true), Learn(ladder, logw, 0, false)
	for k := 10; k < 30; k++ {
		if got := math.Sqrt(flat.Raw[k]); !(got > 1e8 && got < 1e9) || !math.IsNaN(other.Raw[k]) {
			t.Errorf("knot %d: the spread is %.3g; without flat weights the knot counts with %.3g", k, got, other.Raw[k])
		}
	}
	if _, err := Make("adaptive:0.8", 10, flat); err == nil {
		t.Error("a schedule without measured steps returned no error")
	}
	if _, err := Make("friction", 10, nil); err == nil {
		t.Error("a schedule without a pilot returned no error")
	}
}

// TestPartsOfRoundedMeans checks gms13 for a pilot whose first knots are closer together than single precision
// resolves, so that their means may be far too high: the ladder is unchanged.
func TestPartsOfRoundedMeans(t *testing.T) {
	p := &PathStats{}
	for i := range 301 {
		b := math.Pow(float64(i)/300, 5)
		p.Betas, p.Mean, p.Var = append(p.Betas, b), append(p.Mean, 418+400*b), append(p.Var, 400)
	}
	want, err := p.momentsLadder(p.Mean, 100)
	if err != nil || want[11] != 1./9 {
		t.Fatalf("%v, %v", want, err)
	}
	for i := range 4 {
		p.Mean[i] += 322
	}
	got, err := p.momentsLadder(p.Mean, 100)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("ladder = %v, want %v; error %v", got, want, err)
	}
}
