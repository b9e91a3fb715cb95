package bound

import (
	"runtime/metrics"
	"testing"
	"time"
)

// Limits for one input: the longest time that the page may be unresponsive on an idle processor, and the largest
// allocation.
const (
	MaxTime  = 5 * time.Second
	MaxBytes = 1.5e9
)

// Check starts to measure; the function that it returns fails the test if the limits are exceeded. Allocated bytes
// count even if they were freed. Use it as
//
//	defer Check(t)()
func Check(t testing.TB) func() {
	start, used, before := time.Now(), spent(), allocated()
	return func() {
		t.Helper()
		// The shorter of wall time and CPU time, as wall time is too long on a busy computer.
		busy := time.Duration(float64(spent()-used) * float64(time.Second))
		if d := min(time.Since(start), busy); d > MaxTime {
			t.Errorf("the input took %v, limit %v", d, MaxTime)
		}
		if n := allocated() - before; n > MaxBytes {
			t.Errorf("the input allocated %.1f GB, limit %.1f", n/1e9, MaxBytes/1e9)
		}
	}
}

// allocated returns the bytes allocated so far.
func allocated() float64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return float64(s[0].Value.Uint64())
}
