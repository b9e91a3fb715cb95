package main

import (
	"context"
	"strconv"
	"syscall/js"
	"time"

	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/num/kernel"
	"logzlab/core/problem"
	"logzlab/estimators/engine"
	"logzlab/wasm/browser"
)

// Intervals of a lane worker.
const (
	yieldEvery = 16 * time.Millisecond  // between events, so that pause and abort act
	owedEvery  = 6 * time.Millisecond   // the same while a frame is not acknowledged, so that the next one need not wait
	peekEvery  = 200 * time.Millisecond // between provisional results
	aliveEvery = time.Second
)

// laneServer runs units for the controller.
type laneServer struct {
	w *engine.Worker
	*breath
	meter      meter.Meter // for opening models and for pulses
	opens      bool
	pausedAt   int           // number of messages received when it paused, 0 if it is not paused
	units      chan struct{} // a unit has arrived
	wake       chan struct{} // something changed for a paused unit
	controller browser.Port  // undefined until the page has passed it on
	run        int           // number of the run of the newest message, for the page to know late frames
	owed       bool          // a frame has not been acknowledged
	lastFrame  time.Time
	lastPeek   time.Time
	due        time.Time // in slow motion, when the last frame should end
}

func serveLane() {
	l := &laneServer{w: engine.NewWorker(), units: make(chan struct{}, 1), wake: make(chan struct{}, 1),
		breath: newBreath()}
	l.meter.Yield = l.pulse
	meter.Watch(&l.meter)
	browser.Listen(l.message)
	now := js.Global().Get("performance").Call("now").Float()
	took := (now - js.Global().Get("logz").Get("begun").Float()) / 1000 // since the program was loaded
	browser.Post(map[string]any{"t": "ready", "simd": kernel.SIMD(), "took": took})
	go func() {
		for {
			time.Sleep(aliveEvery)
			l.alive()
		}
	}()
	for range l.units {
		l.last = time.Now()
		l.compute()
	}
}

// alive sends a sign of life.
func (l *laneServer) alive() {
	share := 0.
	if l.opens {
		share = l.meter.Share()
	}
	l.send(engine.Alive(l.gap.Seconds(), share, l.pausedAt))
	l.gap = 0
}

// send sends a message to the controller.
func (l *laneServer) send(parts ...[]byte) {
	if !l.controller.IsUndefined() {
		l.controller.Post(map[string]any{"data": parts})
	}
}

// message handles the page's messages.
func (l *laneServer) message(m js.Value) {
	switch m.Get("t").String() {
	case "controller":
		l.controller = browser.Port{Value: m.Get("port")}
		l.controller.Listen(l.control)
	case "ack":
		l.owed = false
		nudge(l.wake)
	}
}

// control handles a message of the controller inside the callback; work is only queued.
func (l *laneServer) control(m js.Value) {
	l.run = m.Get("run").Int()
	work, err := l.w.Control(browser.Bytes(m.Get("data")))
	if err != nil {
		panic(err) // a bug, as controller and lane are one program; the worker is replaced
	}
	if work { // the page does not acknowledge frames of the previous run
		l.owed = false
		nudge(l.units)
	}
	nudge(l.wake)
}

// wait pauses as long as must returns true, and reports the pause.
func (l *laneServer) wait(must func() bool) {
	for ; must(); l.last = time.Now() {
		if heard := l.w.Received(); l.pausedAt != heard {
			l.pausedAt = heard
			l.alive()
		}
		<-l.wake
	}
	l.pausedAt = 0
}

// pulse is the yield of the worker's meter, called while a model is opened and within long frames.
func (l *laneServer) pulse(float64) error {
	l.after(yieldEvery)
	l.wait(l.w.Waiting)
	if l.w.Unwanted() {
		return context.Canceled
	}
	return nil
}

// open opens the requested model and the newest unit, nil if there is none.
func (l *laneServer) open() (*engine.Running, error) {
	l.opens = true
	defer func() { l.opens = false }()
	l.meter.NextPart()
	l.w.Prepare(&l.meter)
	if !l.w.HasUnit() {
		return nil, nil
	}
	return l.w.Start(&l.meter)
}

// compute runs the newest unit.
func (l *laneServer) compute() {
	var r *engine.Running
	defer func() {
		switch p := recover().(type) {
		case nil, meter.Stopped:
		default:
			if r == nil {
				panic(p)
			}
			l.send(r.ErrorMessage(problem.New("internal error in %s: %v", r.Unit.Round, p)))
		}
	}()

	// The unit, if there is one.
	r, err := l.open()
	if err != nil && !l.w.Unwanted() {
		l.send(r.ErrorMessage(err))
	}
	if err != nil || r == nil {
		return
	}

	// Whether to show the first frames.
	r.Unit.EveryFrame = r.Watched() && r.Paused()
	r.Unit.Watched = r.Unit.EveryFrame // otherwise the first frame belongs to the film
	r.Unit.Snapshots = r.NeedsSnapshots()
	pictured, before := false, -1
	for f := range r.Frames {
		stepped := r.Stepped()
		pace := yieldEvery
		if l.owed {
			pace = owedEvery
		}
		l.after(pace)
		if r.Aborted() {
			return
		}
		for _, m := range r.Notes() {
			l.send(m)
		}

		// Provisional results, and a frame if the canvas has time.
		now := time.Now()
		waiting := r.Waiting()
		if now.Sub(l.lastPeek) > peekEvery || stepped || waiting {
			l.lastPeek = now
			l.send(r.PeekMessage(f))
		}
		last := f.Step == r.Unit.LastStep
		film := !last && !r.Unit.Watched // the frame belongs to the film, not to the watched track
		picture := (len(f.Beta) > 0 || f.Growth != nil || f.Training != nil) && r.Watched()
		if picture && (last || film || !l.owed || stepped || waiting) {
			l.lastFrame, l.owed = now, true
			l.show(r, f, film)
		}

		// Rounds without frames run at full speed.
		if pictured = pictured || picture; pictured && r.MinDescentTime() > 0 && before >= 0 && f.Step > before {
			l.slowDown(r, float64(f.Step-before)/float64(max(f.Steps, 1)))
		}
		before = f.Step
		l.wait(r.Waiting)
		if r.Aborted() {
			return
		}
		r.Unit.Snapshots = r.NeedsSnapshots()
		// Slow motion and steps show all frames that the canvas has time for.
		r.Unit.EveryFrame = r.Watched() && (r.Paused() || r.MinDescentTime() > 0 && !l.owed)
		r.Unit.Watched = r.Unit.EveryFrame || r.Watched() && !l.owed &&
			now.Sub(l.lastFrame) > time.Duration(r.PictureInterval())*time.Millisecond
	}
	l.send(r.DoneMessage()...)
}

// Waits are at least shortest, the resolution of a browser's timers; slow motion makes up for delays of at most slack.
const shortest, slack = 8 * time.Millisecond, 50 * time.Millisecond

// slowDown delays the lane in slow motion, so that a share of the way from base to target takes the required time.
func (l *laneServer) slowDown(r *engine.Running, share float64) {
	slow := r.MinDescentTime()
	if now := time.Now(); l.due.Before(now.Add(-slack)) {
		l.due = now.Add(-slack)
	}
	l.due = l.due.Add(time.Duration(share * float64(slow) * float64(time.Millisecond)))
	for r.MinDescentTime() == slow && !r.Waiting() && !r.Aborted() {
		left := time.Until(l.due)
		if left < shortest {
			return
		}
		select {
		case <-l.wake: // another speed, a pause or an end
		case <-time.After(left):
		}
		l.last = time.Now()
	}
	l.due = time.Now()
}

// show sends a frame to the page, which keeps the newest frame of each part for a canvas that loads later; frames of
// the film are parts of their own.
func (l *laneServer) show(r *engine.Running, f *frame.Frame, film bool) {
	f.Method = r.Method()
	part := f.Method + "/" + strconv.Itoa(f.First)
	if film {
		part += "@" + strconv.Itoa(f.Step)
	}
	browser.Post(map[string]any{"t": "frame", "part": part, "run": l.run, "data": f.Append(nil)})
}
