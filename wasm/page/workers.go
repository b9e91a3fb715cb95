package page

import (
	"logzlab/core/runstate"
	"logzlab/core/workerapi"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
)

// Ready records that a lane worker accepts messages. took is the time of its start in seconds.
func (c *Controller) Ready(id int, took float64) {
	c.handle(func() {
		if c.Workers.Ready(id, took) {
			c.assign()
		}
	})
}

// Gone handles a lane worker that ended by itself, for the reason why. A worker that failed to start is not started
// again before the next run: memory may be short, and the other workers compute the run.
func (c *Controller) Gone(id int, why string) { c.handle(func() { c.gone(id, why) }) }

func (c *Controller) gone(id int, why string) {
	l := c.Workers.Lanes[id]
	if l == nil {
		return
	}
	if l.Ready {
		c.replace(id)
		return
	}
	c.Workers.Dismiss(id, c.currentJob())
	c.Repaint.Dirty = true
	if n := len(c.Workers.Lanes); n > 0 {
		c.Problem = &state.Message{Level: "warn", Text: c.Words.T("worker.unstarted", why, n)}
		return
	}
	c.stop()
	c.failWithText(c.Words.T("worker.none", why))
}

// replace ends a worker, returns its unit of work to the job, and starts another worker. A unit whose workers were lost
// too often ends the run.
func (c *Controller) replace(id int) {
	progress, unit := c.Share(), c.Workers.Lanes[id].Task
	c.Repaint.Dirty = true
	lost := c.Workers.Dismiss(id, c.currentJob())
	c.Workers.Spawn()
	if lost {
		switch losses, tooOften := c.Workers.LostTooOften(unit, c.currentJob()); {
		case tooOften && c.room.Computing():
			c.room.GiveUp()
			c.Queue(effect.Assign{}) // after the end of the run
			return
		case tooOften:
			c.giveUpRun(progress, losses)
			return
		case c.room.Replicate == nil:
			c.Problem = &state.Message{Level: "warn", Text: c.Words.T("worker.lost", state.PercentOf(progress))}
		}
	}
	c.assign()
}

// giveUpRun ends a run whose workers were lost too often. Its results so far stay.
func (c *Controller) giveUpRun(progress float64, losses int) {
	c.Workers.Abort()
	c.currentJob().Stop()
	c.finishRun()
	text := c.Words.T("worker.often", c.ModelName(), state.PercentOf(progress), losses, c.Command())
	c.Problem = &state.Message{Level: "error", Text: text}
	c.Host.PostParent("error", text)
}

// ReceiveMessage handles a message of a lane worker.
func (c *Controller) ReceiveMessage(id int, msg []byte) {
	c.handle(func() { c.receiveMessage(id, msg) })
}

func (c *Controller) receiveMessage(id int, msg []byte) {
	hasReport, err := c.Workers.Receive(id, msg, c.currentJob())
	if err != nil {
		c.replace(id)
	}
	if !hasReport {
		return
	}
	switch {
	case c.State() != runstate.Paused:
		c.Repaint.NewNumbers = true
	case c.Stepped: // a step is shown at once
		c.Repaint.AtOnce()
	} // otherwise the paused page does not change
	c.assign()
}

// Answer handles the answer of the compiler or the reader of external samples.
func (c *Controller) Answer(role string, data []byte) {
	if role == workerapi.Reader {
		c.handle(func() { c.imports.TakeAnswer(data) })
		return
	}
	c.handle(func() { c.programs.TakeAnswer(data) })
}

// Heads receives the beginnings and ends of chosen files: samples go to their reader, the others are delivered as
// files.
func (c *Controller) Heads(names []string, heads [][]byte, n int) {
	c.handle(func() { c.imports.TakeHeads(names, heads, n) })
}

// Card takes the preview picture of the run for a short link.
func (c *Controller) Card(picture []byte) { c.handle(func() { c.sharing.TakePicture(picture) }) }
