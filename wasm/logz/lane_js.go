package main

import (
	"fmt"
	"syscall/js"
	"time"

	"logzlab/core/frame"
	"logzlab/core/kernel"
	"logzlab/core/problem"
	"logzlab/estimators/engine"
)

// Rhythm of a lane worker.
const (
	yieldEvery = 16 * time.Millisecond  // events get in, so that pause and abort act
	owedEvery  = 6 * time.Millisecond   // the same while a picture is on its way, or the next would wait for a yield
	peekEvery  = 200 * time.Millisecond // running numbers
	aliveEvery = time.Second
)

// laneServer runs units for the brain.
type laneServer struct {
	w         *engine.Worker
	units     chan struct{} // a unit has come
	wake      chan struct{} // something changed for a paused unit
	yielded   chan struct{}
	port      js.Value
	owed      bool // a frame has not been acknowledged
	lastYield time.Time
	lastFrame time.Time
	lastPeek  time.Time
}

func serveLane() {
	l := &laneServer{w: engine.NewWorker(), units: make(chan struct{}, 1), wake: make(chan struct{}, 1),
		yielded: make(chan struct{}, 1)}
	channel := js.Global().Get("MessageChannel").New()
	l.port = channel.Get("port2")
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		l.yielded <- struct{}{}
		return nil
	}))
	listen(l.message)
	post(map[string]any{"t": "ready", "simd": kernel.SIMD()}, nil)
	go func() {
		for {
			time.Sleep(aliveEvery)
			l.send([]byte{engine.MsgAlive})
		}
	}()
	for range l.units {
		l.run()
	}
}

func (l *laneServer) send(b []byte) { post(map[string]any{"t": "data"}, b) }

// message handles the page's messages inside the callback; only work is queued.
func (l *laneServer) message(m js.Value) {
	switch m.Get("t").String() {
	case "ack":
		l.owed = false
		nudge(l.wake)
	case "data":
		run, err := l.w.Control(bytesOf(m.Get("data")))
		if err != nil {
			panic(err) // brain and lane are one program: a bug, and the worker is replaced
		}
		if run {
			nudge(l.units)
		}
		nudge(l.wake)
	}
}

// nudge sets a flag that one receiver clears.
func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// yield lets the browser deliver events.
func (l *laneServer) yield() {
	l.port.Call("postMessage", js.Null())
	<-l.yielded
	l.lastYield = time.Now()
}

func (l *laneServer) run() {
	r, err := l.w.Start()
	if err != nil {
		l.send(r.Failed(err))
		return
	}
	defer func() {
		if p := recover(); p != nil {
			l.send(r.Failed(problem.New("internal error in %s: %v", r.Unit.Round, p)))
		}
	}()
	r.Unit.Watched = r.Watched() && r.Paused() // else the first picture is the film's
	r.Unit.Film = r.Filmed()
	for f := range r.Frames {
		stepped := r.Stepped()
		pace := yieldEvery
		if l.owed {
			pace = owedEvery
		}
		if time.Since(l.lastYield) > pace {
			l.yield()
		}
		if r.Aborted() {
			return
		}
		now := time.Now()
		waiting := r.Waiting()
		if now.Sub(l.lastPeek) > peekEvery || stepped || waiting {
			l.lastPeek = now
			l.send(r.Peek(f))
		}
		last := f.Step == r.Unit.Last
		film := !last && !r.Unit.Watched // not watched, so the picture is one of the film
		if (len(f.Beta) > 0 || f.Growth != nil) && r.Watched() && (last || film || !l.owed || stepped || waiting) {
			l.lastFrame, l.owed = now, true
			l.show(r, f, film)
		}
		l.dawdle(r, now)
		for r.Waiting() {
			<-l.wake
		}
		if r.Aborted() {
			return
		}
		r.Unit.Film = r.Filmed()
		// Slow motion and steps show every frame.
		r.Unit.Watched = r.Watched() && (r.Paused() || r.Slow() > 0 || !l.owed &&
			now.Sub(l.lastFrame) > time.Duration(r.Rest())*time.Millisecond)
	}
	l.send(r.Done())
}

// patience is how long slow motion waits for a picture to be drawn, so that none is left out.
const patience = time.Second

// dawdle makes a frame last, so that people can follow it.
func (l *laneServer) dawdle(r *engine.Running, since time.Time) {
	for r.Slow() > 0 && !r.Waiting() && !r.Aborted() {
		long := time.Duration(r.Slow()) * time.Millisecond
		if l.owed {
			long = max(long, patience)
		}
		left := long - time.Since(since)
		if left <= 0 {
			return
		}
		select {
		case <-l.wake: // perhaps another speed, a pause, an end, or the picture is drawn
		case <-time.After(left):
		}
	}
}

// show posts a picture. Of each part the page keeps the newest, for a stage that
// comes late; those of the film are parts of their own.
func (l *laneServer) show(r *engine.Running, f *frame.Frame, film bool) {
	f.Method = r.Method()
	part := fmt.Sprint(f.Method, f.First)
	if film {
		part += fmt.Sprint("@", f.Step)
	}
	post(map[string]any{"t": "frame", "part": part}, f.Append(nil))
}
