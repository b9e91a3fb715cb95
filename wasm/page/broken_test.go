package page

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/wasm/page/repair"
	"logzlab/wasm/page/state"
)

// Each broken run shows by itself what is wrong with it: with at least nine of ten seeds, none of which is that of the
// sheet, the strongest evidence is the reason for which it was broken. In all, the confusion table is printed.
func TestDiagnosisFindsInjectedFault(t *testing.T) {
	seeds := tier.Size(1, 1, 10)
	for reason, links := range repair.Broken {
		for _, link := range links[:tier.Size(1, 1, len(links))] {
			counts := map[string]int{}
			for seed := range seeds {
				reports, err := report.RunLink(t.Context(), fmt.Sprint(link, "&seed=", seed+2), engine.Source{Load: testmodels.LoadSite}, 2)
				if err != nil {
					t.Fatal(err)
				}
				says := "nothing"
				if found := repair.Diagnose(reports, 0); len(found) > 0 {
					says = repair.ReasonKeys[found[0].Reason]
				}
				counts[says]++
			}
			s, _ := spec.ParseLink(link, catalog.Names{})
			t.Logf("%-12s %-12s %v", repair.ReasonKeys[reason], s.Model, counts)
			if 10*counts[repair.ReasonKeys[reason]] < 9*seeds {
				t.Errorf("%s: %v", link, counts)
			}
		}
	}
}

// The diagnosis of a run without a fault finds no fault.
func TestDiagnosisOfSoundRunsIsEmpty(t *testing.T) {
	for _, link := range []string{"mixture2&method=ais&ais.temperatures=1000", "mixture2&method=rts&rts.temperatures=20",
		"mixture10&method=rts,ais&rts.temperatures=40&ais.temperatures=1000"} {
		reports, err := report.RunLink(t.Context(), "v=1&model="+link, engine.Source{Load: testmodels.LoadSite}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if found := repair.Diagnose(reports, 0); len(found) > 0 {
			t.Errorf("%s: %+v", link, found)
		}
	}
}

// The sheet runs an experiment, asks, and answers by the run: right and wrong reasons are told apart, and the mended
// experiment runs in its place. The failing checks do not give the answer away.
func TestQuizOfBrokenExperiments(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open("#" + repair.Broken[repair.FewTemperatures][1] + "&view.break=6")
	p.finish()
	sheet := string(p.parts["sheet"])
	if p.view.Sheet != "broken" || strings.Count(sheet, `type="radio"`) != repair.Reasons ||
		!strings.Contains(sheet, `data-beside="true"`) || strings.Contains(sheet, "data-event=\"mend\"") ||
		strings.Contains(string(p.parts["r-head"]), `class="mend"`) {
		t.Fatalf("sheet %q: %s", p.view.Sheet, sheet)
	}
	for _, c := range [][2]string{{"mode", "something else: too few temperatures"}, {"temperatures", "Yes: too few"}} {
		p.controller.Event(state.Event{Name: "reason-" + c[0], Value: c[0]})
		p.show()
		if strings.Contains(string(p.parts["sheet"]), "Cooled too fast: ") {
			t.Error("the page answers before it is asked")
		}
		p.controller.Event(state.Event{Name: "answer"})
		p.show()
		s := string(p.parts["sheet"])
		if !strings.Contains(s, c[1]) || !strings.Contains(s, "Cooled too fast: ") {
			t.Errorf("%s: %s", c[0], s)
		}
	}
	p.controller.Event(state.Event{Name: "break-seed"})
	if p.finish(); !strings.Contains(p.view.Link, "&seed=4242&") || !strings.Contains(p.view.Link, "view.break=6") {
		t.Error(p.view.Link)
	}
	p.controller.Event(state.Event{Name: "break", Value: "4.1"})
	p.finish()
	if p.controller.Spec.Model != "mixture10" || !strings.Contains(p.view.Link, "view.break=4") || p.controller.quiz.Chosen != "" {
		t.Errorf("link %s, quiz %+v", p.view.Link, p.controller.quiz)
	}
	a := p.controller.adviser().Corrected(repair.FewParticles, p.controller.Snapshot().Shown())
	if a == nil {
		t.Fatal("no repair")
	}
	p.controller.Event(state.Event{Name: a.Event, Value: a.Value})
	p.finish()
	found := repair.Diagnose(p.controller.Results(), 0)
	if len(found) > 0 || p.view.Sheet != "" || strings.Contains(p.view.Link, "break") {
		t.Errorf("mended: %s, %+v", p.view.Link, found)
	}
}
