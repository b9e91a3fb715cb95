package meter

import "runtime"

// watched is the meter that Pulse reports to; nil if none.
var watched *Meter

// Watch makes Pulse report to m (nil: to no meter) and returns the previous meter. Only a program that does one thing
// at a time may call it, as a worker of the page does: there the event loop is blocked by every computation. In other
// programs, such as the command, Pulse has no effect except in WebAssembly (pulseJS).
func Watch(m *Meter) (before *Meter) {
	before, watched = watched, m
	return before
}

// Stopped is the value with which Pulse panics if Yield of the watched Meter returns an error: the work was cancelled.
type Stopped struct{ Err error }

// Pulse is Did for code that no Meter is passed to, such as a sweep of a large population or a table computed on first
// use. Its callers must leave their data valid if it panics with Stopped.
func Pulse(ops float64) {
	if watched != nil {
		pulse(ops)
	} else if runtime.GOOS == "js" {
		pulseJS(ops)
	}
}

// since is the number of operations since pulseJS last yielded.
var since float64

// pulseJS yields now and then: in a loop that allocates, garbage collection could otherwise never finish.
func pulseJS(ops float64) {
	if since += ops; since >= YieldOps {
		since = 0
		YieldToOthers()
	}
}

// YieldToOthers lets other goroutines run where a loop cannot be preempted, not even by the garbage collector: in
// WebAssembly. Elsewhere it does nothing, because waking a thread at every frame of a lane took a tenth of a run's
// time.
func YieldToOthers() {
	if runtime.GOOS == "js" {
		runtime.Gosched()
	}
}

// pulse reports operations to the watched meter.
func pulse(ops float64) {
	if err := watched.Did(ops); err != nil {
		panic(Stopped{err})
	}
}

// ExpectPulses is Expect for code that reports its operations by Pulse.
func ExpectPulses(ops float64) { watched.Expect(ops) }
