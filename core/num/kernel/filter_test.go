package kernel

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// filterCase is a filter with data and parameters.
type filterCase struct {
	particles, data int
	at              Autoregression
	returns         func(t int) float64
}

func filterCases() (cases []filterCase) {
	s := rng.NewKey(3, "returns", 0).Stream(0, 0, 0)
	plain := func(int) float64 { return float64(num.Exp(s.Norm()) * s.Norm()) }
	usual := Autoregression{Centre: -.5, Phi: .95, SD: .28, First: .9}
	for _, particles := range []int{1, 2, 3, 4, 5, 8, 31, 100, 101, 1000} {
		for _, data := range []int{1, 2, 3, 60, 945} {
			cases = append(cases, filterCase{particles, data, usual, plain})
		}
	}
	inf := math.Inf(1)
	for _, at := range []Autoregression{
		{}, {Centre: 300, Phi: 1, SD: 3, First: 90}, {Centre: -300, Phi: 1, SD: 3, First: 200},
		{Centre: -9, Phi: .9, SD: 4, First: 6}, {Centre: 0, Phi: -.99, SD: 1e3, First: 1e3},
		{Centre: -700, Phi: .999, SD: 5, First: 9}, {Centre: 700, Phi: .999, SD: 5, First: 9},
		{Centre: -740, Phi: .5, SD: 2, First: 2}, {Centre: 0, Phi: 1, SD: 1e300, First: 1e308},
		{Centre: inf, Phi: 0, SD: 1, First: 1}, {Centre: -inf, Phi: 0, SD: 1, First: 1},
		{Centre: math.NaN()}, {Centre: 0, Phi: .9, SD: inf, First: 1}, {Centre: 0, Phi: .9, SD: 1, First: inf},
		{Centre: 0, Phi: inf, SD: 1, First: 1}, {Centre: 0, Phi: math.NaN(), SD: 1, First: 1},
		{Centre: 0, Phi: 5, SD: 1, First: 1}, {Centre: -1e308, Phi: 5, SD: 1, First: 1},
	} {
		for _, particles := range []int{1, 2, 7, 40} {
			cases = append(cases, filterCase{particles, 30, at, plain})
			for _, y := range []float64{0, 1e-200, 1e6, 1e200} {
				cases = append(cases, filterCase{particles, 30, at, func(t int) float64 {
					if t%9 == 8 {
						return y
					}
					return plain(t)
				}})
			}
		}
	}
	return cases
}

// testFilter compares an accelerator with Go, bit for bit, in sums and in the state of the stream.
func testFilter(t *testing.T, accelerator filterAccelerator, floats func([]float64) []float64,
	ints func([]int32) []int32) {
	t.Helper()
	ends := map[string]int{}
	for i, c := range filterCases() {
		y := make([]float64, c.data)
		for t := range y {
			v := c.returns(t)
			y[t] = float64(v * v)
		}
		want := NewFilter(y, c.particles)
		got := &Filter{Y: floats(y), n: c.particles, x: floats(want.x), old: floats(want.old), w: floats(want.w),
			from: ints(want.from), top: floats(want.top), sum: floats(want.sum)}
		a := rng.NewKey(7, "filter", 0).Stream(3, uint32(i), 5)
		for range i % 4 { // draws before: pairs from both halves of blocks
			a.Float64()
		}
		b := a
		for range 2 {
			what := fmt.Sprintf("%d particles, %d data, %+v", c.particles, c.data, c.at)
			data := want.run(&a, c.at)
			if m := accelerator.filter(got, &b, c.at); m != data {
				t.Fatalf("%s: data = %d, want %d", what, m, data)
			}
			same(t, what, got.top[:data], want.top[:data])
			same(t, what, got.sum[:data], want.sum[:data])
			if a != b {
				t.Fatalf("%s: stream = %v, want %v", what, b, a)
			}
			if data < c.data {
				ends["weights vanish"]++
			} else if slices.ContainsFunc(want.sum[:data], func(x float64) bool { return !num.NotNaN(x) }) {
				ends["no number"]++
			} else {
				ends["last datum"]++
			}
		}
	}
	if t.Logf("ends: %v", ends); len(ends) != 3 {
		t.Errorf("ends: %v, want some of three kinds", ends)
	}
}
