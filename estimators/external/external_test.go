package external

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/verdict"
	"logzlab/internal/tier"
)

// readOne returns the report of a method on a file with the given text; set has options key=value.
func readOne(t *testing.T, method, text string, set ...string) *Report {
	t.Helper()
	reports, err := Read([]samples.File{{Name: "a.csv", Data: []byte(text)}}, []string{method}, must(ParseOptions(set)),
		nil)
	if err != nil {
		t.Fatal(err)
	}
	return reports[0]
}

// The results for two samples at each of three powers are those of a calculation by hand.
func TestTwoSamplesPerRungMatchHandCalculation(t *testing.T) {
	const table = "power,likelihood\n0,-4\n0,-2\n0.5,-3\n0.5,-1\n1,-1\n1,-1\n"
	up := math.Log((math.Exp(-2)+math.Exp(-1))/2) + math.Log((math.Exp(-1.5)+math.Exp(-.5))/2)
	down := -math.Log((math.Exp(1.5)+math.Exp(.5))/2) - math.Log((math.Exp(.5)+math.Exp(.5))/2)
	for method, want := range map[string]float64{"ss": up, "ss-down": down, "ti": .5*(-3-2)/2 + .5*(-2-1)/2} {
		if r := readOne(t, method, table, "independent=yes"); math.Abs(float64(r.LogZ)-want) > 1e-12 {
			t.Errorf("%s: LogZ = %v, want %v", method, r.LogZ, want)
		}
	}
	// The variance of the integral is the sum over rungs of the squared trapezoid weight times the variance of the mean.
	se := math.Sqrt(.25*.25*2/2 + .5*.5*2/2)
	if r := readOne(t, "ti", table, "independent=yes"); math.Abs(float64(r.SE)-se) > 1e-12 || r.SEMethod != SEIndependent {
		t.Errorf("SE of ti = %v (%s), want %v", r.SE, r.SEMethod, se)
	}
}

// A sample that is impossible in another state has weight 0 there. Of eight uniform numbers, three lie in the interval
// of another state, which has four samples. With r the Z of that state, MBAR solves r = 7/(8 + 4/r), so r = 3/8, and
// the error is that of a proportion of 3 in 8.
func TestImpossibleSamplesHaveWeightZero(t *testing.T) {
	table := "time,fep-lambda,0.0,1.0\n"
	for i, energy := range []string{"inf", "0", "inf", "0", "inf", "inf", "0", "inf"} {
		table += fmt.Sprintf("%d,0.0,0,%s\n", i, energy)
	}
	for i := range 4 {
		table += fmt.Sprintf("%d,1.0,0,0\n", i)
	}
	share := math.Log(3. / 8)
	for method, want := range map[string]float64{"mbar": share, "bar": share, "ss": share, "ss-down": 0} {
		r := readOne(t, method, table, "independent=yes")
		if math.Abs(float64(r.LogZ)-want) > 1e-9 || math.Abs(float64(r.FreeEnergy.KT)+want) > 1e-9 {
			t.Errorf("%s: LogZ = %v, want %v", method, r.LogZ, want)
		}
		if se := math.Sqrt((1 - 3./8) / 3); method == "mbar" && math.Abs(float64(r.SE)-se) > 1e-9 {
			t.Errorf("the error of %s is %v, want %v", method, r.SE, se)
		}
		if method == "ss-down" && r.Verdict.Passes("Both ends agree") {
			t.Error("ss-down is trusted although it misses samples that are impossible above")
		}
	}
}

// Error bars of autocorrelated samples are larger than those of independent samples by the root of the autocorrelation
// time.
func TestAutocorrelationWidensErrorBars(t *testing.T) {
	s := &simulated{scale: 4, tau: 20, runs: 2, n: 2000, powers: powersOf(6, 1), ladder: "good", seed: 3}
	for _, m := range []string{"mbar", "bar", "ti", "ss", "ss-down"} {
		correlated, independent := readOne(t, m, s.text()), readOne(t, m, s.text(), "independent=yes")
		if r := float64(correlated.SE/independent.SE) / math.Sqrt(s.tau); m != "bar" && !(r > .85 && r < 1.15) {
			t.Errorf("%s: %v and %v, times %.3f of the right factor", m, correlated.SE, independent.SE, r)
		}
		if correlated.LogZ != independent.LogZ {
			t.Errorf("%s: %v and %v differ", m, correlated.LogZ, independent.LogZ)
		}
		if level := correlated.Verdict.Level; level != verdict.Trust {
			t.Errorf("%s: %s %+v", m, level, correlated.Verdict)
		}
	}
}

// The burn-in of chains that begin far from their distribution is left out, and the report says how much. Nothing is
// left out of stationary chains, or if samples are treated as independent.
func TestBurnInIsLeftOut(t *testing.T) {
	s := &simulated{scale: 4, tau: 3, runs: 1, n: 1000, powers: powersOf(8, 1), ladder: "good", seed: 5}
	text := s.text()
	if r := readOne(t, "mbar", text); r.Diagnostics[DiagBurnIn] != 0 {
		t.Errorf("%v samples left out of stationary chains", r.Diagnostics[DiagBurnIn])
	}
	var b strings.Builder
	for _, line := range strings.SplitAfter(text, "\n") {
		var run, state int
		var power, l float64
		if n, _ := fmt.Sscanf(line, "%d,%d,%g,%g", &run, &state, &power, &l); n == 4 && power == 1 {
			line = fmt.Sprintf("%d,%d,%v,%v\n", run, state, power, l-300*math.Exp(-float64(state)/20))
		}
		b.WriteString(line)
	}
	r := readOne(t, "mbar", b.String())
	if n := r.Diagnostics[DiagBurnIn]; !(n >= 70 && n <= 250) || !strings.Contains(r.Understood[1], "at rung 1") {
		t.Errorf("%v samples left out: %v", n, r.Understood)
	}
	if z := math.Abs(float64(r.LogZ)-s.exactLogZ()) / float64(r.SE); z > 3.5 {
		t.Errorf("log Z %v +- %v, exact %v", r.LogZ, r.SE, s.exactLogZ())
	}
	if r = readOne(t, "mbar", b.String(), "independent=yes"); r.Diagnostics[DiagBurnIn] != 0 {
		t.Error("independent=yes leaves samples out")
	}
	if r = readOne(t, "mbar", text, "burn_in=10"); r.Diagnostics[DiagBurnIn] != 800 {
		t.Errorf("burn_in=10 leaves out %v of 8000", r.Diagnostics[DiagBurnIn])
	}
}

// If runs disagree, the verdict is stop, and the check lists log Z of each run.
func TestDisagreeingRunsStop(t *testing.T) {
	const ss = "Step Power run1 run2\n1 0.5 -10.1 -10.2\n2 0.2 -20.3 -20.2\n3 0.1 -5 -5.1\n4 0.05 -3 -3.1\n5 0 -1 -%s\n"
	r := readOne(t, "sums", fmt.Sprintf(ss, "1.1"))
	if r.Verdict.Level != verdict.Trust || math.Abs(float64(r.LogZ)+39.55) > 1e-12 || len(r.Replicates) != 2 {
		t.Errorf("%v +- %v: %+v", r.LogZ, r.SE, r.Verdict)
	}
	r = readOne(t, "sums", fmt.Sprintf(ss, "31"))
	if c := r.Verdict.Failing(); r.Verdict.Level != verdict.Stop || c.Name != checkRuns || !strings.Contains(c.At,
		"-39.400") ||
		!strings.Contains(c.At, "-69.600") {
		t.Errorf("Verdict = %+v", r.Verdict)
	}
	s := &simulated{scale: 4, tau: 2, runs: 1, n: 300, powers: powersOf(8, 1), ladder: "good", seed: 5}
	a := s.text()
	var b strings.Builder // another mode, 5 nats away
	for _, line := range strings.SplitAfter(a, "\n")[1:] {
		var run, state int
		var power, l float64
		if n, _ := fmt.Sscanf(line, "%d,%d,%g,%g", &run, &state, &power, &l); n == 4 {
			fmt.Fprintf(&b, "%d,%d,%v,%v\n", 1, state, power, l-5)
		}
	}
	if r = readOne(t, "mbar", a+b.String()); r.Verdict.Level != verdict.Stop || r.Verdict.Failing().Name != checkRuns {
		t.Errorf("Verdict = %+v", r.Verdict)
	}
}

// The error bar that the advice predicts is approximately the error bar of a run that follows the advice.
func TestAdvicePredictsErrorBar(t *testing.T) {
	s := &simulated{scale: 4, tau: 1, runs: 1, n: 4000, ladder: "good", seed: 7}
	s.powers = []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1}
	s.powers = append(s.powers[:3], s.powers[5:]...) // a wide step, .2 to .5
	before := readOne(t, "ss", s.text())
	a := before.Next[0]
	if a.What != "rungs" || a.From != "0.2" || a.To != "0.5" || math.Abs(float64(a.SE/before.SE)-.5) > .1 {
		t.Fatalf("%+v of %v", a, before.SE)
	}
	var powers []float64
	for _, p := range s.powers {
		if powers = append(powers, p); p == .2 {
			for j := range a.Add {
				powers = append(powers, .2+.3*float64(j+1)/float64(a.Add+1))
			}
		}
	}
	s.powers, s.seed = powers, 8
	if after := readOne(t, "ss", s.text()); math.Abs(math.Log(float64(after.SE/a.SE))) > .35 {
		t.Errorf("%v rungs gave %v, promised %v", a.Add, after.SE, a.SE)
	}
}

// deadPoints returns a table of dead points of nested sampling with a number of live points. The prior is uniform in a
// ball and the log likelihood is -50 times the squared radius, so that volumes and log Z are known. New points are
// drawn uniformly above the likelihood contour or, if uniform is false, too close to it.
func deadPoints(live, dims int, seed uint32, uniform bool) string {
	stream := rng.NewKey(seed, "dead points", 0).Stream(0, 0, 0)
	logL := func(v float64) float64 { return -50 * math.Pow(v, 2/float64(dims)) } // v is the volume inside the contour, as a share of the ball
	type point struct{ v, birth float64 }
	points := make([]point, live)
	for i := range points {
		points[i] = point{stream.Float64(), math.Inf(-1)}
	}
	var b strings.Builder
	b.WriteString("logL,logL_birth\n")
	write := func(p point) { fmt.Fprintf(&b, "%v,%v\n", logL(p.v), p.birth) }
	for range live * 14 {
		worst := 0
		for i, p := range points {
			if p.v > points[worst].v {
				worst = i
			}
		}
		dead := points[worst]
		write(dead)
		u := stream.Float64()
		if !uniform { // close to the contour, as short walks are
			u = (1 + u) / 2
		}
		points[worst] = point{dead.v * u, logL(dead.v)}
	}
	for _, p := range points {
		write(p)
	}
	return strings.ReplaceAll(b.String(), "-Inf", "-inf")
}

// The error bars of nested sampling have the right size, and points that are not drawn uniformly are detected.
func TestNestedErrorBars(t *testing.T) {
	const dims = 4
	exact := math.Log(2 / 50. / 50 * (1 - math.Exp(-50)*(1+50))) // the integral of exp(-50 r^2) over the unit ball
	var z stats.Welford
	for seed := range uint32(40) {
		r := readOne(t, "nested", deadPoints(60, dims, seed, true))
		d := float64(r.LogZ) - exact
		z.Add(d * d / float64(r.SE*r.SE))
		if r.Verdict.Level == verdict.Stop {
			t.Errorf("%v +- %v, exact %v: %+v", r.LogZ, r.SE, exact, r.Verdict)
		}
	}
	if rms := math.Sqrt(z.Mean); !(rms > .75 && rms < 1.3) {
		t.Errorf("rms z %.3f", rms)
	}
	r := readOne(t, "nested", deadPoints(60, dims, 1, false))
	if c := r.Verdict.Failing(); c == nil || c.Name != "New points are uniform" {
		t.Errorf("%v +- %v, exact %v: %+v", r.LogZ, r.SE, exact, r.Verdict)
	}
}

// The results on public files, which may not be redistributed, are those that were published.
func TestPublished(t *testing.T) {
	dir := tier.Data(t)
	for _, c := range []struct {
		files, method string
		set           []string
		logZ, se      string // as published
		level         string
	}{
		{"revbayes_52_stones.pp", "ss", nil, "-2624.376", "", "caution"},
		{"revbayes_52_stones.pp", "ti", nil, "-2623.793", "", "caution"},
		{"mrbayes_two_runs.ss", "sums", nil, "-27384.319", "", "stop"},
		{"benzene_coulomb_*", "mbar", []string{"independent=yes"}, "-3.041", "0.02088", "trust"},
		{"benzene_coulomb_*", "bar", []string{"independent=yes"}, "-3.044", "0.01640", "trust"},
		{"benzene_coulomb_*", "ti", []string{"independent=yes"}, "-3.089", "0.02157", "caution"},
	} {
		names, err := filepath.Glob(filepath.Join(dir, c.files))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v, %v", c.files, names, err)
		}
		var files []samples.File
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, samples.File{Name: filepath.Base(name), Data: b})
		}
		reports, err := Read(files, []string{c.method}, must(ParseOptions(c.set)), nil)
		if err != nil {
			t.Fatal(err)
		}
		r := reports[0]
		if got := fmt.Sprintf("%.3f", r.LogZ); got != c.logZ || r.Verdict.Level != c.level {
			t.Errorf("%s of %s is %s (%s), published %s", c.method, c.files, got, r.Verdict.Level, c.logZ)
		}
		if got := fmt.Sprintf("%.5f", r.SE); c.se != "" && got != c.se {
			t.Errorf("the error of %s of %s is %s, published %s", c.method, c.files, got, c.se)
		}
	}
}
