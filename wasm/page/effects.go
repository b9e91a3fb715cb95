package page

import (
	"logzlab/wasm/page/desk"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// handle does what something from outside asks for, then what the parts asked for meanwhile. All that enters the brain
// comes through here: events, ticks, files, messages of workers, and what the browser calls later (host).
func (b *Brain) handle(do func()) {
	b.depth++
	if do(); b.depth == 1 { // else the outermost one goes on
		b.drain()
	}
	b.depth--
}

// drain applies what parts have asked for, in order; what that asks for in turn comes next, as if it had been called.
func (b *Brain) drain() {
	for _, e := range b.Asked() {
		b.apply(e)
		b.drain()
	}
}

// apply does what a part has asked for.
func (b *Brain) apply(e effect.Effect) {
	switch e := e.(type) {
	// The experiment and its run.
	case effect.OpenLink:
		b.open(e.Link)
	case effect.Run:
		b.run()
	case effect.RunSpec:
		b.stop()
		b.Spec = e.Spec
		b.run()
	case effect.RunInClass:
		if b.room.Hosting && !b.room.Resumes() {
			b.room.Start()
		} else {
			b.run()
		}
	case effect.ShowSpec:
		b.Spec = e.Spec
		b.Idle()
	case effect.NextSpec:
		b.stop()
		b.Spec, b.previous = e.Spec, state.Previous{}
		b.Load()
	case effect.Stop:
		b.stop()
	case effect.EndRun:
		desk.End(&b.Opening)
		b.End()
	case effect.ReplaceJob:
		b.Replace(e.Job)
	case effect.Load:
		b.Load()
	case effect.Idle:
		b.Idle()
	case effect.Fail:
		b.fail(e.Err)
		b.Problem.Action = e.Action
	case effect.Assign:
		b.assign()
	case effect.Pace:
		b.pace()
	case effect.Forget:
		b.forget()

	// Files that came.
	case effect.TakeFile:
		b.file(e.File)
	case effect.ReadModel:
		b.read(e.File, false)

	// What is on show.
	case effect.ShowSheet:
		b.openSheet(e.Name)
	case effect.ShowScene:
		b.chooseScene(scene.Named(e.Name))
	case effect.Notice:
		b.Problem = e.Message
	case effect.Say:
		b.summary.text = e.Text
	case effect.Draw:
		b.observe()
		b.draw(b.Snapshot())

	// Lectures and rooms.
	case effect.Turn:
		b.lecture.Turn(e.To)
	case effect.Ask:
		b.room.AskStep(e.Number, e.Step, e.Revealed)
	case effect.Lend:
		b.room.Lends(e.On)
	}
}

// host is the browser, whose later calls come through handle.
type host struct {
	desk.Host
	brain *Brain
}

// Do has the brain's goroutine do it soon.
func (h host) Do(f func()) { h.Host.Do(func() { h.brain.handle(f) }) }

// Fetch loads a file of the site.
func (h host) Fetch(file string, fresh bool, done func([]byte, error)) {
	h.Host.Fetch(file, fresh, func(data []byte, err error) { h.brain.handle(func() { done(data, err) }) })
}

// Words brings the translations of a language.
func (h host) Words(lang string, done func([]byte)) {
	h.Host.Words(lang, func(data []byte) { h.brain.handle(func() { done(data) }) })
}

// Saved gives a training back that this browser keeps.
func (h host) Saved(done func([]byte)) {
	h.Host.Saved(func(data []byte) { h.brain.handle(func() { done(data) }) })
}
