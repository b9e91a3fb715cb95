package frame

import (
	"bytes"
	"math"
	"reflect"
	"runtime"
	"testing"

	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/internal/bound"
)

// full returns a frame with every field set; N, W and H fit the rows.
func full() *Frame {
	return &Frame{
		Model: "rbm-pcd-20", Method: "rts", Phase: "initial 3", Step: 17, Steps: 4000,
		First: 20, N: 2, W: 3, H: 2,
		Pixels: []byte{0, 1, 2, 1, 0, 1, 1, 1, 0, 0, 2, 2},
		Shades: []byte{0, 255, 2, 1, 128, 1, 17, 1, 9, 0, 2, 2},
		Points: []float32{1.5, -2.25, float32(math.Inf(1)), 3},
		Beta:   []float32{0, 1}, Rung: []int32{0, -7}, LogW: []float32{-1e30, 12.5}, Rungs: 101,
		Parents: []int32{1, 1},
		Curves: []Curve{
			{Method: "ais", Run: 2, Points: []Point{{100, 220.5, 0.1, 219, 222, false},
				{2e9, -1e4, math.Inf(1), -math.MaxFloat64, 0, true}}, Course: []Course{{50, 220, 219, 221, 0.5}}},
			{Method: "", Points: []Point{}},
		},
		Truth: -451.1, HasTruth: true,
		Field: &Field{X0: -1, X1: 1, Y0: -2, Y1: 2, W: 2, H: 2, Log0: []float32{1, 2, 3, 4}, Log1: []float32{5, 6, 7, 8},
			Components: []Component{{1, 2, .5}}},
		Ladders: []Ladder{{Method: "rts", Phase: "initial 1", Beta: []float64{0, 1}, Occupancy: []float64{1, 2},
			LogZ: []float64{0, 1}, SE: []float64{0, .1}, Exact: []float64{0, 2}, Overlap: []float64{.25},
			Guesses: []Guess{{Sweeps: 7, LogZ: []float64{0, 1}, LogC: []float64{-1, -2}}}}},
		Travels: []Travel{{Methods: []string{"rts"}, Chains: 2, Total: 4, Trips: []int32{1},
			FractionUp: []float64{1, 0}, Visits: []float64{1, 2}}},
		Path: &Path{Method: "ais", Schedule: "power:5", Steps: 99, MeasuresG: true, MeasuredVar: 2, MeasuredSchedule: "linear",
			Start:  "rates",
			Starts: []Start{{Name: "rates", Beta: []float64{0, 1}, G: []float64{3, 4}, Joint: []float64{5, 6}, VarianceRatio: 2}},
			Lines:  []Line{{Schedule: "linear", Beta: []float64{0, .5, 1}, Var: 3}, {Schedule: "sm08", Beta: []float64{}}},
			Knots:  []float64{.5}, Beta: []float64{0, 1}, G: []float64{1, 2}, Raw: []float64{1, 3},
			Joint: []float64{2, 2}},
		Plan: &Plan{Methods: []string{"rts", "ts"}, Prior: "weights:1_3", Beta: []float64{0, .25, 1},
			Weights: []float64{1, 2, 3}, Knots: []float64{1, 3}},
		Means: &Means{Method: "rts", W: 1, H: 2, All: []float32{1, 2}, AllSE: []float32{3, 4}, Target: []float32{5, 6},
			TargetSE: []float32{7, 8}, Exact: []float32{9, 10}},
		Weighing:    &Weighing{Phase: PhaseResample, Rule: "residual", ESS: .25, Threshold: .5, LogZ: -3, FrameNumber: 12, ParentFrame: 9},
		Unresampled: &Unresampled{N: 2, Beta: []float32{0, 1}, Shares: []float32{.5, .5, .125, .875}},
		Growth: &Growth{Stage: 3, Stages: 6, R: 2, Parents: []int32{1, -1}, Threshold: .7, Cell: []int32{2, 0, 1, 3, 4, 5},
			Batches: []int32{2, 1}, Exact: []float64{1, 2, 2.25, math.Inf(1), 0, 7},
			Record: []StageRecord{{1, []int32{2, 2}, 1.5, .75, true, 2.5}, {2, []int32{2}, 2, 1, false, -3}}},
		Latent: &Latent{D: 1, X: []float32{1, 2, 3}, Label: []int32{-1, 1, 1}, X0: -1, X1: 4, Y0: 0, Y1: 0, GW: 2, GH: 1,
			Values: []float32{1, 2, 3, 4}, Mean: []float32{.5, .25}, W: 1, H: 2, Pictures: []byte{0, 255, 7, 1, 2, 3},
			ProbAtData: []float32{.5}},
		Training: &Training{Update: 50, Updates: 100, Best: 25, M: 2, Filters: []float32{1, -2, 3, 4}, Data: []byte{1, 0},
			Points: []TrainingPoint{{25, 100, .5, -90, -91}}, Checks: []TrainingCheck{{50, 101, .1, 100, 102, 10, 9}}},
		Parameters: &Parameters{Names: []string{"μ", "log q"}, X: []float32{1, 2, 3, 4}, Base: []float32{-1, 1, -2, 2},
			Target: []float32{0, .5}},
		Flow: &Flow{Params: []float32{.5, 1}, First: 3, Logs: true, Y: []float32{1, -2}, N: 2, X: []float32{1, 2, 3, 4},
			W: []float32{.5, .5, 0, 1}, Parents: []int32{1, 1}, Exact: []float32{.25, 0}},
	}
}

// samples returns frames as methods send them.
func samples() []*Frame {
	return []*Frame{
		full(),
		{},
		{Model: "σ-δ", N: 1, Points: []float32{1, 2}},
		{N: 3, Steps: -1, Beta: []float32{.1, .2, .3}},
		{Curves: []Curve{{Method: "is", Points: []Point{{Sweeps: 1}}}}},
	}
}

// same compares frames; nil and empty slices are equal.
func same(a, b *Frame) bool {
	return bytes.Equal(a.Append(nil), b.Append(nil))
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for i, f := range samples() {
		prefix := []byte("before")
		b := f.Append(bytes.Clone(prefix))
		if !bytes.HasPrefix(b, prefix) {
			t.Fatalf("frame %d: Append does not append", i)
		}
		g, err := Decode(b[len(prefix):])
		if err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		if !same(f, g) {
			t.Errorf("frame %d: %+v became %+v", i, f, g)
		}
	}
	g, _ := Decode(full().Append(nil))
	if !reflect.DeepEqual(full(), g) { // catches fields that are not encoded
		t.Errorf("%+v became %+v", full(), g)
	}
	nan, _ := Decode((&Frame{Curves: []Curve{{Points: []Point{{LogZ: math.NaN()}}}}}).Append(nil))
	if x := nan.Curves[0].Points[0].LogZ; num.NotNaN(x) {
		t.Error("NaN, which marks unknown values, became a number")
	}
}

// TestTruncation checks that a truncated frame is an error.
func TestTruncation(t *testing.T) {
	t.Parallel()
	b := full().Append(nil)
	for n := range b {
		if f, err := Decode(b[:n]); err == nil || f != nil {
			t.Errorf("%d of %d bytes decode to %+v, %v", n, len(b), f, err)
		}
	}
}

// TestShapes checks that inconsistent lengths and excessive sizes are errors.
func TestShapes(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]*Frame{
		"pixels":     {N: 2, W: 2, H: 2, Pixels: make([]byte, 7)},
		"shades":     {N: 1, W: 2, H: 2, Pixels: make([]byte, 4), Shades: make([]byte, 3)},
		"points":     {N: 2, Points: make([]float32, 3)},
		"beta":       {N: 2, Beta: make([]float32, 1)},
		"rung":       {N: 2, Rung: make([]int32, 3)},
		"log w":      {N: 0, LogW: make([]float32, 3)},
		"parents":    {N: 0, Parents: make([]int32, 3)},
		"negative N": {N: -1},
		"huge N":     {N: 1<<20 + 1},
		"huge W":     {W: 1 << 13},
		"negative H": {H: -4},
		"names":      {Parameters: &Parameters{}},
		"parameters": {N: 2, Parameters: &Parameters{Names: []string{"a", "b"}, X: make([]float32, 2)}},
		"quantiles":  {N: 0, Parameters: &Parameters{Names: []string{"a", "b"}, Base: make([]float32, 3)}},
		"no flow":    {Flow: &Flow{}},
		"states":     {Flow: &Flow{N: 2, Y: make([]float32, 1), X: make([]float32, 1), W: make([]float32, 2)}},
		"means": {Flow: &Flow{N: 1, Y: make([]float32, 2), X: make([]float32, 2), W: make([]float32, 2),
			Parents: make([]int32, 1), Exact: make([]float32, 1)}},
		"ancestor": {Flow: &Flow{N: 1, Y: make([]float32, 2), X: make([]float32, 2), W: make([]float32, 2),
			Parents: []int32{1}}},
		"no means": {Means: &Means{}},
		"exact means": {Means: &Means{W: 1, H: 1, All: make([]float32, 1), AllSE: make([]float32, 1),
			Target: make([]float32, 1), TargetSE: make([]float32, 1), Exact: make([]float32, 2)}},
		"their errors": {Means: &Means{W: 1, H: 1, All: make([]float32, 1), AllSE: make([]float32, 1),
			Target: make([]float32, 1)}},
		"no plan":      {Plan: &Plan{}},
		"plan of none": {Plan: &Plan{Beta: []float64{0, 1}, Weights: []float64{1, 1}, Knots: []float64{1, 1}}},
		"one knot": {Plan: &Plan{Methods: []string{"a"}, Beta: []float64{0, 1}, Weights: []float64{1, 1},
			Knots: []float64{1}}},
		"weights": {Plan: &Plan{Methods: []string{"a"}, Beta: []float64{0, 1}, Weights: []float64{1},
			Knots: []float64{1, 1}}},
		"overflow": {N: 1 << 62, W: 4, H: 1, Pixels: []byte{}},
	} {
		if g, err := Decode(f.Append(nil)); err == nil {
			t.Errorf("%s: accepted as %+v", name, g)
		}
	}
}

// TestLyingLengths checks that lengths are compared with the remaining bytes before memory is allocated.
func TestLyingLengths(t *testing.T) {
	for name, read := range map[string]func(r *wire.Reader){
		"bytes":    func(r *wire.Reader) { r.Bytes() },
		"string":   func(r *wire.Reader) { _ = r.String() },
		"floats":   func(r *wire.Reader) { r.Floats() },
		"float32s": func(r *wire.Reader) { r.Float32s() },
		"ints":     func(r *wire.Reader) { r.Int32s() },
	} {
		for _, n := range []uint64{9, 1 << 20, 1 << 40, 1 << 60, 1<<61 + 1, math.MaxUint64} {
			w := wire.Writer{}
			w.Uint(n)
			w.B = append(w.B, 1, 2, 3, 4, 5, 6, 7, 8)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := wire.Reader{B: w.B}
			read(&r)
			runtime.ReadMemStats(&after)
			if r.Err != wire.ErrDamaged {
				t.Errorf("%s of length %d: no error", name, n)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<16 {
				t.Errorf("%s of length %d: %d bytes allocated", name, n, grown)
			}
			if r.Int() != 0 || r.Float() != 0 || r.Float32() != 0 || r.Bool() || r.String() != "" || len(r.Floats()) != 0 ||
				r.Err != wire.ErrDamaged {
				t.Errorf("%s: reads after an error are not zero", name)
			}
		}
	}
}

func TestCodecValues(t *testing.T) {
	t.Parallel()
	var w wire.Writer
	ints := []int{0, 1, -1, 63, 64, -65, math.MaxInt32, math.MinInt32, 1 << 40, math.MaxInt, math.MinInt}
	floats := []float64{0, math.Copysign(0, -1), 1, -1e-308, math.SmallestNonzeroFloat64, math.MaxFloat64, math.Inf(-1)}
	for _, x := range ints {
		w.Int(x)
	}
	w.Floats(floats)
	w.Float32s([]float32{1, -2.5, math.MaxFloat32})
	w.Int32s([]int32{math.MaxInt32, math.MinInt32, 0})
	w.Bool(true)
	w.Bool(false)
	w.Uint(math.MaxUint64)
	w.Bytes(nil)
	w.String("log Z ± é")
	bits := make([]uint8, 19)
	for i := range bits {
		bits[i] = uint8(i * i % 3 & 1)
	}
	w.Bits(bits)
	w.Bits(nil)
	r := wire.Reader{B: w.B}
	for _, x := range ints {
		if got := r.Int(); got != x {
			t.Errorf("Int %d became %d", x, got)
		}
	}
	for i, x := range r.Floats() {
		if math.Float64bits(x) != math.Float64bits(floats[i]) {
			t.Errorf("Float %v became %v", floats[i], x)
		}
	}
	if x := r.Float32s(); !reflect.DeepEqual(x, []float32{1, -2.5, math.MaxFloat32}) {
		t.Errorf("Float32s became %v", x)
	}
	if x := r.Int32s(); !reflect.DeepEqual(x, []int32{math.MaxInt32, math.MinInt32, 0}) {
		t.Errorf("Ints became %v", x)
	}
	if !r.Bool() || r.Bool() || r.Uint() != math.MaxUint64 || len(r.Bytes()) != 0 || r.String() != "log Z ± é" {
		t.Error("scalars do not round trip")
	}
	got := bytes.Repeat([]byte{9}, len(bits))
	r.Bits(got)
	r.Bits(nil)
	if !bytes.Equal(got, bits) {
		t.Errorf("Bits became %v, want %v", got, bits)
	}
	if r.Err != nil || len(r.B) != 0 {
		t.Errorf("%v, %d bytes left", r.Err, len(r.B))
	}
	r.Bits(got) // past the end: units become 0
	if r.Err == nil || !bytes.Equal(got, make([]byte, len(got))) {
		t.Error("Bits past the end did not clear its argument")
	}
}

func FuzzDecode(f *testing.F) {
	for _, x := range samples() {
		b := x.Append(nil)
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		x, err := Decode(b)
		if err != nil {
			return
		}
		// Encoding a decoded frame must decode to the same frame.
		y, err := Decode(x.Append(nil))
		if err != nil || !same(x, y) {
			t.Errorf("%+v became %+v, %v", x, y, err)
		}
	})
}

// FuzzReader reads arbitrary bytes with every method of the reader.
func FuzzReader(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	f.Add([]byte{5, 5, 5}, full().Append(nil))
	f.Fuzz(func(t *testing.T, how, b []byte) {
		defer bound.Check(t)()
		r := wire.Reader{B: b}
		for _, h := range how {
			left := len(r.B)
			switch h % 10 {
			case 0:
				r.Uint()
			case 1:
				r.Int()
			case 2:
				r.Float()
			case 3:
				r.Float32()
			case 4:
				r.Bool()
			case 5:
				r.Bytes()
			case 6:
				r.Floats()
			case 7:
				r.Float32s()
			case 8:
				r.Int32s()
			case 9:
				r.Bits(make([]uint8, h))
			}
			if len(r.B) > left || r.Err != nil && len(r.B) != 0 {
				t.Fatalf("%d bytes left after %d, error %v", len(r.B), left, r.Err)
			}
		}
	})
}
