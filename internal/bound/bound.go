package bound

import (
	"runtime/metrics"
	"testing"
	"time"
)

// Limits of one input: the page is silent for no longer, on a processor of its own, and may take no more memory.
const (
	MaxTime  = 5 * time.Second
	MaxBytes = 1.5e9
)

// Check starts to count; the function that it returns fails the test if more was taken than an input may. Bytes are
// all that were allocated, whether they were freed or not. Use it as
//
//	defer Check(t)()
func Check(t testing.TB) func() {
	start, used, before := time.Now(), spent(), allocated()
	return func() {
		t.Helper()
		// On a busy machine the clock says little of an input.
		busy := time.Duration(float64(spent()-used) * float64(time.Second))
		if d := min(time.Since(start), busy); d > MaxTime {
			t.Errorf("it took %v, more than %v", d, MaxTime)
		}
		if n := allocated() - before; n > MaxBytes {
			t.Errorf("it allocated %.1f GB, more than %.1f", n/1e9, MaxBytes/1e9)
		}
	}
}

func allocated() float64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return float64(s[0].Value.Uint64())
}
