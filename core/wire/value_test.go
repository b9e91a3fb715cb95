package wire

import (
	"math"
	"reflect"
	"testing"

	"logzlab/core/problem"
)

type sample struct {
	Yes    bool
	N      int
	Small  []int32
	Bytes  [][]byte
	X      float64
	Text   string
	Inner  []struct{ A, B float64 }
	Table  [][]float64
	At     *sample
	Counts map[string]float64
	Err    error
	None   error
}

// Decoding restores a value bit for bit, and equal values have equal encodings.
func TestValue(t *testing.T) {
	x := sample{
		Yes: true, N: -5, Small: []int32{1, -2}, Bytes: [][]byte{nil, {}, {200, 1}}, X: math.Copysign(0, -1), Text: "é",
		Inner: []struct{ A, B float64 }{{1, math.Inf(1)}}, Table: [][]float64{nil, {}, {2}}, At: &sample{N: 7},
		Counts: map[string]float64{"b": 1, "a": 2, "c": 3}, Err: problem.New("row %d: %w", 2, problem.New("it is empty")),
	}
	var first, second Writer
	first.Value(x)
	second.Value(x)
	r, got := Reader{B: first.B}, sample{}
	r.Value(&got)
	if r.Err != nil || len(r.B) > 0 || !reflect.DeepEqual(got, x) || !math.Signbit(got.X) {
		t.Errorf("decoded %+v, error %v, want %+v", got, r.Err, x)
	}
	if string(first.B) != string(second.B) {
		t.Error("two encodings of the same value differ")
	}
	nan := math.Float64frombits(0x7FF8000000000123)
	var w Writer
	w.Value(&nan)
	var back float64
	r = Reader{B: w.B}
	if r.Value(&back); math.Float64bits(back) != math.Float64bits(nan) {
		t.Errorf("NaN decoded as %x, want %x", math.Float64bits(back), math.Float64bits(nan))
	}
}

// Corrupt bytes end in an error, and no more memory is allocated than they could fill.
func TestValueCorrupt(t *testing.T) {
	var w Writer
	w.Value(sample{Table: [][]float64{{1, 2}, {3}}, Counts: map[string]float64{"a": 1}, At: &sample{Text: "text"}})
	for n := range w.B {
		r, got := Reader{B: w.B[:n]}, sample{}
		if r.Value(&got); r.Err == nil {
			t.Errorf("%d of %d bytes decode without an error", n, len(w.B))
		}
	}
	huge := Writer{}
	huge.Uint(1 << 60)
	for _, to := range []any{&[]float64{}, &map[string]float64{}} {
		r := Reader{B: huge.B}
		if r.Value(to); r.Err == nil {
			t.Errorf("%T of 2^60 items decodes without an error", to)
		}
	}
}
