package paint

import (
	"slices"
	"testing"
)

func TestSpread(t *testing.T) {
	for _, c := range []struct{ in, want []float64 }{
		{[]float64{10, 50}, []float64{10, 50}},
		{[]float64{50, 50}, []float64{41.5, 58.5}},
		{[]float64{2, 3}, []float64{0, 17}},
		{[]float64{99, 100}, []float64{83, 100}},
		{nil, []float64{}},
	} {
		if got := Spread(c.in, 17, 0, 100); !slices.Equal(got, c.want) {
			t.Errorf("Spread(%v) = %v, want %v", c.in, got, c.want)
		}
	}
}
