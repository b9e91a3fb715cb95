package meter

import "runtime"

// watched is the meter that Pulse counts on.
var watched *Meter

// Watch has Pulse count on m, nil for nobody, and returns the meter before. Only a program that does one thing at a
// time may call it, as a worker of the page does: there the event loop waits for whatever is computed. In others, as
// the command, Pulse has no effect but in WebAssembly (letIn).
func Watch(m *Meter) (before *Meter) {
	before, watched = watched, m
	return before
}

// Stopped is what Pulse panics with when the watching Meter's Yield returns an error: the work is not wanted any more.
type Stopped struct{ Err error }

// Pulse is Did for work that no Meter is passed down to, as a sweep of a large population or a table that is made when
// it is first used. Whoever calls it leaves everything valid if it panics with Stopped.
func Pulse(ops float64) {
	if watched != nil {
		pulse(ops)
	} else if runtime.GOOS == "js" {
		letIn(ops)
	}
}

// since is operations since letIn let others in.
var since float64

// letIn lets other goroutines in now and then: garbage collection would never end in a loop that allocates.
func letIn(ops float64) {
	if since += ops; since >= YieldOps {
		since = 0
		LetIn()
	}
}

// LetIn lets other goroutines in where nothing preempts a loop, not even garbage collection: in WebAssembly. Elsewhere
// it has no effect: waking a thread at every frame of a lane took a tenth of a run.
func LetIn() {
	if runtime.GOOS == "js" {
		runtime.Gosched()
	}
}

func pulse(ops float64) {
	if err := watched.Did(ops); err != nil {
		panic(Stopped{err})
	}
}

// Ahead is Expect for work that pulses.
func Ahead(ops float64) { watched.Expect(ops) }
