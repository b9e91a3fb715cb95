package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/core/words"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// The tour is offered beside the title and goes through its steps, in the link; focus and view follow it, and Escape
// ends it.
func TestTour(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	p.finish()
	if top := string(p.parts["top"]); !strings.Contains(top, `data-event="tour" data-value="1"`) ||
		!strings.Contains(top, p.controller.Words.T("tagline.term")) {
		t.Errorf("the head offers no tour, or lacks the term of the field: %s", top)
	}
	for k := range view.TourSteps {
		n := fmt.Sprint(k + 1)
		p.controller.Event(state.Event{Name: "tour", Value: n})
		p.show()
		tour := string(p.parts["tour"])
		if !strings.Contains(p.view.Link, "&view.tour="+n) || !strings.Contains(tour, p.controller.Words.T("tour."+n)) ||
			p.view.Focus != "tour-title" || p.view.Point != view.TourSteps[k].Point || p.view.State != runstate.Done {
			t.Errorf("step %s: link %s, focus %q, point %q, %s", n, p.view.Link, p.view.Focus, p.view.Point, tour)
		}
		if id := view.TourSteps[k].Point; !strings.Contains(string(p.parts[id]), `id="`+id+`"`) {
			t.Errorf("step %s points at %s, which is not there", n, id)
		}
	}
	p.controller.Event(state.Event{Name: "tour", Value: "6"})
	p.controller.Event(state.Event{Name: "key", Value: "Escape"})
	if p.show(); strings.Contains(p.view.Link, "tour") || !strings.Contains(string(p.parts["tour"]), "hidden") ||
		p.view.Focus != "tour-start" {
		t.Errorf("after Escape: link %s, focus %q", p.view.Link, p.view.Focus)
	}
	p.controller.Open(smallLink + "&view.tour=3&view.embed=1")
	if p.show(); !strings.Contains(string(p.parts["tour"]), "hidden") {
		t.Error("an embedded page has a tour")
	}
}

// A step of the tour that asks for an action confirms the action, and then offers the next step.
func TestTourWaits(t *testing.T) {
	for step, e := range map[string]state.Event{"2": {Name: "run"}, "5": {Name: "param", Key: "ais.chains", Value: "20"}} {
		p := newPage(t, 1)
		p.controller.Open(smallLink + "&view.lang=de&view.tour=" + step)
		p.finish()
		next := `class="primary"`
		if tour := string(p.parts["tour"]); strings.Contains(tour, next) {
			t.Errorf("step %s does not wait: %s", step, tour)
		}
		p.controller.Event(e)
		p.show()
		tour := string(p.parts["tour"])
		if !strings.Contains(tour, p.controller.Words.T("tour."+step+".did")) || !strings.Contains(tour, next) {
			t.Errorf("step %s does not see %s: %s", step, e.Name, tour)
		}
		p.controller.Open(smallLink + "&view.tour=1") // as by the history
		if p.show(); !strings.Contains(string(p.parts["tour"]), p.controller.Words.T("tour.1.text")) {
			t.Errorf("step 1 says what was done for step %s: %s", step, p.parts["tour"])
		}
	}
}

// The step that asks for Run does so where there is a Run to press; while a run goes on there is Pause in its place.
func TestTourDuringARun(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink + "&view.tour=2")
	p.until("a run", func() bool { return p.controller.State() == runstate.Running })
	for _, running := range []bool{true, false} {
		tour, press := p.part("tour"), p.controller.Words.T("tour.2.text")
		if strings.Contains(tour, press) == running {
			t.Errorf("running %v: %s", running, tour)
		}
		p.finish()
	}
}

// If the exact value is not known, the tour says so.
func TestTourWithoutExactValue(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink + "&view.tour=4")
	p.finish()
	if tour := string(p.parts["tour"]); !strings.Contains(tour, "is known") {
		t.Error(tour)
	}
	now := p.controller.Snapshot()
	now.Reports[0].Truth = nil
	if tour := string(view.Parts(now)["tour"]); !strings.Contains(tour, "Bounds are shown") {
		t.Error(tour)
	}
}

// The title of the list of lessons does not state the number of lessons.
func TestLessonsTitleHasNoNumber(t *testing.T) {
	de, err := words.Read("de", fetchedWords()["de"])
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []*words.Language{words.New("en"), de} {
		for _, n := range strings.Fields(strings.ToLower(w.T("lessons.title"))) {
			if slices.Contains(strings.Fields(w.T("counts")), n) {
				t.Errorf("%q", w.T("lessons.title"))
			}
		}
	}
}
