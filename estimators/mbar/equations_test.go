package mbar

import (
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/internal/methodtest"
)

// The equations of MBAR in plain form ([Shirts2008] appendix C, with lambda = log Z = -f). logF has log f_k(x_i),
// samples x rungs; n and lambda have a number for each rung.

// logD returns log D_i of every sample, D_i = sum_k n_k f_k(x_i) e^-lambda_k.
func logD(logF [][]float64, n, lambda []float64) []float64 {
	d := make([]float64, len(logF))
	for i, f := range logF {
		terms := make([]float64, len(n))
		for k := range terms {
			terms[k] = num.Log(n[k]) + f[k] - lambda[k]
		}
		d[i] = num.LogSumExp(terms)
	}
	return d
}

// selfConsistent returns log sum_i f_k(x_i) / D_i for every rung (eq. C3).
func selfConsistent(logF [][]float64, n, lambda []float64) []float64 {
	d, out := logD(logF, n, lambda), make([]float64, len(n))
	for k := range out {
		terms := make([]float64, len(logF))
		for i, f := range logF {
			terms[i] = f[k] - d[i]
		}
		out[k] = num.LogSumExp(terms)
	}
	return out
}

// gradient returns n_k - sum_i P_ik for every rung (eq. C6).
func gradient(logF [][]float64, n, lambda []float64) []float64 {
	g := make([]float64, len(n))
	for k, z := range selfConsistent(logF, n, lambda) {
		g[k] = n[k] - n[k]*num.Exp(z-lambda[k])
	}
	return g
}

// hessian returns delta_kl sum_i P_ik - sum_i P_ik P_il, rungs x rungs (eq. C9).
func hessian(logF [][]float64, n, lambda []float64) [][]float64 {
	d, h := logD(logF, n, lambda), make([][]float64, len(n))
	for k := range h {
		h[k] = make([]float64, len(n))
		for i, f := range logF {
			p := n[k] * num.Exp(f[k]-lambda[k]-d[i])
			h[k][k] += p
			for l := range n {
				h[k][l] -= p * n[l] * num.Exp(f[l]-lambda[l]-d[i])
			}
		}
	}
	return h
}

// The pool, which weighs the samples once and then only multiplies and adds, gives the values of the plain equations at
// any lambda: with Go and with the vector code, and with weights made at another lambda. They differ only by rounding,
// as sums are in another order and e^(a+b) is e^a e^b: for n samples by at most about n 2^-53 of a sum of n
// probabilities. 1e-12 n detects a probability left out, and A or E of another lambda.
func TestPoolEquations(t *testing.T) {
	for try, rungs := range []int{2, 3, 6, 9} {
		s := rng.NewKey(3, "equations", 0).Stream(0, uint32(try), 0)
		var logF [][]float64
		n := make([]float64, rungs)
		counts := make([]int, rungs)
		for k := range counts {
			counts[k] = 20 + s.Intn(40)
			n[k] = float64(counts[k])
		}
		rung := blocks(counts)
		for range rung {
			f := make([]float64, rungs)
			for k := range f {
				f[k] = 100 + 4*s.Norm()
			}
			logF = append(logF, f)
		}
		all := make([]int, rungs)
		made, lambda := make([]float64, rungs), make([]float64, rungs)
		for k := 1; k < rungs; k++ {
			all[k], made[k], lambda[k] = k, 3*s.Norm(), 3*s.Norm()
		}
		j := newPool(sampled(logF, rung, 1).Sorted(), all, nil)
		if err := j.prepare(made); err != nil {
			t.Fatal(err)
		}
		p, err := j.evaluate(lambda)
		if err != nil {
			t.Fatal(err)
		}
		next, bound := selfConsistent(logF, n, lambda), 1e-12*float64(len(rung))
		for k := range next {
			methodtest.Near(t, "self-consistent lambda", p.next[k], next[k]-next[0], bound)
		}
		methodtest.NearAll(t, "gradient", p.gradient, gradient(logF, n, lambda), bound)
		g, err := j.products(p)
		if err != nil {
			t.Fatal(err)
		}
		for k, row := range hessian(logF, n, lambda) {
			for l, want := range row {
				got := -g[k*rungs+l]
				if k == l {
					got += p.sum(k)
				}
				methodtest.Near(t, "Hessian", got, want, bound)
			}
		}
	}
}
