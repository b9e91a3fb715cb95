package main

import (
	"syscall/js"
	"time"

	"logzlab/wasm/browser"
)

// breath lets the browser deliver events while Go computes. Without it, messages, such as a request to pause, would
// wait until Go is idle.
type breath struct {
	port browser.Port
	back chan struct{}
	last time.Time     // time of the last pause, or when Go began to compute
	gap  time.Duration // the longest time without a pause since the last reset
}

func newBreath() *breath {
	here, there := browser.NewChannel()
	b := &breath{port: there, back: make(chan struct{}, 1), last: time.Now()}
	here.Listen(func(js.Value) { b.back <- struct{}{} })
	return b
}

// take lets the browser deliver pending events, and then returns.
func (b *breath) take() {
	b.gap = max(b.gap, time.Since(b.last))
	b.port.Call("postMessage", js.Null())
	<-b.back
	b.last = time.Now()
}

// after calls take if the last pause is more than the given time ago.
func (b *breath) after(long time.Duration) {
	if time.Since(b.last) > long {
		b.take()
	}
}

// nudge wakes the receiver of c. If c is full, the receiver will be woken anyway.
func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
