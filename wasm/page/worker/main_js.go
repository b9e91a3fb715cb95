package main

import (
	"runtime/debug"
	"syscall/js"
	"time"
)

// main plays the role that site/worker.js was started in, until the worker is ended.
func main() {
	lazyCollector()
	if js.Global().Get("logz").Get("role").String() == "controller" {
		serveController()
	} else {
		serveLane()
	}
}

// lazyCollector lets the heap grow to 16 MB, not 4, before the first collection, and ends that after a while. Most of
// what a worker makes at its start stays, so early collections find little and delay the first number. From then on
// the heap may grow by half, not to twice its size: a WebAssembly memory never shrinks, and what is large here are
// numbers, which cost a collection nothing.
func lazyCollector() {
	debug.SetGCPercent(400)
	time.AfterFunc(2*time.Second, func() { debug.SetGCPercent(50) })
}
