package e2e

import (
	"context"
	"sync/atomic"
	"time"
)

// guard is how long a test waits for one thing, in time of a quiet machine (see quietTime). It only ends tests that
// hang: whatever the page owes somebody within some time is counted in frames, views or messages, or measured in the
// release tier.
const guard = 2 * time.Minute

// quiet is the time since the start of the tests as a quiet machine would count it, in nanoseconds. keepPace adds to
// it.
var quiet atomic.Int64

// quietTime is the time since the start of the tests by a clock that goes more slowly while the machine is busy, so
// that a wait does not end because other programs run: at a load of 40 on two processors it goes twenty times as
// slowly.
func quietTime() time.Duration { return time.Duration(quiet.Load()) }

// keepPace advances quiet. Every half second it measures a piece of work, and takes the shortest time that it has ever
// taken for that of a quiet machine. slower is by how much this machine is slower than the one for which guard was
// chosen.
func keepPace(slower float64) {
	const pause = 500 * time.Millisecond
	shortest := time.Duration(1 << 62)
	for began := time.Now(); ; {
		start := time.Now()
		work()
		took := time.Since(start)
		shortest = min(shortest, took)
		time.Sleep(pause)
		now := time.Now()
		quiet.Add(int64(float64(now.Sub(began)) * float64(shortest) / float64(took) / slower))
		began = now
	}
}

// sink keeps work from being compiled away.
var sink uint64

// work takes some 10 ms of a processor, longer than a program that wakes up may run before others get their turn.
func work() {
	x := uint64(1)
	for range 10_000_000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink += x
}

// guarded is a context that ends after guard of a quiet machine.
func guarded(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	start := quietTime()
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
				if quietTime()-start > guard {
					cancel()
				}
			}
		}
	}()
	return ctx, cancel
}
