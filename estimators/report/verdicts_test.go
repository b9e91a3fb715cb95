package report

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/mixture"
)

// judged is a model with a known log Z whose verdicts are surveyed.
type judged struct {
	name  string
	model models.Model
	truth float64
}

// tally counts the verdicts of one model and method over seeds. A result is good if it is within 3 s.e. or 0.5 nat of
// the truth.
type tally struct {
	trust, caution, stop int
	timid                int     // good to 3 s.e. and to .5 nat, yet not trusted
	worstBars, worstNats float64 // largest error among the trusted, in s.e. and in nats
}

// judgeSeeds runs a method at its defaults, with params, once for each seed and counts its verdicts, made without the
// truth: they must be right without one. It fails if a trusted result is off by more than 3 s.e. and .5 nat.
func judgeSeeds(t *testing.T, x judged, method, params string, seeds int) tally {
	t.Helper()
	var out tally
	cache := map[string][][]byte{}
	for seed := 1; seed <= seeds; seed++ {
		s := testmodels.Parse(t, fmt.Sprint(method, "&seed=", seed, params))
		j, err := engine.NewJob(s, x.model, engine.Options{Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		r := finished(t, j, runtime.NumCPU())[0]
		r.Truth = nil
		v := r.Judge()
		off := math.Abs(float64(r.LogZ) - x.truth)
		bars := off / float64(r.SE)
		wrong := !(bars <= 3 || off <= .5)
		switch v.Level {
		case Trust:
			out.trust++
			out.worstBars, out.worstNats = max(out.worstBars, bars), max(out.worstNats, off)
			if wrong {
				t.Errorf("%s, %s, seed %d: trusted at %v +- %v, but the exact value is %v", x.name, method, seed, r.LogZ, r.SE,
					x.truth)
			}
		case Caution:
			out.caution++
		default:
			out.stop++
		}
		why := ""
		for _, c := range v.Checks {
			if !c.OK {
				why += c.Name + " " + c.Text + ". "
			}
		}
		if v.Level != Trust && bars <= 3 && off <= .5 {
			out.timid++
		}
		t.Logf("%-18s %-4s seed %2d  %-7s off %7.3f nats, %5.1f s.e. of %.3f  %s", x.name, method, seed, v.Level, off, bars,
			r.SE, why)
	}
	t.Logf("%-18s %-4s trust %d, caution %d, stop %d, timid %d; worst trusted %.1f s.e., %.2f nats", x.name, method,
		out.trust, out.caution, out.stop, out.timid, out.worstBars, out.worstNats)
	return out
}

// builtinModel opens a built-in model and its exact log Z.
func builtinModel(t *testing.T, name, params string) judged {
	t.Helper()
	s, err := spec.ParseLink("v=1&model="+name+"&method=ais"+params, catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.Source{Load: testmodels.LoadSite}.Open(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return judged{name + params, m, models.TruthOf(m).LogZ}
}

// shared is a model of the known answers.
func shared(t *testing.T, f truthFile) judged {
	t.Helper()
	m, truth := testmodels.TruthModel(t, f.name, f.beta)
	return judged{fmt.Sprint(f.name[7:len(f.name)-5], " ", f.beta), m, truth}
}

// A small survey: no trusted result is off, and good ones are not doubted. Detects a check on the forward side alone
// (IS: reverse weights of infinite variance made 14 of 20 good results a caution).
func TestVerdicts(t *testing.T) {
	t.Parallel()
	seeds := tier.Size(1, 1, 3)
	for _, x := range []judged{builtinModel(t, "mixture2", ""),
		{"rbm 8x4", testmodels.RBMModel(t, 8, 4, .4, 3), math.NaN()}} {
		if !num.NotNaN(x.truth) {
			x.truth = models.TruthOf(x.model).LogZ
		}
		for _, method := range []string{"is", "ais", "ais-bar", "raise", "rts", "bar", "mbar"} {
			params := ""
			if strings.Contains("rts bar mbar", method) {
				params = "&" + method + ".sweeps=500&" + method + ".temperatures=20"
			}
			if got := judgeSeeds(t, x, method, params, seeds); got.timid > 0 {
				t.Errorf("%s, %s: %d of %d good results are not trusted", x.name, method, got.timid, seeds)
			}
		}
	}
}

// A hill that no chain finds: two hills of equal mass, the base on one of them. Every method counts the one alone, log
// 2 too low with a short error bar, and none may be trusted, though none knows the truth. Without the exact samples RTS
// passes all its checks here.
func TestMissedHill(t *testing.T) {
	tier.Test(t)
	seeds := tier.Size(1, 1, 3)
	m := testmodels.FileModel(t, mixture.GaussianParams{D: 2, BaseSD: 1, Weights: []float64{.5, .5}, SDs: []float64{.5, .5},
		Means: [][]float64{{0, 0}, {9, 0}}})
	for _, info := range catalog.Methods {
		params := ""
		switch {
		case !fits(info.Name, m):
			continue
		case info.Path == estimators.Tempered && info.Name != "auto":
			params = "&" + info.Name + ".temperatures=20"
		}
		got := judgeSeeds(t, judged{"missed hill", m, 0}, info.Name, params, seeds)
		if got.trust > 0 {
			t.Errorf("%s: %d of %d runs that miss half of the target are trusted", info.Name, got.trust, seeds)
		}
	}
	if got := judgeSeeds(t, judged{"missed hill", m, 0}, "smc", "&smc.adaptive=yes", seeds); got.stop < seeds {
		t.Errorf("smc that picks its temperatures: %+v", got)
	}
}

// Annealing from the uniform distribution at the defaults must not be trusted.
func TestBadStart(t *testing.T) {
	t.Parallel()
	tier.Release(t)
	for _, method := range []string{"ais", "ais-bar", "raise"} {
		if got := judgeSeeds(t, builtinModel(t, "rbm-pcd-20", "&start=uniform"), method, "", 1); got.trust > 0 {
			t.Errorf("%s: a run from coins is trusted", method)
		}
	}
}

// The full survey: every known answer, 20 seeds; LOGZ_SURVEY="ising16 rts" runs that model and method only,
// LOGZ_SURVEY=coins only the bad start.
func TestSurveyVerdicts(t *testing.T) {
	survey(t)
	var all []judged
	for _, e := range catalog.Kinds.Builtin() {
		if e.Truth != "" {
			all = append(all, builtinModel(t, e.Name, ""))
		}
	}
	for _, f := range truthFiles {
		all = append(all, shared(t, f))
	}
	only := os.Getenv("LOGZ_SURVEY")
	for _, x := range all {
		for _, method := range []string{"is", "ais", "ais-bar", "raise", "rts"} {
			if only == "1" || strings.Contains(x.name+" "+method, only) {
				judgeSeeds(t, x, method, "", 20)
			}
		}
	}
	if only != "1" && only != "coins" {
		return
	}
	x := judgeSeeds(t, builtinModel(t, "rbm-pcd-20", "&start=uniform"), "ais", "", 20)
	if x.trust > 0 {
		t.Errorf("%d of 20 runs from coins are trusted", x.trust)
	}
}

// Exact samples reveal a missed mode without alarms from their own weights: with two rungs f_0/f_1 has an infinite
// variance, and an error bar from 1,000 draws of it alarmed 12 of these 20 correct runs. Fails if weights may be
// uneven.
func TestExactSamplesRaiseNoFalseAlarm(t *testing.T) {
	t.Parallel()
	alarms := 0
	for seed := range 20 {
		reports, err := RunLink(t.Context(), fmt.Sprintf(
			"v=1&model=mixture2&method=rts&seed=%d&rts.sweeps=200&rts.temperatures=2", seed+2), engine.Source{}, runtime.NumCPU())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range reports[0].Verdict.Checks {
			if c.Name == "Bars off exact samples" && !c.OK {
				alarms++
			}
		}
	}
	if alarms > 1 {
		t.Errorf("%d of 20 correct runs are told to miss part of the target", alarms)
	}
}

// A starved rung gives caution if chains have made round trips, and stop if none has.
func TestStarvedRung(t *testing.T) {
	t.Parallel()
	for trips, level := range map[Number]string{0: Stop, 12: Caution} {
		r := &Report{Method: "ti-rb", LogZ: 1, SE: .1, SEMethod: estimators.SEChains, Diagnostics: map[diag.Number]Number{
			estimators.DiagOccupancyMin: .05, estimators.DiagOccupancyMax: 2, estimators.DiagRoundTrips: trips}}
		if v := r.Judge(); v.Level != level {
			t.Errorf("%v round trips: %s, want %s", trips, v.Level, level)
		}
	}
}

// failing names the checks of a verdict that fail.
func failing(v *Verdict) (names []string) {
	for _, c := range v.Checks {
		if !c.OK {
			names = append(names, c.Name)
		}
	}
	return names
}

// Runs of too little work: replicates of one chain are treated as its weights, those of one island as islands, and few
// replicates have an error bar that may be short by luck; chains at fixed rungs need samples at each.
func TestStarvedByParameters(t *testing.T) {
	t.Parallel()
	for link, want := range map[string][2]string{
		"ais&ais.chains=1&ais.temperatures=5&replicates=5":    {Stop, "Effective sample size"},
		"ais&ais.chains=1&ais.temperatures=500&replicates=30": {Trust, ""},
		"is&is.particles=1&replicates=30":                     {Stop, "Effective sample size"},
		"smc&smc.islands=1&smc.particles=3&smc.schedule=linear&smc.temperatures=6&replicates=20": {
			Caution, "Islands agree"},
		"rts&rts.sweeps=200&rts.temperatures=9&replicates=3":                {Caution, "An error bar"},
		"rts&rts.sweeps=200&rts.temperatures=9&replicates=4":                {Trust, ""},
		"ti&ti.chains=5&ti.samples=fixed&ti.sweeps=2&ti.temperatures=4":     {Caution, "Samples at each rung"},
		"ti&ti.chains=32&ti.samples=fixed&ti.sweeps=400&ti.temperatures=16": {Trust, ""},
	} {
		reports, err := RunLink(t.Context(), "v=1&model=mixture2&method="+link, engine.Source{}, runtime.NumCPU())
		if err != nil {
			t.Fatal(err)
		}
		r := reports[0]
		r.Truth = nil
		v, names := r.Judge(), failing(r.Judge())
		if v.Level != want[0] || want[1] != "" && !slices.Contains(names, want[1]) {
			t.Errorf("%s, %v +- %v: %s, %v; want %v", link, r.LogZ, r.SE, v.Level, names, want)
		}
		if slices.Contains(r.Flags, estimators.FlagSingleChain) {
			t.Errorf("%s has an error bar and a flag that says it has none", link)
		}
	}
}

// The kept part of an unfinished run is not trusted, whatever was trusted on the way; finished methods still get the
// check for a second opinion.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	j := newJob(t, testmodels.HillsModel(t, 2, 3, 3, 1, 1), "rts&rts.chains=50&rts.sweeps=400&rts.temperatures=12")
	for !j.Finished() {
		k := j.Take()
		runLane(j, k, math.MaxInt)
		j.Done(k)
		if r := New(j).All(1)[0]; r.Provisional && r.Verdict.Level == Trust {
			break
		}
	}
	if kept := New(j).AllInterrupted(1)[0]; j.Finished() || kept.Verdict.Level != Caution ||
		!slices.Contains(kept.Flags, FlagInterrupted) {
		t.Errorf("finished %v: %+v, %v", j.Finished(), kept.Verdict, kept.Flags)
	}
	if j.Stop(); New(j).All(1)[0].Verdict.Level != Caution {
		t.Error("a stopped run is trusted")
	}
	j = newJob(t, testmodels.TwoHills(t), "is,ais&ais.temperatures=5000")
	for New(j).All(1)[0].State != runstate.MethodDone {
		k := j.Take()
		runLane(j, k, math.MaxInt)
		j.Done(k)
	}
	if v := New(j).AllInterrupted(1)[0].Verdict; !slices.Contains(failing(v), "A second opinion") {
		t.Errorf("beside an interrupted method: %+v", v)
	}
}

// The slopes of ti-rb are smoothed over all rungs, so ladders of 25 and of 50 agree on gpc-2d and are 0.5 nats off: RTS
// on the same samples reveals it.
func TestSmoothedSlopes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("some seconds")
	}
	const run = ".temperatures=50&"
	reports, err := RunLink(t.Context(), "v=1&model=gpc-2d&method=ti-rb,rts&ti-rb.chains=20&ti-rb.sweeps=400&ti-rb"+run+
		"rts.chains=20&rts.sweeps=400&rts"+strings.TrimSuffix(run, "&"), engine.Source{}, runtime.NumCPU())
	if err != nil {
		t.Fatal(err)
	}
	slopes, shares := reports[0], reports[1]
	off := math.Abs(float64(slopes.LogZ - shares.LogZ))
	if v := slopes.Judge(); off < .4 || v.Level == Trust || !(float64(slopes.SE) > off) {
		t.Errorf("ti-rb %v +- %v beside rts %v: %s", slopes.LogZ, slopes.SE, shares.LogZ, v.Level)
	}
}

// Of 30 runs of sams in ten dimensions with 20 rungs and 600 sweeps log Z was 0.073 nats low on average, with error
// bars of 0.11 and a spread of islands of 0.36: the bias is about the variance of an island, and must be smaller than
// the error bar.
func TestIslandsThatFollowNoise(t *testing.T) {
	t.Parallel()
	for sd, level := range map[Number]string{.36: Caution, .25: Trust, .02: Trust} {
		for _, method := range []string{"wl", "sams"} {
			r := &Report{Method: method, LogZ: 1, SE: sd / Number(math.Sqrt(10)), SEMethod: estimators.SEIslands,
				Diagnostics: map[diag.Number]Number{estimators.DiagIslands: 10, estimators.DiagIslandsSD: sd}}
			if v := r.Judge(); r.OwnLevel != level {
				t.Errorf("%s, sd %v: %s, %+v", method, sd, r.OwnLevel, v.Checks)
			}
		}
	}
}
