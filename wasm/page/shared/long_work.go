package shared

import (
	"context"
	"iter"

	"logzlab/core/meter"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/workerpool"
)

// Work is a long computation that the controller does in steps, so that the page stays responsive: a coroutine that
// stops whenever its Meter yields. It must not be started from within another one.
type Work struct {
	Meter       meter.Meter
	Description string // key of its description
	startTime   float64
	paused      bool
	Notice      *state.Message // offers to cancel it
	finished    func()         // called at the end, unless it is cancelled
	next        func() (struct{}, bool)
	cancel      func() // cancels it
}

// NewWork prepares the computation compute, which starts with the first step. done is called after the last step. now is
// in seconds.
func NewWork(now float64, compute func(w *Work), done func()) *Work {
	w := &Work{startTime: now, finished: done, Meter: meter.Meter{Limit: workerpool.Memory}}
	w.next, w.cancel = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if p := recover(); p != nil {
				if _, cancelled := p.(meter.Stopped); !cancelled {
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
		compute(w)
	})
	return w
}

// step runs one step of some milliseconds, and reports whether it was the last.
func (w *Work) step() bool {
	defer meter.Watch(meter.Watch(&w.Meter))
	_, more := w.next()
	return !more
}

// Works are the long computations beside the run: reading a file, and opening the model of the next run.
type Works struct{ Reading, Opening *Work }

// All returns the computations that exist: Reading, then Opening.
func (ws *Works) All() (out []*Work) {
	for _, w := range []*Work{ws.Reading, ws.Opening} {
		if w != nil {
			out = append(out, w)
		}
	}
	return out
}

// Facts returns the progress of the computations.
func (ws *Works) Facts() (out []state.Work) {
	for _, w := range ws.All() {
		out = append(out, state.Work{Doing: w.Description, Paused: w.paused, Share: w.Meter.Share()})
	}
	return out
}

// Working reports whether at least one computation is not paused.
func (ws *Works) Working() bool {
	for _, w := range ws.All() {
		if !w.paused {
			return true
		}
	}
	return false
}

// SetPaused pauses or resumes the computations.
func (ws *Works) SetPaused(paused bool) {
	for _, w := range ws.All() {
		w.paused = paused
	}
}

// Cancel cancels the computation in slot, if there is one, and sets slot to nil.
func Cancel(slot **Work) {
	if w := *slot; w != nil {
		*slot = nil
		w.cancel()
	}
}

// Work runs one step of the long computations. The page calls it repeatedly while Working, and handles events in
// between.
func (d *Context) Work() {
	for _, slot := range []**Work{&d.Reading, &d.Opening} {
		w := *slot
		if w == nil || w.paused {
			continue
		}
		d.Repaint.NewNumbers = true
		if !w.step() {
			continue
		}
		*slot = nil
		if d.Problem == w.Notice {
			d.Problem = nil
		}
		w.finished()
	}
}

// offerCancelAfter is how many seconds a computation takes before the page offers to cancel it.
const offerCancelAfter = 1

// OfferCancel offers to cancel long computations.
func (d *Context) OfferCancel(now float64) {
	for _, w := range d.Works.All() {
		if w.Notice == nil && d.Problem == nil && now-w.startTime > offerCancelAfter {
			w.Notice = &state.Message{Level: "info", Text: d.Words.T("opening.long"),
				Action: &state.Action{Label: d.Words.T("opening.stop"), Event: "give-up"}}
			d.Problem, d.Repaint.Dirty = w.Notice, true
		}
	}
}
