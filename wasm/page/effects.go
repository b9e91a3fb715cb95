package page

import (
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
)

// handle does what something from outside asks for, then what the parts asked for meanwhile. All that enters the controller
// comes through here: events, ticks, files, messages of workers, and what the browser calls later (host).
func (c *Controller) handle(do func()) {
	c.depth++
	if do(); c.depth == 1 { // else the outermost one goes on
		c.drain()
	}
	c.depth--
}

// drain applies what parts have asked for, in order; what that asks for in turn comes next, as if it had been called.
func (c *Controller) drain() {
	for _, e := range c.Asked() {
		c.apply(e)
		c.drain()
	}
}

// apply does what a part has asked for.
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
		shared.End(&c.Opening)
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
	case effect.Pace:
		c.pace()
	case effect.Forget:
		c.forget()

	// Files that came.
	case effect.TakeFile:
		c.file(e.File)
	case effect.ReadModel:
		c.read(e.File, false)

	// What is on show.
	case effect.ShowSheet:
		c.openSheet(e.Name)
	case effect.ShowScene:
		c.chooseScene(scene.Named(e.Name))
	case effect.Notice:
		c.Problem = e.Message
	case effect.Say:
		c.summary.text = e.Text
	case effect.Draw:
		c.observe()
		c.draw(c.Snapshot())

	// Lectures and rooms.
	case effect.Turn:
		c.lecture.Turn(e.To)
	case effect.Ask:
		c.room.AskStep(e.Number, e.Step, e.Revealed)
	case effect.Lend:
		c.room.Lends(e.On)
	}
}

// host is the browser, whose later calls come through handle.
type host struct {
	shared.Host
	controller *Controller
}

// Do has the controller's goroutine do it soon.
func (h host) Do(f func()) { h.Host.Do(func() { h.controller.handle(f) }) }

// Fetch loads a file of the site.
func (h host) Fetch(file string, fresh bool, done func([]byte, error)) {
	h.Host.Fetch(file, fresh, func(data []byte, err error) { h.controller.handle(func() { done(data, err) }) })
}

// Words brings the translations of a language.
func (h host) Words(lang string, done func([]byte)) {
	h.Host.Words(lang, func(data []byte) { h.controller.handle(func() { done(data) }) })
}

// Saved gives a training back that this browser keeps.
func (h host) Saved(done func([]byte)) {
	h.Host.Saved(func(data []byte) { h.controller.handle(func() { done(data) }) })
}
