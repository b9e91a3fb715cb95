package temper

import (
	"math"

	"logzlab/core/num"
)

// maxMerge is the largest number of rungs of a merge: the cost of a Newton step is their cube.
const maxMerge = 300

// mergedLogZ is the maximum-likelihood combination of batches.
type mergedLogZ struct {
	z, se   []float64
	batches float64
}

// merger maximises the likelihood of batches with different log Zhat over lambda = log Z with lambda_1 = 0.
type merger struct {
	batches []*Record
	n       int // free components
}

// mergeBatches combines the final batch with the initial iterations in which no rung had six times its share or more
// ([RTS] Appendix A). It returns nil if some rung was never visited, as its log Z is then not determined. It maximises,
// over lambda = log Z with lambda_1 = 0,
//
//	L = sum_t N_t { sum_k c^t_k lambda_k - lse_k(lambda_k + a^t_k) }, a^t = log r - log Zhat^t,
//
// by Newton steps with halving. The covariance is the robust one, H^-1 (sum_t N_t^2 Cov c^t) H^-1, with Cov c^t
// estimated between rows.
func mergeBatches(batches []*Record) *mergedLogZ {
	m := &merger{batches, len(batches[0].Conditionals.LogC) - 1}
	lambda, p := m.solve()
	h := m.hessian(p)
	if h == nil {
		return nil
	}
	return &mergedLogZ{z: lambda, se: m.errors(h), batches: float64(len(batches))}
}

// solve finds the maximum, starting from the last batch, and p^t there; p is nil if a step cannot be made.
func (m *merger) solve() (lambda []float64, p [][]float64) {
	last := m.batches[len(m.batches)-1]
	lambda = last.logZ(last.Conditionals)
	best, p := m.value(lambda)

	// Newton steps, halved until the value does not fall.
	for iter := 0; iter < 100; iter++ {
		h := m.hessian(p)
		if h == nil {
			return lambda, p
		}
		step := m.newton(h, p)
		size := 0.0
		for _, s := range step {
			size = max(size, math.Abs(s))
		}
		for scale := 1.0; scale > 1e-6; scale /= 2 {
			next := append([]float64(nil), lambda...)
			for i, s := range step {
				next[i+1] += num.Mul(scale, s)
			}
			v, q := m.value(next)
			if v >= best-num.Mul(1e-12, math.Abs(best)) {
				lambda, best, p = next, v, q
				break
			}
		}
		if size < 1e-12 {
			break
		}
	}
	return lambda, p
}

// value returns L at l, and p^t, the softmax of l + a^t, of each batch.
func (m *merger) value(l []float64) (sum float64, p [][]float64) {
	a := make([]float64, len(l))
	for _, b := range m.batches {
		for k, level := range b.levels() {
			a[k] = l[k] - level
		}
		norm := num.LogSumExp(a)
		q := make([]float64, len(l))
		for k := range q {
			q[k] = num.Exp(a[k] - norm)
			sum += num.Mul(b.N, num.Exp(b.Conditionals.LogC[k])*l[k])
		}
		sum -= num.Mul(b.N, norm)
		p = append(p, q)
	}
	return
}

// hessian returns minus the Hessian of L with a small ridge, factored; nil if it is not positive definite.
func (m *merger) hessian(p [][]float64) []float64 {
	n := m.n
	h := make([]float64, n*n)
	trace := 0.0
	for t, b := range m.batches {
		for i := 0; i < n; i++ {
			for j := 0; j <= i; j++ {
				h[i*n+j] -= num.Mul(b.N, p[t][i+1]*p[t][j+1])
			}
			h[i*n+i] += num.Mul(b.N, p[t][i+1])
		}
	}
	for i := 0; i < n; i++ {
		trace += h[i*n+i]
	}
	for i := 0; i < n; i++ {
		h[i*n+i] += num.Mul(1e-12, trace) / float64(n)
		for j := 0; j < i; j++ {
			h[j*n+i] = h[i*n+j]
		}
	}
	if !num.Cholesky(h, n, nil) {
		return nil
	}
	return h
}

// newton returns the step H^-1 sum_t N_t (c^t - p^t); h is the factored Hessian.
func (m *merger) newton(h []float64, p [][]float64) []float64 {
	step := make([]float64, m.n)
	for t, b := range m.batches {
		for i := range step {
			step[i] += num.Mul(b.N, num.Exp(b.Conditionals.LogC[i+1])-p[t][i+1])
		}
	}
	num.SolveLower(h, m.n, step)
	num.SolveUpperT(h, m.n, step)
	return step
}

// errors returns the standard errors of all components. Column i of H^-1 gives the weights of component i: its variance
// is the sum over batches and rows of (N_t/rows)^2 times a centred quadratic form.
func (m *merger) errors(h []float64) []float64 {
	n := m.n
	se := make([]float64, n+1)
	for i := 0; i < n; i++ {
		g := make([]float64, n)
		g[i] = 1
		num.SolveLower(h, n, g)
		num.SolveUpperT(h, n, g)
		total := 0.0
		for _, b := range m.batches {
			rows := float64(len(b.Conditionals.Rows))
			proj := make([]float64, len(b.Conditionals.Rows))
			mean := 0.0
			for c, row := range b.Conditionals.Rows {
				for k := 0; k < n; k++ {
					proj[c] += num.Mul(g[k], num.Exp(row[k+1]))
				}
				mean += proj[c] / rows
			}
			v := 0.0
			for _, x := range proj {
				v += num.Mul(x-mean, x-mean)
			}
			total += num.Mul(b.N*b.N, v) / (rows * (rows - 1))
		}
		se[i+1] = math.Sqrt(total)
	}
	return se
}
