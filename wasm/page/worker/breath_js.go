package main

import (
	"syscall/js"
	"time"

	"logzlab/wasm/browser"
)

// breath lets the browser deliver events while Go computes: without it messages, and so pauses, wait until Go is done.
type breath struct {
	port browser.Port
	back chan struct{}
	last time.Time     // when it was let, or Go began to compute
	gap  time.Duration // the longest time without, until somebody resets it
}

func newBreath() *breath {
	here, there := browser.NewChannel()
	b := &breath{port: there, back: make(chan struct{}, 1), last: time.Now()}
	here.Listen(func(js.Value) { b.back <- struct{}{} })
	return b
}

// take lets events in, and returns when those that have come were delivered.
func (b *breath) take() {
	b.gap = max(b.gap, time.Since(b.last))
	b.port.Call("postMessage", js.Null())
	<-b.back
	b.last = time.Now()
}

// after takes one if the last is longer ago.
func (b *breath) after(long time.Duration) {
	if time.Since(b.last) > long {
		b.take()
	}
}

// nudge sets a flag that one receiver clears.
func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
