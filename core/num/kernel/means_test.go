package kernel

import (
	"math"
	"testing"

	"logzlab/core/num/rng"
)

// meansCases calls f with matrices of many sizes and means, some of them 0, some tiny.
func meansCases(f func(m *Matrix, x, out []float64)) {
	s := rng.NewKey(7, "means", 0).Stream(0, 0, 0)
	for _, size := range [][2]int{{1, 1}, {5, 3}, {16, 16}, {33, 17}, {500, 30}, {20, 784}} {
		m := NewMatrix(size[0], size[1], func(r, c int) int32 { return int32(s.Intn(2*edge+1) - edge) })
		x, out := make([]float64, m.Rows), make([]float64, Padded(m.Cols))
		for r := range x {
			if x[r] = s.Float64(); r%3 == 1 {
				x[r] *= 1e-300
			} else if r%5 == 4 {
				x[r] = 0
			}
		}
		for c := range m.Cols {
			out[c] = float64(s.Intn(1000) - 500)
		}
		f(m, x, out)
	}
}

// testMeans compares an accelerator with Go, bit for bit.
func testMeans(t *testing.T, accelerator meansAccelerator, matrix func(*Matrix) *Matrix,
	floats func([]float64) []float64) {
	t.Helper()
	meansCases(func(m *Matrix, x, out []float64) {
		got := floats(out)
		accelerator.means(matrix(m), floats(x), got)
		m.meansGo(x, out)
		sameBits(t, m, got, out)
	})
}

// Means are the sums of rows times numbers, in the order of the rows.
func TestMeans(t *testing.T) {
	meansCases(func(m *Matrix, x, out []float64) {
		want := append([]float64(nil), out...)
		for r := range x {
			for c := range m.Cols {
				want[c] += float64(x[r] * float64(m.At(r, c)))
			}
		}
		m.Means(x, out)
		sameBits(t, m, out, want)
	})
}

func sameBits(t *testing.T, m *Matrix, got, want []float64) {
	t.Helper()
	for c := range want {
		if math.Float64bits(got[c]) != math.Float64bits(want[c]) {
			t.Fatalf("%d x %d: sum %d is %v, want %v", m.Rows, m.Cols, c, got[c], want[c])
		}
	}
}
