package meter

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"logzlab/core/problem"
)

func TestTake(t *testing.T) {
	m := &Meter{Limit: 1e9}
	if err := m.Take(8e8, nil, nil); err != nil {
		t.Fatal(err)
	}
	err := m.Take(4e8, problem.New("its inverse"), problem.New("give fewer data"))
	want := "its inverse would take 1.2 GB of memory, more than the limit of 1.0 GB; give fewer data"
	if err == nil || err.Error() != want {
		t.Fatalf("got %v, want %s", err, want)
	}
	if m.Free(6e8); m.Take(4e8, nil, nil) != nil {
		t.Fatal("freed memory cannot be taken again")
	}
	m = &Meter{Limit: 1e9, Copies: 3}
	if m.Take(3e8, nil, nil) != nil || m.Fits(1e8) || m.Taken() != 9e8 {
		t.Fatalf("with three copies Taken() = %v, want 9e8", m.Taken())
	}
	if err := (*Meter)(nil).Take(1e18, nil, nil); err != nil {
		t.Fatal(err)
	}
}

func TestDid(t *testing.T) {
	stop := errors.New("stop")
	var shares []float64
	m := &Meter{Yield: func(share float64) error {
		if shares = append(shares, share); len(shares) == 3 {
			return stop
		}
		return nil
	}}
	m.Expect(20e6)
	var err error
	n := 0
	for ; err == nil && n < 1000; n++ {
		err = m.Did(1e6)
	}
	if !errors.Is(err, stop) || n != 12 || len(shares) != 3 || shares[2] != .6 {
		t.Fatalf("stopped after %d million operations with %v at shares %v, want 12 at .2 .4 .6", n, err, shares)
	}
	if (*Meter)(nil).Did(1) != nil {
		t.Fatal("a nil Meter returns an error")
	}
}

// A reader counts its bytes, returns them in parts, and ends with the error of Yield.
func TestReader(t *testing.T) {
	stop := errors.New("stop")
	yields := 0
	m := &Meter{Yield: func(float64) error {
		if yields++; yields == 2 {
			return stop
		}
		return nil
	}}
	n, err := io.Copy(io.Discard, struct{ io.Reader }{m.Reader(bytes.NewReader(make([]byte, 1<<20)), YieldOps/(1<<17))})
	if err != stop || n != 1<<18 {
		t.Fatalf("%d bytes, %v", n, err)
	}
	n, err = io.Copy(io.Discard, (*Meter)(nil).Reader(bytes.NewReader(make([]byte, 9)), 1))
	if err != nil || n != 9 {
		t.Fatalf("%d bytes, %v", n, err)
	}
}
