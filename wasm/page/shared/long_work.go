package shared

import (
	"context"
	"iter"

	"logzlab/core/meter"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/workerpool"
)

// Work is something long that the controller does in pieces, between which it answers the page: a coroutine that stops
// whenever its Meter yields. It must not be started from within another one.
type Work struct {
	Meter  meter.Meter
	Doing  string // key of what is being done, for people
	began  float64
	paused bool
	Notice *state.Message // that offers to give it up
	done   func()         // what follows, unless it is dropped
	next   func() (struct{}, bool)
	drop   func() // ends it; nothing follows
}

// NewWork prepares do, which starts with the first step.
func NewWork(now float64, do func(w *Work), done func()) *Work {
	w := &Work{began: now, done: done, Meter: meter.Meter{Limit: workerpool.Memory}}
	w.next, w.drop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if p := recover(); p != nil {
				if _, dropped := p.(meter.Stopped); !dropped {
					panic(p)
				}
			}
		}()
		w.Meter.Yield = func(float64) error {
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
func (w *Work) step() bool {
	defer meter.Watch(meter.Watch(&w.Meter))
	_, more := w.next()
	return !more
}

// Works are what goes on beside the run: a file being read, and the model of the next run being made.
type Works struct{ Reading, Opening *Work }

// All lists them; the one that people asked for last comes first.
func (ws *Works) All() (out []*Work) {
	for _, w := range []*Work{ws.Reading, ws.Opening} {
		if w != nil {
			out = append(out, w)
		}
	}
	return out
}

// Facts are how they stand.
func (ws *Works) Facts() (out []state.Work) {
	for _, w := range ws.All() {
		out = append(out, state.Work{Doing: w.Doing, Paused: w.paused, Share: w.Meter.Share()})
	}
	return out
}

// Working reports whether Work has something to do.
func (ws *Works) Working() bool {
	for _, w := range ws.All() {
		if !w.paused {
			return true
		}
	}
	return false
}

// Halt pauses them, or lets them go on.
func (ws *Works) Halt(paused bool) {
	for _, w := range ws.All() {
		w.paused = paused
	}
}

// End drops a work if there is one.
func End(at **Work) {
	if w := *at; w != nil {
		*at = nil
		w.drop()
	}
}

// Work does a piece of what is long. The page calls it again and again while Working, and lets events in between.
func (d *Context) Work() {
	for _, at := range []**Work{&d.Reading, &d.Opening} {
		w := *at
		if w == nil || w.paused {
			continue
		}
		d.Repaint.News = true
		if !w.step() {
			continue
		}
		*at = nil
		if d.Problem == w.Notice {
			d.Problem = nil
		}
		w.done()
	}
}

// giveUpAfter is how long something takes, in seconds, before the page offers to give it up.
const giveUpAfter = 1

// OfferEnd offers to give up what takes long.
func (d *Context) OfferEnd(now float64) {
	for _, w := range d.Works.All() {
		if w.Notice == nil && d.Problem == nil && now-w.began > giveUpAfter {
			w.Notice = &state.Message{Level: "info", Text: d.Words.T("opening.long"),
				Action: &state.Action{Label: d.Words.T("opening.stop"), Event: "give-up"}}
			d.Problem, d.Repaint.Dirty = w.Notice, true
		}
	}
}
