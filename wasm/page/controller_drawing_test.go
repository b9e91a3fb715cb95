package page

import (
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// A drawing from the picture starts a run at once and is written to the link, and the page shows its log p. Choosing
// another model removes the drawing.
func TestControllerDrawing(t *testing.T) {
	const free = "v=1&model=rbm-pcd-20&method=rm&rm.absent=off&rm.islands=2&rm.moves=1&rm.particles=5"
	p := newPage(t, 2)
	p.controller.Open(free)
	p.finish()
	if strings.Contains(p.part("r-head"), "<i>p</i>") {
		t.Error("without a drawing there is a log p")
	}
	p.controller.Event(state.Event{Name: "draw", Value: "clamp=290i2-292i"})
	if !p.Stays {
		t.Error("the picture is cleared before the run with the drawing has rows")
	}
	if got := p.controller.Spec.Set["clamp"]; got != "290i3" || p.controller.State() == runstate.Idle {
		t.Fatalf("the drawing is %q, the page %s", got, p.controller.State())
	}
	if caption := p.part("view"); !strings.Contains(caption, "around your drawing") {
		t.Errorf("the caption says nothing of the drawing: %s", caption)
	}
	if got, want := p.finish(), native(t, p.controller.Spec.Link()); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	head := p.part("r-head")
	for _, part := range []string{"<i>p</i>", "One in ", "without it 212.86"} {
		if !strings.Contains(head, part) {
			t.Errorf("the head lacks %s: %s", part, head)
		}
	}
	drawingMessage := func() view.CanvasMessage {
		for _, d := range view.CanvasMessages(p.controller.Snapshot()) {
			if d.T == "drawing" {
				return d
			}
		}
		return view.CanvasMessage{}
	}
	if d := drawingMessage(); !d.On || d.Name != "290i3" {
		t.Errorf("the picture is told %+v", d)
	}
	p.controller.Event(state.Event{Name: "draw", Value: "clamp="})
	if got, want := p.finish(), native(t, free); got != want {
		t.Errorf("after the drawing: %s, want %s", got, want)
	}
	if p.controller.Event(state.Event{Name: "model", Value: "mixture2"}); p.Stays {
		t.Error("the picture of another model stays")
	}
	if d := drawingMessage(); d.On || d.Name != "" {
		t.Errorf("of another model the picture is told %+v", d)
	}
}

// If no exact value is known, the page runs the same experiment without the drawing after the run, without showing it,
// and reuses its result for the next drawing. The result equals that of the command.
func TestControllerRunWithoutDrawing(t *testing.T) {
	const free = "v=1&model=rbm-pcd-100&method=ais,is&ais.chains=5&ais.temperatures=20&is.particles=50"
	p := newPage(t, 2)
	p.controller.Open(free + "&clamp=5p")
	p.until("the run without the drawing", func() bool { return p.controller.Auxiliary.Job != nil })
	p.controller.Event(state.Event{Name: "pause"})
	p.turn(20)
	if p.view.State != runstate.Paused || !strings.Contains(p.part("r-head"), "without them is computed next") {
		t.Errorf("before log p is known: %s, %s", p.view.State, p.part("r-head"))
	}
	if p.controller.Job.Progress() < 1 || p.controller.Share() < .5 || p.controller.Share() == 1 {
		t.Errorf("progress %g, of all %g", p.controller.Job.Progress(), p.controller.Share())
	}
	p.controller.Event(state.Event{Name: "run"})
	if got, want := p.finish(), native(t, free+"&clamp=5p"); got != want {
		t.Errorf("hashes %s, want %s", got, want)
	}
	plain := newPage(t, 2)
	plain.controller.Open(free)
	plain.finish()
	for i, r := range p.controller.Results() {
		f := plain.controller.Results()[i]
		if r.LogP.Free != f.LogZ || r.LogP.LogP != r.LogZ-f.LogZ {
			t.Errorf("%s: log p %+v of %v and %v", r.Method, r.LogP, r.LogZ, f.LogZ)
		}
	}
	if head := p.part("r-head"); !strings.Contains(head, "One in ") {
		t.Errorf("the head is %s", head)
	}
	p.controller.Event(state.Event{Name: "draw", Value: "clamp=7i"})
	if p.until("the drawing", func() bool { return p.controller.Job != nil }); p.controller.Auxiliary.Pending() {
		t.Error("a second drawing runs the model without a drawing again")
	}
	p.finish()
	if head := p.part("r-head"); !strings.Contains(head, "One in ") {
		t.Errorf("the head is %s", head)
	}
}
