package page

import (
	"fmt"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
)

// Event handles something the user did, and answers with a view.
func (b *Brain) Event(e Event) {
	b.views.seen = e.N
	if e.Name == "picture" && e.Value == "loading" {
		b.views.news = true // progress, ten times a second: no answer is needed at once
	} else {
		b.views.atOnce()
	}
	b.tourSees(e.Name)
	if b.roomEvent(e) || b.trainEvent(e) {
		return
	}
	switch e.Name {
	case "link":
		b.giveUp()
		b.Open(e.Value)
	case "run":
		if b.panels.sheet == "setup" {
			b.panels.sheet = ""
		}
		b.halt(false)
		switch b.state {
		case "paused":
			b.resume()
		case "running", "loading":
		default:
			b.run()
		}
	case "pause":
		b.halt(true)
		b.pause()
	case "give-up":
		b.giveUp()
	case "agree":
		b.agreed = e.Value
		b.run()
	case "break", "break-seed", "answer", "repair", "reason-start", "reason-ladder", "reason-mode", "reason-particles",
		"reason-seed", "reason-temperatures":
		b.quizEvent(e)
	case "mend":
		b.mend(e.Value)
	case "step":
		b.step()
	case "restart":
		b.run()
	case "sum":
		b.sum()
	case "new-seed":
		if b.spec != nil {
			b.fade()
			b.address.leave()
			b.spec.Put(catalog.Names{}, "seed", fmt.Sprint(b.host.Random()))
			b.run()
		}
	case "visibility":
		b.hide(e.Hidden)
	case "model", "method", "param", "seed", "replicates", "target", "limit":
		if b.change(e) && e.Enter && b.keyed("Enter") {
			b.Event(Event{Name: "run", N: e.N})
		}
	case "against":
		b.against(e.Value)
	case "draw":
		old := b.drawing()
		key, value, _ := strings.Cut(e.Value, "=")
		if b.change(Event{Name: "param", Key: key, Value: value}) && b.drawing() != old {
			b.run() // the particles form again around the drawing, at once
		}
	default:
		b.pageEvent(e)
	}
}

// change edits the experiment; false: it says why not.
func (b *Brain) change(e Event) bool {
	s, err := b.edited(e, b.words)
	if err != nil {
		b.problem = &Message{Level: "error", Text: b.words.T("not.taken", b.words.Sentence(err))}
		return false
	}
	b.adopt(s)
	return true
}

// adopt takes an edited experiment. It waits for Run, so that its link, its controls and its numbers always belong
// together.
func (b *Brain) adopt(s *spec.Spec) {
	if b.spec != nil && s.Link() == b.spec.Link() {
		return
	}
	b.fade()
	b.stop()
	b.address.leave()
	if b.spec == nil || s.Model != b.spec.Model {
		b.set.Against = ""
	}
	b.spec, b.address.bad = s, false
	if b.waits() {
		b.host.Field(b.target.density)
	}
}

// waits reports whether the target of an edited experiment can stand in the picture,
// faint, until Run.
func (b *Brain) waits() bool {
	return b.state == "idle" && b.scene().target && b.target.knows(b.spec)
}

func (b *Brain) pause() {
	if b.runState.pause() {
		b.crew.tell(engine.MsgPause)
	}
}

func (b *Brain) resume() {
	b.runState.resume()
	b.crew.tell(engine.MsgResume)
	b.assign()
}

// step lets each lane make one more frame; an idle lane gets a unit that stops after its first
// frame. Where nothing has run yet, it begins a run that stands still after its first frames.
func (b *Brain) step() {
	if b.state == "idle" && b.spec != nil {
		b.run()
		if b.stepping = b.state == "loading"; b.state != "running" {
			return
		}
	}
	b.pause()
	if b.state != "paused" || b.job == nil {
		return
	}
	b.stepped = true
	b.crew.tell(engine.MsgStep)
	b.crew.assign(b.working(), true)
	b.assign()
}

// hide pauses while the page is hidden: browsers slow hidden pages down, and a phone should save
// its battery.
func (b *Brain) hide(hidden bool) {
	if hidden == b.hidden {
		return
	}
	b.hidden = hidden
	switch {
	case b.room.open(): // a phone that sleeps loses a lease, nothing else
	case hidden && b.state == "running":
		b.pause()
		b.paused = false // not paused by the user, so it resumes by itself
	case !hidden && b.state == "paused" && !b.paused:
		b.resume()
	}
}
