package kernel

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// testPool compares an accelerator with Go, bit for bit, in weights, passes and products.
func testPool(t *testing.T, accelerator poolAccelerator, floats func([]float64) []float64) {
	t.Helper()
	k := rng.NewKey(7, "pool", 0)
	for try := range 60 {
		s := k.Stream(0, uint32(try), 0)
		n, samples := 2*(1+s.Intn(20)), 1+s.Intn(30)
		reach := []float64{1, 30, 300, 2000}[s.Intn(4)]
		want := &Pool{Rungs: n, E: make([]float64, (samples+3)/4*4*n), N: make([]float64, n), LogN: make([]float64, n),
			Norm: make([]float64, samples)}
		for k := range n {
			want.N[k] = float64(1 + s.Intn(300))
			want.LogN[k] = num.Log(want.N[k])
		}
		for i := range samples * n {
			if want.E[i] = s.Float64() * reach; s.Intn(50) == 0 {
				want.E[i] = []float64{math.Inf(-1), -700, -708.5, -745.2, math.NaN()}[s.Intn(5-try%2)]
			}
		}
		got := &Pool{Rungs: n, E: floats(want.E), N: floats(want.N), LogN: floats(want.LogN), Norm: floats(want.Norm)}
		total := floats(make([]float64, samples))
		accelerator.weigh(got, 0, samples, total)
		PureGo = true
		want.Weigh(0, samples)
		for i, sum := range total {
			got.Norm[i] += num.Log(sum)
		}
		same(t, "weights", got.E, want.E)
		same(t, "norms", got.Norm, want.Norm)

		a := want.NewSums()
		for k := range a.A {
			a.A[k] = want.N[k] * math.Exp(s.Float64())
		}
		b := &PoolSums{A: floats(a.A), Inv: floats(a.Inv), Sum: floats(a.Sum), G: floats(make([]float64, n*n+1)),
			row: floats(make([]float64, 4*n+1))}
		whole := samples / 4 * 4
		want.Pass(a, 0, whole)
		want.Products(a, 0, whole)
		PureGo = false
		if whole == 0 {
			continue
		}
		accelerator.pass(got, b, 0, whole)
		accelerator.products(got, b, 0, whole)
		same(t, "factors", b.Inv, a.Inv)
		same(t, "sums", b.Sum, a.Sum)
		for k := range n {
			same(t, "products", b.G[k*n:k*n+k+1], a.G[k*n:k*n+k+1])
		}
	}
}

// same compares x with y, bit for bit except for NaN payloads.
func same(t *testing.T, what string, x, y []float64) {
	t.Helper()
	for i := range y {
		if math.Float64bits(x[i]) != math.Float64bits(y[i]) && (num.NotNaN(x[i]) || num.NotNaN(y[i])) {
			t.Fatalf("%s: number %d is %v, want %v", what, i, x[i], y[i])
		}
	}
}
