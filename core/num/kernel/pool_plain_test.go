package kernel

import (
	"math"
	"testing"

	"logzlab/core/num"
)

// plainSums computes the results of Pass and Products in plain form: P_ik = A_k E_ik Inv_i, Inv_i = 1 / sum_k A_k E_ik,
// and sums over samples in groups of four, (0 + 1) + (2 + 3).
func plainSums(p *Pool, a []float64) (inv, sum, g []float64) {
	n, samples := p.Rungs, len(p.Norm)
	inv, sum, g = make([]float64, len(p.E)/n), make([]float64, n), make([]float64, n*n)
	e := func(i, k int) float64 { return p.E[i*n+k] }
	for i := range samples {
		inv[i] = 1 / num.Dot(a, p.E[i*n:(i+1)*n])
	}
	prob := func(i, k int) float64 { return float64(float64(a[k]*e(i, k)) * inv[i]) }
	for i := 0; i < len(inv); i += 4 {
		for k := range n {
			sum[k] += (num.Mul(inv[i], e(i, k)) + num.Mul(inv[i+1], e(i+1, k))) +
				(num.Mul(inv[i+2], e(i+2, k)) + num.Mul(inv[i+3], e(i+3, k)))
			for l := range k + 1 {
				term := func(i int) float64 { return num.Mul(prob(i, k), prob(i, l)) }
				g[k*n+l] += (term(i) + term(i+1)) + (term(i+2) + term(i+3))
			}
		}
	}
	return inv, sum, g
}

// Weights by their definition, and sums with the bits of the plain form, in Go and with this processor: Inv, Sum, and G
// if no probability is so small that Products counts it as 0.
func TestPoolByDefinition(t *testing.T) {
	s := stream("pool by definition")
	defer func() { PureGo = false }()
	for try := range 40 {
		n, samples := 1+s.Intn(12), 1+s.Intn(40)
		p := &Pool{Rungs: n, E: make([]float64, (samples+3)/4*4*n), N: make([]float64, n), LogN: make([]float64, n),
			Norm: make([]float64, samples)}
		for k := range n {
			p.N[k] = float64(1 + s.Intn(300))
			p.LogN[k] = num.Log(p.N[k])
		}
		for i := range samples * n {
			p.E[i] = 10 * s.Float64()
		}
		logF := append([]float64(nil), p.E...)
		PureGo = try%2 == 0
		p.Weigh(0, samples)
		for i, norm := range p.Norm {
			row := append([]float64(nil), logF[i*n:(i+1)*n]...)
			for k := range row {
				row[k] += p.LogN[k]
			}
			if want := num.LogSumExp(row); !(math.Abs(norm-want) < 1e-12) {
				t.Fatalf("norm %v, want %v", norm, want)
			}
			for k := range row {
				want := math.Exp(logF[i*n+k] - norm)
				if got := p.E[i*n+k]; !(math.Abs(got-want) <= 1e-12*want) {
					t.Fatalf("weight %v, want %v", got, want)
				}
			}
		}

		sums := p.NewSums()
		for k := range sums.A {
			sums.A[k] = p.N[k] * math.Exp(s.Float64())
		}
		p.Pass(sums, 0, len(sums.Inv))
		p.Products(sums, 0, len(sums.Inv))
		inv, sum, g := plainSums(p, sums.A)
		same(t, "factors", sums.Inv, inv)
		same(t, "sums", sums.Sum, sum)
		for k := range n {
			same(t, "products", sums.G[k*n:k*n+k+1], g[k*n:k*n+k+1])
		}
	}
}
