package frame

import (
	"bytes"
	"math"
	"testing"

	"logzlab/internal/bound"
)

// scenic returns a frame with every field set.
func scenic() *Frame {
	return &Frame{
		Model: "m", Method: "rts", Phase: "final", Step: 3, Steps: 9, First: 2, N: 2, Total: 4, W: 1, H: 2, Rungs: 3,
		Pixels: []byte{0, 1, 2, 1}, Points: []float32{1, 2, 3, 4}, Beta: []float32{0, 1}, Rung: []int32{0, 2},
		LogW: []float32{-1, 1}, Parents: []int32{1, 1},
		Curves: []Curve{{"rts", 1, []Point{{1, 2, 3, 4, 5, true}}, []Course{{6, 7, 8, 9, 10}}}}, Truth: 7, HasTruth: true,
		Field: &Field{X0: -1, X1: 1, Y0: -2, Y1: 2, W: 2, H: 2, Log0: []float32{1, 2, 3, 4},
			Log1:       []float32{5, 6, 7, float32(math.Inf(-1))},
			Components: []Component{{1, 2, 0.5}}},
		Ladders: []Ladder{{Method: "rts", Phase: "initial 1", Beta: []float64{0, 1}, Occupancy: []float64{1, math.NaN()},
			LogZ: []float64{0, 1}, SE: []float64{0, 0.1}, Exact: []float64{0, 2}, Overlap: []float64{0.25}},
			{Method: "ais", Beta: []float64{0}, Guesses: []Guess{{5, []float64{0, 1}, []float64{-1, -2}}, {9, []float64{0}, nil}}}},
		Travels: []Travel{{Methods: []string{"rts", "ts"}, Chains: 9, Total: 7,
			Trips: []int32{3, 0}, FractionUp: []float64{1, math.NaN(), 0}, Visits: []float64{1, 2, 0}}, {}},
	}
}

func TestSceneryRoundTrip(t *testing.T) {
	t.Parallel()
	for _, f := range []*Frame{scenic(), {}, {Field: scenic().Field}, {Ladders: scenic().Ladders},
		{Travels: scenic().Travels}} {
		b := f.Append([]byte{9})[1:]
		g, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		// NaN is not equal to itself, so compare the encodings, too.
		if again := g.Append(nil); !bytes.Equal(b, again) {
			t.Errorf("%d bytes became %d", len(b), len(again))
		}
	}
	g, _ := Decode(scenic().Append(nil))
	if g.Field.Components[0].Mass != 0.5 || g.Field.Log1[1] != 6 || g.Field.Y0 != -2 || g.Ladders[0].Exact[1] != 2 ||
		g.Ladders[0].Overlap[0] != 0.25 || g.Ladders[1].Method != "ais" ||
		g.Ladders[1].Guesses[0].LogC[1] != -2 || g.Travels[0].Trips[0] != 3 || g.Travels[0].Methods[1] != "ts" {
		t.Errorf("field %+v, ladders %+v", g.Field, g.Ladders)
	}
}

func TestDamagedScenery(t *testing.T) {
	t.Parallel()
	whole := scenic().Append(nil)
	for n := range whole {
		if _, err := Decode(whole[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes passed", n, len(whole))
		}
	}
	inf := float32(math.Inf(1))
	for name, spoil := range map[string]func(*Frame){
		"a short grid":        func(f *Frame) { f.Field.Log1 = f.Field.Log1[1:] },
		"a grid of one":       func(f *Frame) { f.Field.W = 1 },
		"a huge grid":         func(f *Frame) { f.Field.W, f.Field.H = math.MaxInt, 4 },
		"no width":            func(f *Frame) { f.Field.X1 = f.Field.X0 },
		"an infinite range":   func(f *Frame) { f.Field.X1 = inf },
		"many hills":          func(f *Frame) { f.Field.Components = make([]Component, 65) },
		"a short occupancy":   func(f *Frame) { f.Ladders[0].Occupancy = []float64{1} },
		"an overlap too many": func(f *Frame) { f.Ladders[0].Overlap = []float64{1, 1} },
		"values, no ladder":   func(f *Frame) { f.Ladders[0].Beta = nil },
		"a long guess":        func(f *Frame) { f.Ladders[1].Guesses[0].LogC = []float64{1} },
		"trips of too many":   func(f *Frame) { f.Travels[0].Trips = make([]int32, maxTrips+1) },
		"too many ladders":    func(f *Frame) { f.Ladders = make([]Ladder, 300) },
		"rungs without rows":  func(f *Frame) { f.N = 3 },
	} {
		f := scenic()
		spoil(f)
		if _, err := Decode(f.Append(nil)); err == nil {
			t.Errorf("%s passed", name)
		}
	}
}

func FuzzScenery(f *testing.F) {
	f.Add(scenic().Append(nil))
	f.Add((&Frame{}).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		if g, err := Decode(b); err == nil {
			g.Append(nil)
		}
	})
}
