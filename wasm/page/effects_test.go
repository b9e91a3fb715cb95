package page

import (
	"testing"

	"logzlab/core/problem"
	"logzlab/core/runstate"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
)

// Effects are applied when the handler has returned, in order, and what one asks for in turn comes before those behind
// it.
func TestEffectsInOrder(t *testing.T) {
	p := newPage(t, 1)
	b := p.controller
	b.Open(smallLink)
	notice := func(text string) effect.Effect { return effect.ShowMessage{Message: &state.Message{Text: text}} }
	var seen []string
	text := func() string {
		if b.Problem == nil {
			return ""
		}
		return b.Problem.Text
	}
	b.handle(func() {
		b.Queue(notice("first"))
		b.handle(func() { b.Queue(notice("second")) }) // as an answer that comes at once
		seen = append(seen, text())
	})
	if seen[0] != "" || text() != "second" {
		t.Errorf("during the handler the page says %q, after it %q", seen[0], text())
	}

	// The lecture asks for a run while it is turned to another step.
	b.Open("view.deck=sum")
	p.until("the deck", func() bool { return b.lecture.Deck != nil })
	p.finish()
	b.handle(func() {
		b.Queue(effect.TurnStep{Target: "next"}, effect.Fail{Err: problem.New("last")})
	})
	if b.Settings.Step != 2 || b.Spec.Methods[0] != "is" || b.State() != runstate.Failed {
		t.Errorf("step %d with %s is %s", b.Settings.Step, b.Spec.Link(), b.State())
	}
}
