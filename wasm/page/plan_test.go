package page

import (
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/core/schedule"
	"logzlab/wasm/page/state"
)

// TestVisitPlan: how often rungs are to be visited can be drawn before a run and after one; a drawing is an edit that
// waits for Run, is in the link for all methods that read the run, comes back with the same knots, and its run has the
// result of the command.
func TestVisitPlan(t *testing.T) {
	const link = "v=1&model=mixture2&method=rts,ts&rts.chains=20&rts.sweeps=200&rts.temperatures=9&ts.chains=20" +
		"&ts.sweeps=200&ts.temperatures=9"
	p := newPage(t, 1)
	shown := func() *frame.Plan {
		p.show()
		f, err := frame.Decode(p.controller.curves.Sent)
		if err != nil {
			return nil
		}
		return f.Plan
	}
	p.controller.Start(state.BrowserPage{Link: link + "&view.scene=travel", Base: "https://lab.example/"})
	p.controller.Event(state.Event{Name: "picture", Value: "ready"})
	p.finish()
	plan := shown()
	if plan == nil || len(plan.Methods) != 2 || plan.Methods[0] != "rts" || plan.Prior != "uniform" ||
		len(plan.Beta) != 9 || plan.Beta[4] != .5 || schedule.PriorText(plan.Knots) != "uniform" || plan.Weights[8] != 1 {
		t.Fatalf("after the run the picture knows %+v", plan)
	}
	const drawn = "weights:1_1_1_1_1_1_1_1_2.5"
	p.controller.Event(state.Event{Name: "draw", Value: "rts.prior=" + drawn})
	if s := p.controller.Spec; s.Set["rts.prior"] != drawn || s.Set["ts.prior"] != drawn || p.controller.State() != runstate.Idle {
		t.Errorf("the page is %s, its link %s", p.controller.State(), s.Link())
	}
	if plan = shown(); plan == nil || plan.Prior != drawn || schedule.PriorText(plan.Knots) != drawn ||
		plan.Weights[8] != 2.5 {
		t.Errorf("after the drawing the picture knows %+v", plan)
	}
	if view := string(p.parts["view"]); !strings.Contains(view, `id="veil" hidden`) {
		t.Error("the picture is covered before the run")
	}
	p.controller.Event(state.Event{Name: "run"})
	if got, want := p.finish(), native(t, p.controller.Spec.Link()); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	p.controller.Event(state.Event{Name: "sheet", Value: "table"})
	p.show()
	if sheet := string(p.parts["sheet"]); !strings.Contains(sheet, "Planned share r") ||
		!strings.Contains(sheet, "<td>0.2381") {
		t.Errorf("the table is %s", sheet)
	}
	p.controller.Event(state.Event{Name: "sheet"})
	p.controller.Event(state.Event{Name: "draw", Value: "rts.prior=weights:1_0"})
	if p.controller.Problem == nil {
		t.Error("a weight of 0 is taken")
	}
	p.controller.Event(state.Event{Name: "scene", Value: "ladder"})
	if shown() != nil {
		t.Error("another scene is told of the plan")
	}
	p.controller.Event(state.Event{Name: "sheet", Value: "setup"})
	p.show()
	if !strings.Contains(string(p.parts["setup"]), `data-event="scene" data-value="travel"`) {
		t.Error("the setup does not lead to the picture")
	}
	p.controller.Open("v=1&model=mixture2&method=mbar&mbar.samples=fixed&mbar.chains=100&mbar.sweeps=50&view.scene=travel")
	p.finish()
	if shown() != nil || strings.Contains(string(p.parts["view"]), "view-visits") {
		t.Error("a run whose chains stay plans visits")
	}
}

// TestVisitPlanUnknown: before a pilot the rungs of a learned schedule are not known; even visits can be drawn all the
// same.
func TestVisitPlanUnknown(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: "v=1&model=mixture2&method=rts&rts.schedule=varopt&view.scene=travel",
		Base: "https://lab.example/"})
	p.show()
	if b := p.controller.Snapshot().Ladder("rts"); len(b) != 100 || num.NotNaN(b[50]) {
		t.Errorf("the ladder is %v", b)
	}
}
