package engine

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/internal/bound"
	"logzlab/internal/testmodels"
)

// aUnit returns a message with every field filled.
func aUnit() []byte {
	m := unitMessage{ID: 3, Link: "v=1&model=mixture2&method=ais,rts", Base: []float64{.5, .25}, Paused: true, Watch: true,
		Workers: 7,
		Task: Task{Track: 1, Unit: &estimators.Unit{Round: "final", Work: 1, Plan: []byte{1, 2, 3}, Lane: 4,
			State: []byte{5, 6}}}}
	return slices.Concat(m.encode()...)
}

func TestUnitMessage(t *testing.T) {
	t.Parallel()
	b := aUnit()
	m, err := decodeUnit(b[1:])
	if err != nil {
		t.Fatal(err)
	}
	if string(slices.Concat(m.encode()...)) != string(b) {
		t.Errorf("%+v does not encode to what it was decoded from", m)
	}
	for n := 1; n < len(b); n++ {
		if _, err := decodeUnit(b[1:n]); err == nil {
			t.Errorf("a message cut after %d of %d bytes was accepted", n, len(b))
		}
	}
	// No state and an empty state are distinguished.
	m.Task.Unit.State = nil
	if n, err := decodeUnit(slices.Concat(m.encode()...)[1:]); err != nil || n.Task.Unit.State != nil {
		t.Errorf("no state became %v, %v", n.Task.Unit.State, err)
	}
}

// A worker refuses damaged messages with an error, never with a panic.
func TestControlNeverPanics(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	w := NewWorker()
	for range 20000 {
		run, err := w.Control(testmodels.Damage(r, aUnit()))
		if run && err == nil {
			if w.Prepare(nil); w.HasUnit() {
				if running, err := w.Start(nil); err != nil {
					running.ErrorMessage(err)
				}
			}
		}
	}
	if run, err := w.Control(nil); run || err == nil {
		t.Error("an empty message was accepted")
	}
}

func FuzzControl(f *testing.F) {
	f.Add(aUnit())
	f.Add([]byte{MsgWatch, 200})
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		w := NewWorker()
		if run, err := w.Control(b); run && err == nil {
			if w.Prepare(nil); w.HasUnit() {
				w.Start(nil)
			}
		}
	})
}

// aProblem returns an error with nested errors, as arguments and from other packages.
func aProblem() error {
	deep := problem.New("entry %d: %w", 3, errors.New("is lost"))
	return problem.New("%s = %q: %v (%.0f %s)", problem.New("label of line %d", 2), "a", deep, 9.6, "")
}

func written(err error) []byte {
	w := wire.Writer{}
	w.Problem(err)
	return w.B
}

// Errors survive encoding and decoding: text, code and arguments.
func TestErrorMessage(t *testing.T) {
	t.Parallel()
	long := problem.New("bottom")
	for range 32 {
		long = problem.New("in %w", long)
	}
	for _, err := range []error{aProblem(), errors.New("plain"), errors.New(""), problem.New("no places"), long} {
		r := wire.Reader{B: written(err)}
		got := r.Problem()
		if r.Err != nil || len(r.B) != 0 || got.Error() != err.Error() {
			t.Errorf("%q became %q, %v, %d bytes left", err, got, r.Err, len(r.B))
		}
	}
	var in, out *problem.Error
	r := wire.Reader{B: written(aProblem())}
	errors.As(aProblem(), &in)
	if !errors.As(r.Problem(), &out) || out.Code != in.Code || !reflect.DeepEqual(out.Args[0], in.Args[0]) ||
		out.Args[1] != in.Args[1] {
		t.Errorf("%#v became %#v", in, out)
	}
	// A wrapper of another package that adds no words is left out, one that adds some is kept as text.
	r = wire.Reader{B: written(wordless{aProblem()})}
	if !errors.As(r.Problem(), &out) || out.Code != in.Code {
		t.Errorf("what it wraps became %#v", out)
	}
}

// wordless wraps an error as other packages may.
type wordless struct{ error }

func (w wordless) Unwrap() error { return w.error }

// Damaged errors are refused or read as others, never with a panic.
func TestReadErrorNeverPanics(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	b := written(aProblem())
	for n := range b {
		r := wire.Reader{B: b[:n]}
		if r.Problem(); r.Err == nil {
			t.Errorf("an error cut after %d of %d bytes was accepted", n, len(b))
		}
	}
	for range 20000 {
		r := wire.Reader{B: testmodels.Damage(random, b)}
		_ = r.Problem().Error()
	}
	nested := wire.Writer{}
	for range 1000 {
		nested.String("%s")
	}
	nested.String("")
	nested.String("bottom")
	r := wire.Reader{B: nested.B}
	if r.Problem(); r.Err == nil {
		t.Error("errors nested without end were accepted")
	}
}

func FuzzReadError(f *testing.F) {
	f.Add(written(aProblem()))
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		r := wire.Reader{B: b}
		if err := r.Problem(); r.Err == nil && err.Error() != "" {
			again := wire.Reader{B: written(err)}
			if got := again.Problem(); again.Err != nil || got.Error() != err.Error() {
				t.Errorf("%q became %q, %v", err, got, again.Err)
			}
		}
	})
}
