package estimators

import (
	"math"
	"testing"

	"logzlab/core/diag"
)

// Joined runs are judged by all of them, not by the first alone.
func TestJoined(t *testing.T) {
	run := func(z, other float64) *Result {
		return &Result{LogZ: z, SE: .2, SEMethod: SEDelta, Sweeps: 10, Diagnostics: map[diag.Number]float64{
			DiagESS: 30, DiagLogZOther: other, DiagLogZOtherSE: .3, DiagChains: 50}}
	}
	a, b := run(1, 2), run(1.1, 6)
	r := Joined([]*Result{a, b}, false)
	want := map[diag.Number]float64{DiagESS: 60, DiagLogZOther: 4, DiagLogZOtherSE: 2, DiagChains: 50}
	for name, x := range want {
		if math.Abs(r.Diagnostics[name]-x) > 1e-12 {
			t.Errorf("%s is %g, want %g", name, r.Diagnostics[name], x)
		}
	}
	if math.Abs(r.LogZ-1.05) > 1e-12 || r.SEMethod != SEPooled || a.LogZ != 1 || a.Diagnostics[DiagESS] != 30 {
		t.Errorf("%+v, the first run is now %+v", r, a)
	}
	if one := Joined([]*Result{a}, false); one.SEMethod != SEDelta || one.Diagnostics[DiagLogZOther] != 2 {
		t.Errorf("one run has become %+v", one)
	}
	plain := Joined([]*Result{{LogZ: 1, SE: .1}, {LogZ: 2, SE: .1}}, false)
	if _, ok := plain.Diagnostics[DiagLogZOther]; ok {
		t.Error("an opinion that nobody has asked for")
	}
}

// A run without a reliable error bar needs seven others, and more if its error bar requires it.
func TestNeeded(t *testing.T) {
	one := []*Result{{SE: .3, Flags: []diag.Flag{FlagFewIslands}}}
	for wanted, want := range map[float64]float64{1: minRuns, .03: 121, .3 / 1e9: 1.21e18} {
		if got := RunsNeeded(Info{Name: "smc", Unbiased: true}, one, wanted); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("to %g: %g runs, want %g", wanted, got, want)
		}
	}
	if got := RunsNeeded(Info{Name: "smc", Unbiased: true}, []*Result{{SE: 0}}, .1); got != minRuns {
		t.Errorf("without an error bar: %g runs", got)
	}
}

// The work of a method that moves no chains is its log density evaluations.
func TestWork(t *testing.T) {
	if w := (&Result{Evaluations: 40}).Work(); w != 40 {
		t.Error(w)
	}
	if w := (&Result{Evaluations: 40, Sweeps: 9}).Work(); w != 9 {
		t.Error(w)
	}
}

// Runs whose rows agree up to rounding do not reach a target alone; eight of them do.
func TestNoBarOfRounding(t *testing.T) {
	method := Info{Name: "rts"}
	runs := []*Result{{LogZ: 1, SE: 5e-17}}
	if ok, need := EnoughRuns(method, runs, .1); ok || need != minRuns {
		t.Errorf("one run: %v, %g needed", ok, need)
	}
	for len(runs) < minRuns {
		runs = append(runs, &Result{LogZ: 1 + float64(len(runs)%2), SE: 5e-17})
	}
	if ok, _ := EnoughRuns(method, runs, .1); ok {
		t.Error("eight runs a nat apart reach 0.1")
	}
	for _, r := range runs {
		r.LogZ = 1
	}
	if ok, _ := EnoughRuns(method, runs, .1); !ok {
		t.Error("eight equal runs do not reach 0.1")
	}
}
