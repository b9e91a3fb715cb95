package temper

import (
	"bytes"
	"encoding/json"
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
	"logzlab/internal/answers"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// 1e-9 detects exchanged ends of an interval, missing weights of 1/2 at the ends, and D_k^2/12 without the square.
func TestTIGolden(t *testing.T) {
	var g struct {
		Betas, Mean, Var  []float64
		Right, Left, Trap float64
		Corrected         float64 `json:"trap_corrected"`
	}
	answers.Golden(t, "ti", &g)
	for rule, want := range map[string]float64{"right": g.Right, "left": g.Left, "trapezoid": g.Trap,
		"corrected": g.Corrected} {
		methodtest.Near(t, rule, Integral(rule, g.Betas, g.Mean, g.Var)[len(g.Betas)-1], want, 1e-9)
	}
}

// Parabolas, against gonum: an even and an odd number of uneven steps. With two rungs simpson is the trapezoid; a
// parabola is integrated exactly up to every rung.
func TestTISimpson(t *testing.T) {
	for _, n := range []int{3, 4, 11, 12} {
		beta, e, square, cube := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for k := range beta {
			x := float64(k) / float64(n-1)
			beta[k] = x * math.Sqrt(x)
			e[k] = math.Exp(3 * beta[k])
			square[k], cube[k] = beta[k]*beta[k], beta[k]*beta[k]*beta[k]/3
		}
		methodtest.Near(t, "exp", Integral("simpson", beta, e, nil)[n-1], integrate.Simpsons(beta, e), 1e-12)
		for k, z := range Integral("simpson", beta, square, nil) {
			methodtest.Near(t, "parabola", z, cube[k], 1e-14)
		}
	}
	two := []float64{0, 1}
	methodtest.Near(t, "two rungs", Integral("simpson", two, []float64{1, 4}, nil)[1], 2.5, 1e-15)
}

// Exact moments of every truth file that has them.
func TestTIExactMoments(t *testing.T) {
	found := 0
	for _, name := range []string{"rbm_tiny", "rbm_24x12", "rbm_bas9_cd1", "gmm2", "gmm10", "linreg", "betabinom"} {
		b := answers.Read(t, "public_"+name+".json")
		var g struct {
			Betas     []float64
			MeanJoint []float64          `json:"mean_Delta_joint"`
			VarJoint  []float64          `json:"var_Delta_joint"`
			Mean      []float64          `json:"mean_Delta"`
			Var       []float64          `json:"var_Delta"`
			TI        map[string]float64 `json:"ti_exact_moments"`
		}
		if json.Unmarshal(b, &g) != nil || g.TI == nil {
			continue
		}
		if g.Mean == nil {
			g.Mean, g.Var = g.MeanJoint, g.VarJoint
		}
		if len(g.Mean) != len(g.Betas) {
			continue
		}
		found++
		for rule, key := range map[string]string{"right": "right", "left": "left", "trapezoid": "trap",
			"corrected": "trap_corrected"} {
			methodtest.Near(t, name+" "+rule, Integral(rule, g.Betas, g.Mean, g.Var)[len(g.Betas)-1], g.TI[key], 1e-9)
		}
	}
	if found < 3 {
		t.Errorf("only %d files have exact moments", found)
	}
}

// 1e-9 detects d at another rung than q, weights of another sample, and means over the rungs.
func TestTIRBGolden(t *testing.T) {
	var g struct {
		D    [][]float64
		Grad []float64
		LogZ float64
	}
	var in struct {
		LF            [][]float64
		LogZhat, Logr []float64
	}
	var ladder struct{ Betas []float64 }
	answers.Golden(t, "ti_rb", &g)
	answers.Golden(t, "rts", &in)
	answers.Golden(t, "ti", &ladder)
	zhat := absorbed(in.LogZhat, in.Logr)
	rec := &Record{Ladder: ladder.Betas}
	for i, lf := range in.LF {
		m := SlopeSums{W: make([]float64, len(lf)), D: make([]float64, len(lf))}
		q := make([]float64, len(lf))
		for k := range q {
			q[k] = lf[k] - zhat[k]
		}
		norm, sum := num.LogSumExp(q), 0.0
		for k := range q {
			q[k] = num.Exp(q[k]-norm) * 3
			sum += q[k]
		}
		m.weigh(q, sum, g.D[i])
		rec.MeanSlopes = append(rec.MeanSlopes, m)
	}
	s := rec.meanSlopes(rec.MeanSlopes)
	methodtest.NearAll(t, "e", s.e, g.Grad, 1e-9)
	methodtest.Near(t, "log Z", Integral("trapezoid", rec.Ladder, s.e, nil)[len(g.Grad)-1], g.LogZ, 1e-9)
}

// On the same samples TI-RB approaches RTS as the ladder grows ([RTS] appendix C), with the square of its steps.
func TestTIRBApproachesRTS(t *testing.T) {
	s := rng.NewKey(1, "samples", 0).Stream(0, 0, 0)
	const n = 200
	var l0, l1 [n]float64
	for i := range l0 {
		x := 2 * s.Norm()
		l0[i], l1[i] = -x*x/8-math.Log(2), -(x-1)*(x-1)/2
	}
	last := 0.0
	for _, rungs := range []int{11, 41, 161} {
		zhat, ladder, total := make([]float64, rungs), make([]float64, rungs), make([]num.LSE, rungs)
		rec := &Record{Ladder: ladder}
		for k := range ladder {
			ladder[k] = float64(k) / float64(rungs-1)
			zhat[k] = .9 * ladder[k]
		}
		for i := range l0 {
			q, d, sum := make([]float64, rungs), make([]float64, rungs), 0.0
			for k, b := range ladder {
				q[k], d[k] = math.Exp((1-b)*l0[i]+b*l1[i]-zhat[k]), l1[i]-l0[i]
				sum += q[k]
			}
			for k := range q {
				total[k].Add(math.Log(q[k] / sum))
			}
			m := SlopeSums{W: make([]float64, rungs), D: make([]float64, rungs)}
			m.weigh(q, sum, d)
			rec.MeanSlopes = append(rec.MeanSlopes, m)
		}
		rts := zhat[rungs-1] + total[rungs-1].Value() - total[0].Value()
		slopes := rec.meanSlopes(rec.MeanSlopes)
		off := math.Abs(Integral("trapezoid", ladder, slopes.e, nil)[rungs-1] - rts)
		if last > 0 && !(off < last/10) {
			t.Errorf("%d rungs: %g from RTS, a quarter as many: %g", rungs, off, last)
		}
		last = off
	}
}

// Rungs without samples get the mean of their neighbours, and rungs at the ends that of the nearest.
func TestImpute(t *testing.T) {
	s := slopeMeans{w: []float64{0, 2, 0, 0, 1, 0}}
	x := []float64{math.NaN(), 1, math.NaN(), math.NaN(), 7, math.NaN()}
	s.impute([]float64{0, .1, .2, .3, .4, 1}, x)
	methodtest.NearAll(t, "imputed", x, []float64{1, 1, 3, 5, 7, 7}, 1e-12)
}

// A cubic has the exact derivative at the middle of three points except for its third order; a parabola everywhere.
func TestGradient(t *testing.T) {
	beta := []float64{0, .1, .3, .35, 1}
	x, want := make([]float64, len(beta)), make([]float64, len(beta))
	for i, b := range beta {
		x[i], want[i] = 3*b*b-b+2, 6*b-1
	}
	methodtest.NearAll(t, "gradient", gradient(beta, x), want, 1e-12)
	methodtest.NearAll(t, "gradient of two", gradient([]float64{0, 1}, []float64{2, 5}), []float64{3, 3}, 0)
}

// Every reader of slopes and of moves is right, and its error bar is calibrated: over 40 runs |z| of the mean is below
// 4, and rms z, 1.06 with 20 chains and known to 0.12, is in [0.65, 1.45]. Detects errors that ignore the correlation
// within chains (rms z of 2 and more here), influences of rows that do not sum to the estimate, and sweeps at fixed
// rungs counted as independent draws.
func TestReadersHold(t *testing.T) {
	tier.Test(t)
	models := map[string]models.Model{"mixture": methodtest.Mixture(t, 2, 3), "rbm": methodtest.RBM(t, 7, 4, .8, false),
		"joint": methodtest.RBM(t, 7, 4, .8, true), "ising": methodtest.Ising(t, 3, 4, true, .4)}
	small := []string{"chains=20", "temperatures=9", "sweeps=120", "burn_in=20", "init_rounds=2", "init_sweeps=30"}
	for _, c := range []struct {
		info estimators.Info
		more []string
	}{{TI, nil}, {TI, []string{"rule=trapezoid"}}, {TI, []string{"samples=fixed"}}, {TIRB, nil},
		{RTSStationary, nil}, {RTSStationary, []string{"chains=4", "sweeps=600"}}} {
		for name, m := range models {
			if testing.Short() && name != "rbm" {
				continue
			}
			var z, x []float64
			for seed := range 40 {
				_, res := methodtest.Drive(t, c.info, methodtest.Config(t, c.info, m, 100+seed, append(small, c.more...)...))
				x = append(x, res.LogZ)
				z = append(z, (res.LogZ-methodtest.ExactLogZ(t, m))/res.SE)
			}
			off, mean, se := methodtest.ZScore(x, methodtest.ExactLogZ(t, m))
			square := 0.0
			for _, v := range z {
				square += v * v / float64(len(z))
			}
			rms := math.Sqrt(square)
			t.Logf("%-15s %v on %-8s: mean error %+.4f, z %+.1f, rms z %.2f", c.info.Name, c.more, name,
				mean-methodtest.ExactLogZ(t, m), off, rms)
			rule := 0.0
			if c.info.Name != RTSStationary.Name {
				_, res := methodtest.Drive(t, c.info, methodtest.Config(t, c.info, m, 1, append(small, c.more...)...))
				rule = math.Abs(res.Diagnostics[estimators.DiagRuleError])
			}
			if !(math.Abs(off) < 4 || math.Abs(off*se) < 1.2*rule) || !(rms < 1.45 && rms > .65) {
				t.Errorf("%s %v on %s: z of the mean %.1f, rms z %.2f", c.info.Name, c.more, name, off, rms)
			}
		}
	}
}

// Densities of samples, 16 MB here, are written once, into the state of the lane of the fits. Decoding, joining and
// encoding them takes more than three times as much.
func TestSamplesAreWrittenOnce(t *testing.T) {
	c := methodtest.Config(t, MBAR, methodtest.Mixture(t, 1, 0), 1, "sweeps=200", "burn_in=7", "init=ones",
		"init_rounds=1")
	c.RoundSweeps = 50
	m, err := estimators.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	taken := 0.0
	var before, after runtime.MemStats
	round, err := m.Next(nil, nil)
	for err == nil && round != nil && round.Name != "solve" {
		final := round.Name == "final"
		partials, states := round.Run(m)
		runtime.ReadMemStats(&before)
		round, err = m.Next(partials, states)
		if runtime.ReadMemStats(&after); final {
			taken += float64(after.TotalAlloc - before.TotalAlloc)
		}
	}
	if err != nil || round == nil {
		t.Fatalf("no solving round: %v", err)
	}
	if state := float64(len(round.States[0])); state < 16e6 || taken > 1.5*state {
		t.Errorf("%.1f MB were taken for a state of %.1f", taken/1e6, state/1e6)
	}
}

// The samples of a run are thinned evenly, in order, with the row of each, for any division into lanes and rounds.
func TestSamples(t *testing.T) {
	m := methodtest.Mixture(t, 1, 0)
	needs := TS
	var got mbar.Samples
	needs.Reads = &Reader{Needs: []*Statistic{Visits, ThinnedSamples},
		Read: func(rec *Record, _ spec.Values) *estimators.Result {
			if rec.Final {
				got = rec.Samples
			}
			return readTS(rec, nil)
		}}
	for _, chains := range []string{"3", "12"} {
		var first mbar.Samples
		for _, size := range []int{1, 10} {
			c := methodtest.Config(t, needs, m, 1, "chains="+chains, "temperatures=4", "sweeps=50", "burn_in=7", "init_rounds=1")
			c.LaneSize, c.RoundSweeps = size, 9*size
			methodtest.Drive(t, needs, c)
			n := 50 * c.Values.Int("chains")
			rows := map[string]int{"3": 21, "12": 12}[chains]
			if got.Every != 1 || len(got.Rung) != n || len(got.Row) != n || len(got.LogF) != 8*4*n || got.Rows != rows ||
				got.Row[0] != 0 || int(got.Row[n-1]) != rows-1 {
				t.Fatalf("%s chains: every %d, %d rungs, %d rows of %d, %d numbers", chains, got.Every, len(got.Rung),
					len(got.Row), got.Rows, len(got.LogF))
			}
			if first.Rung == nil {
				first = got
			}
			if !bytes.Equal(got.LogF, first.LogF) {
				t.Error("log f depends on lanes and cuts")
			}
		}
		mean := 0.0
		for i := range 4 * len(first.Rung) {
			mean += first.LogF.At(i) / float64(4*len(first.Rung))
		}
		if !(mean < 0) {
			t.Errorf("mean log f %v", mean)
		}
	}
	big := &run{Lanes: estimators.Lanes{N: 100, Size: 10}, ladder: make([]float64, 100), keptSweeps: 2000}
	if sweeps, chains := big.thinning(); sweeps != 10 || chains != 1 {
		t.Errorf("100 chains, 100 rungs, 2000 sweeps: every %d sweeps of every %d chains", sweeps, chains)
	}
	big.Lanes.N, big.keptSweeps = 100000, 50
	if sweeps, chains := big.thinning(); sweeps != 50 || chains != 5 {
		t.Errorf("100,000 chains: every %d sweeps of every %d chains", sweeps, chains)
	}
}

// If the correction overshoots, the right rule is at least as far off as from the trapezoid: corrected may agree with
// it by chance. With the correction alone the error bar was 0.1 to 0.4 of that.
func TestRuleErrorCoarse(t *testing.T) {
	m, found := methodtest.LatentModel(t, "nig-12"), 0
	for seed := 1; seed < 9; seed++ {
		_, res := methodtest.Drive(t, TI, methodtest.Config(t, TI, m, seed, "chains=20", "temperatures=6", "sweeps=60",
			"init_rounds=2",
			"init_sweeps=20", "rule=right"))
		if !slices.Contains(res.Flags, FlagCorrectionLarge) {
			continue
		}
		found++
		d := res.Diagnostics
		least := math.Abs(d[estimators.DiagTIRight] - d[estimators.DiagTITrapezoid])
		if d[estimators.DiagRuleError] < least || res.SE < least {
			t.Errorf("seed %d: rule error %g, error bar %g, right less trapezoid %g", seed, d[estimators.DiagRuleError], res.SE,
				least)
		}
	}
	if found == 0 {
		t.Error("no correction was too large")
	}
}
