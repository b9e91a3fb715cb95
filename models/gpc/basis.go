package gpc

import (
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
)

// basis holds the matrices of stage n, which all particles at this stage share.
type basis struct {
	n int
	s []float64 // S = (K+I)^-1 of the first n data, n x n by rows; with gibbs = x, K^-1 in place of (K+I)^-1
	// If n < N, the distribution of z_{n+1} given z_1..z_n is N(a'z, sd^2).
	a  []float64
	sd float64
}

// rowsPerPass is the number of data that extend adds to S in one pass over S.
const rowsPerPass = 4

// extend returns stage n, computed from an earlier stage b (nil for stage 0). Adding a datum adds r r' to S, extended
// by a row and a column of zeros, with r = (-a, 1) / sd ([ARM] A.3). The vectors a come from the triangular factor of
// K+I and not from S, so rounding errors do not accumulate and S need not be recomputed from time to time.
func (m *Classifier) extend(b *basis, n int) *basis {
	out := &basis{n: n, s: make([]float64, n*n)}
	oldN := 0
	if b != nil {
		oldN = b.n
		for i := range oldN {
			copy(out.s[i*n:], b.s[i*oldN:(i+1)*oldN])
		}
	}

	// Add data to S, four at a time.
	for k := oldN; k < n; k += rowsPerPass {
		meter.Pulse(2 * float64(k) * float64(k))
		newRows := m.rowsOfS(k, min(k+rowsPerPass, n))
		for i := range min(k+rowsPerPass, n) { // the lower triangle
			row := out.s[i*n : i*n+i+1]
			if len(newRows) < rowsPerPass {
				for _, r := range newRows {
					num.Axpy(r[i], r[:i+1], row)
				}
				continue
			}
			r0, r1, r2, r3 := newRows[0], newRows[1], newRows[2], newRows[3]
			a0, a1, a2, a3 := r0[i], r1[i], r2[i], r3[i]
			r0, r1, r2, r3 = r0[:len(row)], r1[:len(row)], r2[:len(row)], r3[:len(row)]
			for j, s := range row {
				s += num.Mul(a0, r0[j])
				s += num.Mul(a1, r1[j])
				s += num.Mul(a2, r2[j])
				row[j] = s + num.Mul(a3, r3[j])
			}
		}
	}

	// Copy the lower triangle to the upper one.
	for i := range n {
		for j := range i {
			out.s[j*n+i] = out.s[i*n+j]
		}
	}

	// Distribution of the next datum.
	if n < m.n {
		r := m.rowsOfS(n, n+1)[0]
		out.sd = 1 / r[n]
		out.a = r[:n]
		for i := range out.a {
			out.a[i] *= -out.sd
		}
	}
	return out
}

// rowsOfS returns the vectors r of data lo..hi-1 (see extend), padded with zeros to length hi. Row n of the factor L of
// K+I is (l', sd), and a = L'^-1 l with the first rows of L.
func (m *Classifier) rowsOfS(lo, hi int) [][]float64 {
	m.extendFactor(hi)
	var out [][]float64
	for k := lo; k < hi; k++ {
		r := make([]float64, hi)
		sd := m.l[k*m.n+k]
		for i, l := range m.l[k*m.n : k*m.n+k] {
			r[i] = -l / sd
		}
		r[k] = 1 / sd
		out = append(out, r)
	}
	for i := hi - 2; i >= 0; i-- { // solve with L' for all vectors at once
		row := m.l[i*m.n : i*m.n+i+1]
		for k, r := range out {
			if i < lo+k {
				r[i] /= row[i]
				num.Axpy(-r[i], row[:i], r)
			}
		}
	}
	return out
}

// extendFactor computes the first n rows of m.l: the Cholesky factor of K + I, or of K with gibbs = x.
func (m *Classifier) extendFactor(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.l == nil && m.noiseless {
		m.l, m.factorRows = m.path.l(), m.n
	}
	if m.l == nil {
		m.l = make([]float64, m.n*m.n)
	}
	for ; m.factorRows < n; m.factorRows++ {
		i := m.factorRows
		meter.Pulse(float64(i) * float64(i) / 2)
		copy(m.l[i*m.n:], m.k[i*m.n:i*m.n+i+1])
		m.l[i*m.n+i]++
		// The pivot is the variance of z given its predecessors, which is at least the noise variance 1.
		m.l[i*m.n+i] = math.Sqrt(max(num.CholeskyRow(m.l, m.n, i), 1))
	}
}

// stage returns the basis of stage n. Particles of many lanes are loaded at the same few stages, so the last stage
// returned by stage and the last one returned by next are cached.
func (m *Classifier) stage(n int) *basis {
	if n == 1 {
		return m.extend(nil, 1)
	}
	m.mu.Lock()
	b := m.loadedStage
	if t := m.reachedStage; t != nil && t.n <= n && (b == nil || b.n > n || t.n > b.n) {
		b = t
	}
	m.mu.Unlock()
	if b != nil && b.n > n {
		b = nil
	}
	if b == nil || b.n < n {
		b = m.extend(b, n)
	}
	m.mu.Lock()
	m.loadedStage = b
	m.mu.Unlock()
	return b
}

// next returns the basis of the stage after b.
func (m *Classifier) next(b *basis) *basis {
	m.mu.Lock()
	c := m.reachedStage
	m.mu.Unlock()
	if c == nil || c.n != b.n+1 {
		c = m.extend(b, b.n+1)
		m.mu.Lock()
		m.reachedStage = c
		m.mu.Unlock()
	}
	return c
}
