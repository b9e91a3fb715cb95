package view

import (
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/core/words"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// A failing check is called by the failure, where the check's name says the right state.
func TestFailingCheckHasItsName(t *testing.T) {
	p := newPage(&state.Snapshot{Appearance: state.Appearance{Words: words.New("en")}})
	for ok, want := range map[bool]string{true: "Variance of log weights", false: "Cooled too fast"} {
		c := report.VerdictCheck{Name: "Spread of log weights", Text: "1.46", Needs: "≤ 1", OK: ok, Meaning: "They lag."}
		if s := string(p.check(&report.Report{}, c)); !strings.Contains(s, "<b>"+want) ||
			!strings.Contains(s, `title="Spread of log weights: `) {
			t.Error(s)
		}
	}
}

// The tooltip of a check that passes says what was found, not what a failure would mean.
func TestPassingCheckSaysSo(t *testing.T) {
	p := newPage(&state.Snapshot{Appearance: state.Appearance{Words: words.New("en")}})
	r := &report.Report{}
	c := report.VerdictCheck{Name: "Round trips", Text: "40", Needs: "≥ 10", OK: true, Meaning: "Too few chains."}
	s := string(p.check(r, c))
	if strings.Contains(s, "Too few") || !strings.Contains(s, `title="Round trips: 40 (required: ≥ 10)`) {
		t.Error(s)
	}
	if c.OK = false; !strings.Contains(string(p.check(r, c)), `title="Too few chains."`) {
		t.Error("a failing check does not say what that means")
	}
}

// TestChecksSayWhy: what each check says can be read without a mouse: below the list, once asked for.
func TestChecksSayWhy(t *testing.T) {
	r := report.Report{Method: "ais", State: runstate.MethodDone, LogZ: 1}
	r.Verdict = &report.Verdict{}
	r.Verdict.Checks = []report.VerdictCheck{{Name: "Round trips", Text: "40", Needs: "≥ 10", OK: true},
		{Name: "Spread of log weights", Text: "3", Needs: "≤ 1", Meaning: "Cooled too fast."}}
	p := newPage(&state.Snapshot{Appearance: state.Appearance{Words: words.New("en")}, Reports: []*report.Report{&r}})
	_, says, ok := strings.Cut(string(p.checks()), "<summary>What these checks mean</summary>")
	if !ok || !strings.Contains(says, "Cooled too fast.</li>") || !strings.Contains(says, "Round trips: 40 (required: ≥ 10)") {
		t.Errorf("found %v: %s", ok, says)
	}
}

// Modes are told where there are several, with their shares.
func TestModesFound(t *testing.T) {
	r := report.Report{Modes: []report.Mode{{Mass: .7, Starts: 30}, {Mass: .3, Starts: 9}}}
	p := newPage(&state.Snapshot{Appearance: state.Appearance{Words: words.New("en")}})
	if s := string(p.modesFound(&r)); !strings.Contains(s, "found 2 modes") || !strings.Contains(s, "70.0\u00a0%, 30.0\u00a0%") {
		t.Error(s)
	}
	if r.Modes = r.Modes[:1]; p.modesFound(&r) != "" {
		t.Error("one mode is told")
	}
}
