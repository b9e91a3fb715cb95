package page

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/route"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
	"logzlab/wasm/rooms/panel"
)

// Event handles something the user did, and answers with a view.
func (b *Brain) Event(e state.Event) { b.handle(func() { b.event(e) }) }

func (b *Brain) event(e state.Event) {
	b.Repaint.Seen = max(b.Repaint.Seen, e.N) // what waited for a new brain comes late
	if e.Name == "picture" && e.Value == string(state.CanvasLoading) {
		b.Repaint.News = true // progress, ten times a second: no answer is needed at once
	} else {
		b.Repaint.AtOnce()
	}
	b.tour.sees(e.Name)
	if b.room.Bound() && slices.Contains(panel.Forbidden, e.Name) {
		b.Problem = &state.Message{Level: "info", Text: b.Words.T("room.fixed")}
		return
	}
	if handle := b.handlers[e.Name]; handle != nil {
		handle(e)
	}
}

// table is what the page does at events, by their names.
func (b *Brain) table() map[string]func(state.Event) {
	all := map[string]func(state.Event){}
	for _, some := range []map[string]func(state.Event){b.runEvents(), b.editEvents(), b.quizEvents(), b.pageEvents(),
		b.lecture.Events(), b.heroEvents(),
		b.sharing.Events(), b.room.Events(), b.programs.Events(), b.readings.Events(),
		b.training.Events()} {
		maps.Copy(all, some)
	}
	return all
}

// runEvents run and stop the experiment.
func (b *Brain) runEvents() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"link": func(e state.Event) {
			b.giveUp()
			b.Open(route.Next(e.Value, b.Browser.Query))
		},
		"run":     func(state.Event) { b.press() },
		"pause":   func(state.Event) { b.Halt(true); b.pause() },
		"give-up": func(state.Event) { b.giveUp() },
		"agree":   func(e state.Event) { b.agreed = e.Value; b.run() },
		"mend":    func(e state.Event) { b.runMended(e.Value) },
		"step":    func(state.Event) { b.step() },
		"restart": func(state.Event) { b.run() },
		"sum":     func(state.Event) { b.more((*engine.Job).Sum) },
		"narrow":  func(state.Event) { b.more((*engine.Job).Narrow) },
		"new-seed": func(state.Event) {
			if b.Spec != nil {
				b.fade()
				b.Address.Leave()
				s := *b.Spec
				s.Seed = b.Host.Random()
				b.Spec = &s
				b.run()
			}
		},
		"visibility": func(e state.Event) { b.hide(e.Hidden) },
		"against":    func(e state.Event) { b.against(e.Value) },
	}
}

// editEvents change the experiment.
func (b *Brain) editEvents() map[string]func(state.Event) {
	edit := func(e state.Event) {
		if b.change(e) && e.Enter && b.Outline().Keyed("Enter") {
			b.event(state.Event{Name: "run", N: e.N})
		}
	}
	return map[string]func(state.Event){
		"model": edit, "seed": edit, "replicates": edit, "target": edit, "limit": edit,
		"method": func(e state.Event) {
			b.Panels.Adding = b.Panels.Adding && !e.On // one was chosen
			edit(e)
		},
		"param": func(e state.Event) {
			if !b.training.Fills(e) {
				edit(e)
			}
		},
		"slide": b.slide,
		"draw": func(e state.Event) {
			old := b.Drawing() + b.Flips()
			b.redraws = true
			defer func() { b.redraws = false }()
			key, value, _ := strings.Cut(e.Value, "=")
			if b.change(state.Event{Name: "param", Key: key, Value: value}) && b.Drawing()+b.Flips() != old {
				b.run() // the particles form again around the drawing, at once
			}
		},
	}
}

// press follows the button Run: it goes on, or begins.
func (b *Brain) press() {
	if b.Panels.Sheet == "setup" {
		b.Panels.Sheet = ""
	}
	b.Halt(false)
	switch b.State() {
	case runstate.Paused:
		b.resume()
	case runstate.Running, runstate.Loading:
	default:
		b.run()
	}
}

// change edits the experiment; false: it says why not.
func (b *Brain) change(e state.Event) bool {
	s, err := b.Edited(e, b.Words)
	if err != nil {
		b.Problem = &state.Message{Level: "error", Text: b.Words.T("not.taken", b.Words.Sentence(err))}
		return false
	}
	b.adopt(s)
	return true
}

// adopt takes an edited experiment, which waits for Run: link, controls and numbers always belong to one experiment.
func (b *Brain) adopt(s *spec.Spec) {
	if b.Spec != nil && s.Link() == b.Spec.Link() {
		return
	}
	b.fade()
	b.stop()
	b.Address.Leave()
	if b.Spec == nil || s.Model != b.Spec.Model {
		b.Settings.Against, b.Settings.Program, b.Settings.Rival = "", b.programs.LinkOf(s.Model), ""
	}
	b.Spec, b.Address.Bad = s, false
	if scene.Waits(b.Outline()) {
		b.Host.Field(b.target.Density)
	}
}

func (b *Brain) pause() {
	if b.Current.Pause() {
		b.Crew.Tell(engine.MsgPause)
	}
}

func (b *Brain) resume() {
	b.Current.Resume()
	b.Crew.Tell(engine.MsgResume)
	b.assign()
}

// step lets each lane make one more frame; an idle lane gets a unit that stops after its first
// frame. Where nothing has run yet, it begins a run that stands still after its first frames.
func (b *Brain) step() {
	if b.State() == runstate.Idle && b.Spec != nil {
		b.run()
		if b.Stepping = b.State() == runstate.Loading; b.State() != runstate.Running {
			return
		}
	}
	b.pause()
	if b.State() != runstate.Paused || b.Job == nil {
		return
	}
	b.Stepped = true
	b.Crew.Tell(engine.MsgStep)
	b.Crew.Assign(b.atWork(), true)
	b.assign()
}

// hide pauses while the page is hidden: browsers slow hidden pages down, and a phone should save
// its battery.
func (b *Brain) hide(hidden bool) {
	if hidden == b.Hidden {
		return
	}
	b.Hidden = hidden
	if !hidden {
		b.room.LookAtOnce() // a phone that wakes up looks which run is under way
	}
	switch {
	case b.room.Open(): // a phone that sleeps holds up nobody
	case hidden && b.State() == runstate.Running:
		b.pause()
		b.Paused = false // not paused by the user, so it resumes by itself
	case !hidden && b.State() == runstate.Paused && !b.Paused:
		b.resume()
	}
}
