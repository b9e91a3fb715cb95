package bound

import "testing"

// recorder records whether a test has failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }

var sink []byte

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		times int
		fails bool
	}{{1, false}, {20, true}} {
		r := &recorder{TB: t}
		done := Check(r)
		for range c.times {
			sink = make([]byte, 100<<20)
		}
		done()
		if sink = nil; r.failed != c.fails {
			t.Errorf("%d00 MiB: failed = %v, want %v", c.times, r.failed, c.fails)
		}
	}
}
