package main

import (
	"runtime/debug"
	"syscall/js"
	"time"
)

// main runs the role given by site/worker.js until the worker is ended.
func main() {
	lazyCollector()
	if js.Global().Get("logz").Get("role").String() == "controller" {
		serveController()
	} else {
		serveLane()
	}
}

// lazyCollector lets the heap grow to 16 MB, not 4, before the first collection, for a limited time. Most objects made
// at the start stay in use, so early collections free little and delay the first result. Later the heap may grow by
// half, not to twice its size: WebAssembly memory never shrinks, and most of it is arrays of numbers, which collections
// need not scan.
func lazyCollector() {
	debug.SetGCPercent(400)
	time.AfterFunc(2*time.Second, func() { debug.SetGCPercent(50) })
}
