package page

import (
	"context"
	"iter"

	"logzlab/core/meter"
	"logzlab/wasm/page/state"
)

// pageMemory is how many bytes the brain and all lanes may take together.
const pageMemory = 1.5e9

// work is something long that the brain does in pieces, between which it answers the page: a coroutine that stops
// whenever its Meter yields. It must not be started from within another one.
type work struct {
	meter  meter.Meter
	stage  string // key of what is being done, for people
	began  float64
	paused bool
	notice *state.Message // that offers to give it up
	done   func()         // what follows, unless it is dropped
	next   func() (struct{}, bool)
	drop   func() // ends it; nothing follows
}

// newWork prepares do, which starts with the first step.
func newWork(now float64, do func(w *work), done func()) *work {
	w := &work{began: now, done: done, meter: meter.Meter{Limit: pageMemory}}
	w.next, w.drop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if p := recover(); p != nil {
				if _, dropped := p.(meter.Stopped); !dropped {
					panic(p)
				}
			}
		}()
		w.meter.Yield = func(float64) error {
			if yield(struct{}{}) {
				return nil
			}
			return context.Canceled
		}
		do(w)
	})
	return w
}

// step does one piece, some milliseconds, and reports whether that was the last.
func (w *work) step() bool {
	defer meter.Watch(meter.Watch(&w.meter))
	_, more := w.next()
	return !more
}

// works are what goes on beside the run: a file being read, and the model of the next run being made.
type works struct{ reading, opening *work }

// all lists them; the one that people asked for last comes first.
func (ws *works) all() (out []*work) {
	for _, w := range []*work{ws.reading, ws.opening} {
		if w != nil {
			out = append(out, w)
		}
	}
	return out
}

// facts are how they stand.
func (ws *works) facts() (out []state.Work) {
	for _, w := range ws.all() {
		out = append(out, state.Work{Stage: w.stage, Paused: w.paused, Share: w.meter.Share()})
	}
	return out
}

// Working reports whether Work has something to do.
func (ws *works) Working() bool {
	for _, w := range ws.all() {
		if !w.paused {
			return true
		}
	}
	return false
}

// halt pauses them, or lets them go on.
func (ws *works) halt(paused bool) {
	for _, w := range ws.all() {
		w.paused = paused
	}
}

// end drops a work if there is one.
func end(at **work) {
	if w := *at; w != nil {
		*at = nil
		w.drop()
	}
}

// Work does a piece of what is long. The page calls it again and again while Working, and lets events in between.
func (d *desk) Work() {
	for _, at := range []**work{&d.reading, &d.opening} {
		w := *at
		if w == nil || w.paused {
			continue
		}
		d.repaint.news = true
		if !w.step() {
			continue
		}
		*at = nil
		if d.problem == w.notice {
			d.problem = nil
		}
		w.done()
	}
}

// giveUpAfter is how long something takes, in seconds, before the page offers to give it up.
const giveUpAfter = 1

// offerEnd offers to give up what takes long.
func (d *desk) offerEnd(now float64) {
	for _, w := range d.works.all() {
		if w.notice == nil && d.problem == nil && now-w.began > giveUpAfter {
			w.notice = &state.Message{Level: "info", Text: d.Words.T("opening.long"),
				Action: &state.Action{Label: d.Words.T("opening.stop"), Event: "give-up"}}
			d.problem, d.repaint.dirty = w.notice, true
		}
	}
}
