package kernel

import (
	"math"

	"logzlab/core/num"
)

// Pool has samples weighted at some rungs, for the equations of mbar (estimators/mbar/solve.go). It processes four
// samples at a time.
type Pool struct {
	Rungs int
	E     []float64 // samples x rungs, padded with rows of 0 to a multiple of four
	N     []float64 // number of samples of each rung
	LogN  []float64
	Norm  []float64 // normalisation of each sample, see Weigh
}

// PoolSums has sums over samples, with P_ik = A_k E_ik / sum_l A_l E_il.
type PoolSums struct {
	A   []float64 // factor of each rung
	Inv []float64 // 1 / sum_k A_k E_ik of each sample; 0 in the padding
	Sum []float64 // sum_i E_ik Inv_i of each rung
	G   []float64 // rungs x rungs + 1: sum_i P_ik P_il for l <= k; other entries are undefined
	row []float64 // P of four samples
}

// poolAccelerator computes the methods of Pool with the bits of the Go code, for an even number of rungs; pass and
// products for samples from..to, a multiple of four.
type poolAccelerator interface {
	weigh(p *Pool, from, to int, total []float64)
	pass(p *Pool, s *PoolSums, from, to int)
	products(p *Pool, s *PoolSums, from, to int)
}

// pools returns the poolAccelerator. It is nil, or returns nil, on platforms without one.
var pools func() poolAccelerator

func (p *Pool) accelerator() poolAccelerator {
	if pools == nil || PureGo || p.Rungs%2 != 0 {
		return nil
	}
	return pools()
}

// Weigh replaces E of the samples from..to, which is log f - z with z by rung, by their weights, and sets Norm:
//
//	E_ik = f_k(x_i) e^(-z_k - norm_i),  norm_i = log sum_k N_k f_k(x_i) e^-z_k.
func (p *Pool) Weigh(from, to int) {
	if m := p.accelerator(); m != nil && from < to {
		total := make([]float64, to-from)
		m.weigh(p, from, to, total)
		for i, sum := range total {
			p.Norm[from+i] += num.Log(sum)
		}
		return
	}
	for i := from; i < to; i++ {
		e := p.E[i*p.Rungs : (i+1)*p.Rungs]
		top := math.Inf(-1)
		for k, x := range e {
			top = max(top, x+p.LogN[k])
		}
		sum := 0.0
		for k, x := range e {
			e[k] = num.Exp(x - top)
			sum += float64(p.N[k] * e[k])
		}
		p.Norm[i] = top + num.Log(sum)
		for k := range e {
			e[k] /= sum
		}
	}
}

// NewSums returns memory for sums over the samples of E.
func (p *Pool) NewSums() *PoolSums {
	n := p.Rungs
	return &PoolSums{A: make([]float64, n), Inv: make([]float64, len(p.E)/n), Sum: make([]float64, n)}
}

// Pass sets Inv of the samples from..to, both multiples of four, and adds their terms to Sum. It does not change Inv
// beyond the last sample.
func (p *Pool) Pass(s *PoolSums, from, to int) {
	if whole := min(to, len(p.Norm)/4*4); whole > from {
		if m := p.accelerator(); m != nil {
			m.pass(p, s, from, whole)
			from = whole
		}
	}
	for i := from; i < to; i += 4 {
		e0, e1, e2, e3 := p.four(i)
		inv := s.Inv[i : i+4]
		inv[0], inv[1], inv[2], inv[3] = num.Dot4(s.A, e0, e1, e2, e3)
		for t := range inv {
			inv[t] = 1 / inv[t]
			if i+t >= len(p.Norm) {
				inv[t] = 0
			}
		}
		addFour(s.Sum, e0, e1, e2, e3, inv)
	}
}

// four returns rows i to i+3 of E.
func (p *Pool) four(i int) (e0, e1, e2, e3 []float64) {
	n := p.Rungs
	e := p.E[i*n : (i+4)*n]
	return e[:n], e[n : 2*n], e[2*n : 3*n], e[3*n:]
}

// addFour adds four rows to sum, each times its factor.
func addFour(sum, e0, e1, e2, e3, by []float64) {
	b0, b1, b2, b3 := by[0], by[1], by[2], by[3]
	e0, e1, e2, e3 = e0[:len(sum)], e1[:len(sum)], e2[:len(sum)], e3[:len(sum)]
	for k := range sum {
		sum[k] += (float64(b0*e0[k]) + float64(b1*e1[k])) + (float64(b2*e2[k]) + float64(b3*e3[k]))
	}
}

// faintP is the probability below which a sample counts as 0 in products of probabilities. This keeps the products of
// 1e6 samples accurate to 1e-14.
const faintP = 1e-20

// Products adds the terms of the samples from..to, both multiples of four, to G; Pass must be called before.
// Neighbouring samples are from the same rung and have mass at the same few rungs, so many of the products are omitted.
func (p *Pool) Products(s *PoolSums, from, to int) {
	n := p.Rungs
	if s.G == nil {
		s.G, s.row = make([]float64, n*n+1), make([]float64, 4*n+1)
	}
	if m := p.accelerator(); m != nil && from < to {
		m.products(p, s, from, to)
		return
	}
	for i := from; i < to; i += 4 {
		lo, hi := n, 0
		for t := range 4 {
			e, row := p.E[(i+t)*n:(i+t+1)*n], s.row[t*n:(t+1)*n]
			for k, a := range s.A {
				row[k] = float64(float64(a*e[k]) * s.Inv[i+t])
				if row[k] > faintP {
					lo, hi = min(lo, k), max(hi, k+1)
				}
			}
		}
		for k := lo; k < hi; k++ {
			by := [4]float64{s.row[k], s.row[n+k], s.row[2*n+k], s.row[3*n+k]}
			addFour(s.G[k*n+lo:k*n+k+1], s.row[lo:], s.row[n+lo:], s.row[2*n+lo:], s.row[3*n+lo:], by[:])
		}
	}
}
