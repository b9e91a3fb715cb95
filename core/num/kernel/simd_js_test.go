package kernel

import (
	"slices"
	"testing"

	"logzlab/core/num/rng"
)

// Under Node, which has SIMD, the module must be used, in Go's own memory.
func TestSIMD(t *testing.T) {
	testAccelerator(t, func(net *Net, rows int) (a, b *Rows) {
		PureGo = true
		a = NewRows(net, rows)
		PureGo = false
		b = NewRows(net, rows)
		if a.fast != nil || b.fast == nil {
			t.Fatalf("accelerators: %v and %v, want none and one", a.fast, b.fast)
		}
		return a, b
	})
}

func TestSIMDDoesNotAllocate(t *testing.T) {
	p := NewRows(randomNet("allocs", 50, 40, 1<<30), 10)
	scale, out := []float64{1e-9, 2e-9}, make([]float64, 20)
	at := rng.At{}
	if n := testing.AllocsPerRun(100, func() {
		at.Step++
		p.Sweep(at, 0, 10, 50, false)
		p.Softplus(0, 10, scale, out, at.Step%2 == 0)
	}); n != 0 {
		t.Errorf("%g allocations in a sweep", n)
	}
}

func TestSIMDTempering(t *testing.T) {
	testTempering(t, tempering(), func(x *Tempering) *Tempering {
		return x.cloned(slices.Clone[[]float64], slices.Clone[[]int32], slices.Clone[[]bool])
	})
}

func TestSIMDProducts(t *testing.T) {
	testProducts(t, products(), slices.Clone[[]float64], slices.Clone[[]int64])
}

func TestSIMDMeans(t *testing.T) {
	testMeans(t, meansBy(), func(m *Matrix) *Matrix { return m }, slices.Clone[[]float64])
}

func TestSIMDPool(t *testing.T) { testPool(t, pools(), slices.Clone[[]float64]) }

func TestSIMDFilter(t *testing.T) {
	testFilter(t, filters(), slices.Clone[[]float64], slices.Clone[[]int32])
}

func TestSIMDSpins(t *testing.T) {
	v := spinsBy()
	testSpins(t, func(p *Spins, at rng.At, n int, back bool) {
		if !v.sweep(p, at, n, back) {
			t.Fatal("sweep returned false")
		}
	})
}
