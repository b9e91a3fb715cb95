package page

import (
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// TestPreviousResult checks that after an edit the page shows the previous result, marked as previous, and then
// compares it with the new result. Exported files, the summary and the table do not contain the previous result.
func TestPreviousResult(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	p.finish()
	previous := p.controller.FormatLogZ(p.controller.Snapshot().Shown())
	p.controller.Event(state.Event{Name: "param", Key: "ais.temperatures", Value: "90"})
	p.show()
	head, forest := string(p.parts["r-head"]), string(p.parts["r-forest"])
	if !strings.Contains(head, `class="was">before:`) || !strings.Contains(head, "temperatures = 60") ||
		!strings.Contains(head, "No result yet") {
		t.Errorf("the headline after an edit: %s", head)
	}
	if !strings.Contains(forest, "before: AIS") || !strings.Contains(forest, previous) ||
		!strings.Contains(forest, `<g class="was">`) {
		t.Errorf("the forest after an edit: %s", forest)
	}
	saved := len(p.Downloads)
	for _, format := range []string{"json", "csv"} {
		p.controller.Event(state.Event{Name: "export", Value: format})
	}
	if len(p.Downloads) != saved || strings.Contains(p.view.Summary, previous[:6]) ||
		strings.Contains(string(p.parts["numbers"]), previous[:6]) {
		t.Error("an export, the summary or the table contains the previous result")
	}
	p.controller.Event(state.Event{Name: "run"})
	p.finish()
	head = string(p.parts["r-head"])
	if strings.Contains(string(p.parts["r-forest"]), "before: RTS") {
		t.Error("a method that was not changed is compared with itself")
	}
	if now := p.controller.FormatLogZ(p.controller.Snapshot().Shown()); !strings.Contains(head, "before: "+previous+", now: "+now) ||
		strings.Contains(head, `"r-num was"`) {
		t.Errorf("the headline of the new result: %s", head)
	}
	if strings.Contains(string(report.JSON(p.controller.Results())), spec.Decimal(float64(p.controller.previous.Reports[0].LogZ))) {
		t.Error("the previous result is in the JSON")
	}
}

// TestPreviousResultHasSameTarget checks that the previous result is dropped after a change of the model or the target,
// and kept after a change of the start, the seed or the method.
func TestPreviousResultHasSameTarget(t *testing.T) {
	for _, c := range []struct {
		link string
		e    state.Event
		want bool
	}{
		{smallLink, state.Event{Name: "model", Value: "mixture10"}, false},
		{smallLink, state.Event{Name: "seed", Value: "9"}, true},
		{smallLink, state.Event{Name: "new-seed"}, true},
		{smallLink, state.Event{Name: "param", Key: "moves", Value: "5"}, true},
		{smallLink, state.Event{Name: "link", Value: smallLink + "&seed=5"}, false},
		{"v=1&model=mixture2&method=is", state.Event{Name: "method", Value: "ais", On: true}, true},
		{"v=1&model=ising16&method=ais&ais.temperatures=20&ais.chains=10",
			state.Event{Name: "param", Key: "beta", Value: ".3"}, false},
	} {
		p := newPage(t, 1)
		p.controller.Open(c.link)
		p.finish()
		p.controller.Event(c.e)
		if got := p.controller.Snapshot().PreviousResults() != nil; got != c.want {
			t.Errorf("%+v: a previous result: %v", c.e, got)
		}
	}
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	p.turn(3)
	p.controller.Event(state.Event{Name: "seed", Value: "9"})
	if p.controller.Snapshot().PreviousResults() != nil {
		t.Error("an unfinished result became the previous result")
	}
}

// TestSliderRelease checks that moving a slider changes only its number. When the slider is released, the experiment
// runs at once if the last run was quick, and otherwise waits for Run; the page shows the previous result.
func TestSliderRelease(t *testing.T) {
	q, _ := state.ParamOf("ais.temperatures")
	want := spec.Decimal(view.SliderValue(q, 10))
	for _, seconds := range []float64{1, 5} {
		p := newPage(t, 1)
		p.controller.Open(smallLink)
		p.until("a run", func() bool { return p.controller.State() == runstate.Running })
		p.Clock += seconds - 1
		p.finish()
		link := p.view.Link
		slide := func(pos string, release bool) {
			p.controller.Event(state.Event{Name: "slide", Key: "ais.temperatures", Value: pos, Enter: release})
			p.show()
		}
		slide("5", false)
		slide("10", false)
		if head := string(p.parts["r-head"]); p.view.State != runstate.Done || p.view.Link != link ||
			strings.Contains(head, "before:") || !strings.Contains(string(p.parts["setup"]), `aria-valuetext="`+want+`"`) {
			t.Errorf("a slider that is being moved: state %s, link %s, %s", p.view.State, p.view.Link, p.parts["setup"])
		}
		slide("10", true)
		if quick := seconds < 3; (p.view.State != runstate.Idle) != quick || p.view.Link == link {
			t.Errorf("released after a run of %g s: state %s, link %s", seconds, p.view.State, p.view.Link)
		} else if quick {
			p.finish()
		}
		if head := string(p.parts["r-head"]); !strings.Contains(head, "before:") {
			t.Errorf("no previous result in %s", head)
		}
	}
}
