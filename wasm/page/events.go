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

// Event handles a user action; the next view answers it.
func (c *Controller) Event(e state.Event) { c.handle(func() { c.event(e) }) }

func (c *Controller) event(e state.Event) {
	c.Repaint.LastEvent = max(c.Repaint.LastEvent, e.N) // events that waited for a new controller arrive late
	if e.Name == "picture" && e.Value == string(state.CanvasLoading) {
		c.Repaint.NewNumbers = true // progress, ten times a second, needs no immediate view
	} else {
		c.Repaint.AtOnce()
	}
	c.tour.noteEvent(e.Name)
	if c.room.LocksExperiment() && slices.Contains(panel.Forbidden, e.Name) {
		c.Problem = &state.Message{Level: "info", Text: c.Words.T("room.fixed")}
		return
	}
	if handle := c.handlers[e.Name]; handle != nil {
		handle(e)
	}
}

// eventHandlers returns all event handlers by event name.
func (c *Controller) eventHandlers() map[string]func(state.Event) {
	handlers := map[string]func(state.Event){}
	for _, group := range []map[string]func(state.Event){c.runEvents(), c.editEvents(), c.quizEvents(), c.pageEvents(),
		c.lecture.Events(), c.heroEvents(),
		c.sharing.Events(), c.room.Events(), c.programs.Events(), c.imports.Events(),
		c.training.Events()} {
		maps.Copy(handlers, group)
	}
	return handlers
}

// runEvents are the events that run and stop the experiment.
func (c *Controller) runEvents() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"link": func(e state.Event) {
			c.cancelOpening()
			c.Open(route.Next(e.Value, c.Browser.Query))
		},
		"run":     func(state.Event) { c.pressRun() },
		"pause":   func(state.Event) { c.SetPaused(true); c.pause() },
		"give-up": func(state.Event) { c.cancelOpening() },
		"agree":   func(e state.Event) { c.confirmedLink = e.Value; c.run() },
		"mend":    func(e state.Event) { c.runProposal(e.Value) },
		"step":    func(state.Event) { c.step() },
		"restart": func(state.Event) { c.run() },
		"sum":     func(state.Event) { c.continueJob((*engine.Job).Sum) },
		"narrow":  func(state.Event) { c.continueJob((*engine.Job).Narrow) },
		"new-seed": func(state.Event) {
			if c.Spec != nil {
				c.storePrevious()
				c.Address.StartEntry()
				s := *c.Spec
				s.Seed = c.Host.Random()
				c.Spec = &s
				c.run()
			}
		},
		"visibility": func(e state.Event) { c.setHidden(e.Hidden) },
		"against":    func(e state.Event) { c.compareWith(e.Value) },
	}
}

// editEvents are the events that change the experiment.
func (c *Controller) editEvents() map[string]func(state.Event) {
	editAndRun := func(e state.Event) {
		if c.edit(e) && e.Enter && c.Outline().KeyEnabled("Enter") {
			c.event(state.Event{Name: "run", N: e.N})
		}
	}
	return map[string]func(state.Event){
		"model": editAndRun, "seed": editAndRun, "replicates": editAndRun, "target": editAndRun, "limit": editAndRun,
		"method": func(e state.Event) {
			c.Panels.Adding = c.Panels.Adding && !e.On // the list closes when a method was chosen
			editAndRun(e)
		},
		"param": func(e state.Event) {
			if !c.training.SetParam(e) {
				editAndRun(e)
			}
		},
		"slide": c.slide,
		"draw": func(e state.Event) {
			byHand := func() string { return c.Drawing() + c.Flips() + c.Hills() }
			old := byHand()
			c.drawingChanged = true
			defer func() { c.drawingChanged = false }()
			key, value, _ := strings.Cut(e.Value, "=")
			if c.edit(state.Event{Name: "param", Key: key, Value: value}) && byHand() != old {
				c.run() // a new drawing runs at once
			}
		},
	}
}

// pressRun handles the Run button: it resumes or starts the run.
func (c *Controller) pressRun() {
	if c.Panels.Sheet == "setup" {
		c.Panels.Sheet = ""
	}
	c.SetPaused(false)
	switch c.State() {
	case runstate.Paused:
		c.resume()
	case runstate.Running, runstate.Loading:
	default:
		c.run()
	}
}

// edit edits the experiment; on an error it shows a message and returns false.
func (c *Controller) edit(e state.Event) bool {
	s, err := c.Edited(e, c.Words)
	if err != nil {
		c.Problem = &state.Message{Level: "error", Text: c.Words.T("not.taken", c.Words.Sentence(err))}
		return false
	}
	c.adopt(s)
	return true
}

// adopt replaces the experiment by an edited one, which waits for Run. It ends the current run, because link, controls
// and results must always belong to the same experiment.
func (c *Controller) adopt(s *spec.Spec) {
	if c.Spec != nil && s.Link() == c.Spec.Link() {
		return
	}
	c.storePrevious()
	c.stop()
	c.Address.StartEntry()
	if c.Spec == nil || s.Model != c.Spec.Model {
		c.Settings.Against, c.Settings.Program, c.Settings.Rival = "", c.programs.PackedProgram(s.Model), ""
	}
	c.Spec, c.Address.Rejected = s, false
	if scene.Waits(c.Outline()) {
		c.Host.Field(c.target.Density)
	}
}

func (c *Controller) pause() {
	if c.Current.Pause() {
		c.Workers.SendBusy(engine.MsgPause)
	}
}

func (c *Controller) resume() {
	c.Current.Resume()
	c.Workers.SendBusy(engine.MsgResume)
	c.assign()
}

// step makes each lane produce one more frame; an idle lane gets a unit that pauses after its first frame. If nothing
// has run yet, it starts a run that pauses after its first frames.
func (c *Controller) step() {
	if c.State() == runstate.Idle && c.Spec != nil {
		c.run()
		if c.Stepping = c.State() == runstate.Loading; c.State() != runstate.Running {
			return
		}
	}
	c.pause()
	if c.State() != runstate.Paused || c.Job == nil {
		return
	}
	c.Stepped = true
	c.Workers.SendBusy(engine.MsgStep)
	c.Workers.Assign(c.currentJob(), true)
	c.assign()
}

// setHidden pauses the run while the page is hidden: browsers slow hidden pages down, and a phone should save its
// battery.
func (c *Controller) setHidden(hidden bool) {
	if hidden == c.Hidden {
		return
	}
	c.Hidden = hidden
	if !hidden {
		c.room.LookAtOnce() // a phone that wakes up looks for the current run
	}
	switch {
	case c.room.Computing(): // the room does not wait for a sleeping phone
	case hidden && c.State() == runstate.Running:
		c.pause()
		c.Paused = false // not paused by the user, so it resumes by itself
	case !hidden && c.State() == runstate.Paused && !c.Paused:
		c.resume()
	}
}
