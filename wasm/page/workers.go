package page

import (
	"logzlab/core/runstate"
	"logzlab/core/workerapi"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
)

// Ready records that a lane worker accepts messages; it took so many seconds to start.
func (b *Brain) Ready(id int, took float64) {
	b.handle(func() {
		if b.Crew.Ready(id, took) {
			b.assign()
		}
	})
}

// Gone records that a lane worker ended by itself. One that failed to start is not tried again
// before the next Run; where memory is short the others do the work.
func (b *Brain) Gone(id int, why string) { b.handle(func() { b.gone(id, why) }) }

func (b *Brain) gone(id int, why string) {
	l := b.Crew.Lanes[id]
	if l == nil {
		return
	}
	if l.Ready {
		b.replace(id)
		return
	}
	b.Crew.Dismiss(id, b.atWork())
	b.Repaint.Dirty = true
	if n := len(b.Crew.Lanes); n > 0 {
		b.Problem = &state.Message{Level: "warn", Text: b.Words.T("worker.unstarted", why, n)}
		return
	}
	b.stop()
	b.failure(b.Words.T("worker.none", why))
}

// replace ends a worker, puts its unit back, and starts another one.
func (b *Brain) replace(id int) {
	share, unit := b.Share(), b.Crew.Lanes[id].Task
	b.Repaint.Dirty = true
	lost := b.Crew.Dismiss(id, b.atWork())
	b.Crew.Spawn()
	if lost {
		switch n, often := b.Crew.TooOften(unit, b.atWork()); {
		case often && b.room.Open():
			b.room.GiveUp()
			b.Do(effect.Assign{}) // when the run has ended, if it does
			return
		case often:
			b.giveUpRun(share, n)
			return
		case b.room.Replicate == nil:
			b.Problem = &state.Message{Level: "warn", Text: b.Words.T("worker.lost", state.PercentOf(share))}
		}
	}
	b.assign()
}

// giveUpRun ends a run whose workers were lost too often. What is known of it stays.
func (b *Brain) giveUpRun(share float64, n int) {
	b.Crew.Abort()
	b.atWork().Stop()
	b.over()
	text := b.Words.T("worker.often", b.ModelName(), state.PercentOf(share), n, b.Command())
	b.Problem = &state.Message{Level: "error", Text: text}
	b.Host.Parent("error", text)
}

// From takes a message of a lane worker.
func (b *Brain) From(id int, msg []byte) { b.handle(func() { b.from(id, msg) }) }

func (b *Brain) from(id int, msg []byte) {
	told, err := b.Crew.Take(id, msg, b.atWork())
	if err != nil {
		b.replace(id)
	}
	if !told {
		return
	}
	switch {
	case b.State() != runstate.Paused:
		b.Repaint.News = true
	case b.Stepped: // a step is shown at once
		b.Repaint.AtOnce()
	} // else the page stands still since the click, whatever lanes were about to say
	b.assign()
}

// Answer takes the answer of a program of its own, stan or court.
func (b *Brain) Answer(role string, data []byte) {
	if role == workerapi.Reader {
		b.handle(func() { b.readings.Answered(data) })
		return
	}
	b.handle(func() { b.programs.Answered(data) })
}

// Heads hears how files begin and end that the user has chosen: those that are samples go to their reader, and the
// others come as files.
func (b *Brain) Heads(names []string, heads [][]byte, n int) {
	b.handle(func() { b.readings.Heads(names, heads, n) })
}

// Card takes the picture of the run, for the short link that waits for it.
func (b *Brain) Card(picture []byte) { b.handle(func() { b.sharing.Pictured(picture) }) }
