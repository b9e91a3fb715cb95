package meter

import "runtime"

// watched is the meter that Pulse reports to; nil if none.
var watched *Meter

// Watch makes Pulse report to m (nil: to no meter) and returns the previous meter. Only a program that runs one
// computation at a time may call Watch, such as a worker of the page, whose event loop is blocked by a computation. In
// other programs, such as the command, Pulse has no effect except in WebAssembly (pulseJS).
func Watch(m *Meter) (previous *Meter) {
	previous, watched = watched, m
	return previous
}

// Stopped is the value with which Pulse panics if Yield of the watched Meter returns an error: the work was cancelled.
type Stopped struct{ Err error }

// Pulse is Did for code that has no Meter, such as a sweep of a large population or a table computed on first use: it
// counts operations of the watched Meter. It panics with Stopped if the work was cancelled, so callers must leave their
// data valid.
func Pulse(ops float64) {
	if watched != nil {
		pulse(ops)
	} else if runtime.GOOS == "js" {
		pulseJS(ops)
	}
}

// since is the number of operations since pulseJS last yielded.
var opsSinceYield float64

// pulseJS yields to other goroutines every YieldOps operations. Otherwise garbage collection might never finish during
// a loop that allocates.
func pulseJS(ops float64) {
	if opsSinceYield += ops; opsSinceYield >= YieldOps {
		opsSinceYield = 0
		YieldToOthers()
	}
}

// YieldToOthers lets other goroutines run where a loop cannot be preempted, not even by the garbage collector: in
// WebAssembly. Elsewhere it does nothing, because waking a thread at every frame that a worker sends took a tenth of a
// run's time.
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
