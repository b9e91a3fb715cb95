package page

import (
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
)

// handle runs a function and then applies the effects that parts have queued meanwhile. Everything that enters the
// controller passes through handle: events, ticks, files, messages of workers, and callbacks of the browser (host).
func (c *Controller) handle(action func()) {
	c.depth++
	if action(); c.depth == 1 { // the outermost call applies the effects
		c.applyQueued()
	}
	c.depth--
}

// applyQueued applies the queued effects in order. Effects that are queued while an effect is applied come before the
// remaining ones.
func (c *Controller) applyQueued() {
	for _, e := range c.TakeEffects() {
		c.apply(e)
		c.applyQueued()
	}
}

// apply carries out an effect.
func (c *Controller) apply(e effect.Effect) {
	switch e := e.(type) {
	// The experiment and its run.
	case effect.OpenLink:
		c.open(e.Link)
	case effect.Run:
		c.run()
	case effect.RunSpec:
		c.stop()
		c.Spec = e.Spec
		c.run()
	case effect.RunInClass:
		if c.room.Hosting && !c.room.Resumes() {
			c.room.Start()
		} else {
			c.run()
		}
	case effect.ShowSpec:
		c.Spec = e.Spec
		c.Idle()
	case effect.NextSpec:
		c.stop()
		c.Spec, c.previous = e.Spec, state.Previous{}
		c.Load()
	case effect.Stop:
		c.stop()
	case effect.EndRun:
		shared.Cancel(&c.Opening)
		c.End()
	case effect.ReplaceJob:
		c.Replace(e.Job)
	case effect.Load:
		c.Load()
	case effect.Idle:
		c.Idle()
	case effect.Fail:
		c.fail(e.Err)
		c.Problem.Action = e.Action
	case effect.Assign:
		c.assign()
	case effect.SendPace:
		c.sendPace()
	case effect.ClearComparisons:
		c.clearComparisons()

	// Files.
	case effect.TakeFile:
		c.file(e.File)
	case effect.ReadModel:
		c.read(e.File, false)

	// The display.
	case effect.ShowSheet:
		c.openSheet(e.Name)
	case effect.ShowScene:
		c.chooseScene(scene.Named(e.Name))
	case effect.ShowMessage:
		c.Problem = e.Message
	case effect.SetSummary:
		c.summary.text = e.Text
	case effect.DrawCurves:
		c.observe()
		c.draw(c.Snapshot())

	// Lectures and rooms.
	case effect.TurnStep:
		c.lecture.Turn(e.Target)
	case effect.AskQuestion:
		c.room.AskStep(e.Number, e.Step, e.Revealed)
	case effect.LendComputer:
		c.room.SetLending(e.On)
	}
}

// host is the browser; its callbacks pass through handle.
type host struct {
	shared.Host
	controller *Controller
}

// Do runs f soon in the controller's goroutine.
func (h host) Do(f func()) { h.Host.Do(func() { h.controller.handle(f) }) }

// Fetch loads a file of the site.
func (h host) Fetch(file string, fresh bool, done func([]byte, error)) {
	h.Host.Fetch(file, fresh, func(data []byte, err error) { h.controller.handle(func() { done(data, err) }) })
}

// Words loads the translations of a language.
func (h host) Words(lang string, done func([]byte)) {
	h.Host.Words(lang, func(data []byte) { h.controller.handle(func() { done(data) }) })
}

// LoadTraining loads the training that this browser stores.
func (h host) LoadTraining(done func([]byte)) {
	h.Host.LoadTraining(func(data []byte) { h.controller.handle(func() { done(data) }) })
}
