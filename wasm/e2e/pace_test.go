package e2e

import (
	"context"
	"sync/atomic"
	"time"
)

// guard is the longest time that a test waits for one condition, in time of an idle computer (see quietTime). It only
// ends tests that hang. Time limits of the page itself are counted in frames, views or messages, or are measured in the
// release tier.
const guard = 2 * time.Minute

// quiet is the value of quietTime in nanoseconds. keepPace advances it.
var quiet atomic.Int64

// quietTime returns the time since the start of the tests, on a clock that runs more slowly while the computer is busy.
// So a wait does not time out because of other programs: at a load of 40 on two processors the clock runs at one
// twentieth of its speed.
func quietTime() time.Duration { return time.Duration(quiet.Load()) }

// keepPace advances quiet. Every half second it measures the time of a fixed amount of work; the shortest time so far
// counts as that of the idle computer. slower is the ratio of this computer's idle time to that of the computer for
// which guard was chosen.
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

// sink keeps the compiler from removing work.
var sink uint64

// work takes about 10 ms of processor time, longer than the time slice of a program that wakes up.
func work() {
	x := uint64(1)
	for range 10_000_000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink += x
}

// guarded returns a context that is cancelled after guard in quietTime.
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
