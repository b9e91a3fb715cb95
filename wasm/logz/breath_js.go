package main

import (
	"syscall/js"
	"time"
)

// breath lets the browser deliver events while Go computes: without it messages, and so pauses, wait until Go is done.
type breath struct {
	port js.Value
	back chan struct{}
	last time.Time     // when it was let, or Go began to compute
	gap  time.Duration // the longest time without, until somebody resets it
}

func newBreath() *breath {
	b := &breath{back: make(chan struct{}, 1), last: time.Now()}
	channel := js.Global().Get("MessageChannel").New()
	b.port = channel.Get("port2")
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		b.back <- struct{}{}
		return nil
	}))
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
