package tape

import (
	"math"

	"logzlab/core/num"
)

// shaped computes an operation on vectors or matrices. For every number of points sums have the same order: four
// partial sums over the elements with equal index modulo 4.
func (m *Evaluator) shaped(o *op, out []float64) {
	if o.code == MatMul {
		m.matMul(o, out)
		return
	}
	n, a := m.n, m.operand(o, 0)

	// Reductions with four partial sums.
	switch o.code {
	case Sum:
		lanes := m.zeroPartials()
		for i := range int(o.p) {
			lane := lanes[i%4*n : (i%4+1)*n]
			for r, x := range a[i*n : (i+1)*n] {
				lane[r] += x
			}
		}
		m.sumPartials(out)
	case Dot:
		b, lanes := m.operand(o, 1), m.zeroPartials()
		for i := range int(o.p) {
			lane, y := lanes[i%4*n:(i%4+1)*n], b[i*n:(i+1)*n]
			for r, x := range a[i*n : (i+1)*n] {
				lane[r] += float64(x * y[r])
			}
		}
		m.sumPartials(out)

	// Operations with loops of their own.
	case LogSumExp:
		m.logSumExp(int(o.p), a, out)
	default:
		m.triangular(o, a, out)
	}
}

// zeroPartials returns four partial sums for each point, set to 0.
func (m *Evaluator) zeroPartials() []float64 {
	m.partials = num.Sized(m.partials, 4*m.n)
	clear(m.partials)
	return m.partials
}

// sumPartials adds up the partial sums.
func (m *Evaluator) sumPartials(out []float64) {
	n := m.n
	for r := range out {
		out[r] = (m.partials[r] + m.partials[n+r]) + (m.partials[2*n+r] + m.partials[3*n+r])
	}
}

// logSumExp sets out to log sum e^x over p elements.
func (m *Evaluator) logSumExp(p int, a, out []float64) {
	n := m.n
	copy(out, a[:n])
	for i := n; i < p*n; i++ {
		out[i%n] = max(out[i%n], a[i])
	}
	lanes := m.zeroPartials()
	for i := range p {
		lane := lanes[i%4*n : (i%4+1)*n]
		for r, x := range a[i*n : (i+1)*n] {
			if num.Finite(out[r]) {
				lane[r] += num.Exp(x - out[r])
			}
		}
	}
	for r, top := range out {
		if num.Finite(top) {
			out[r] = top + num.Log((lanes[r]+lanes[n+r])+(lanes[2*n+r]+lanes[3*n+r]))
		}
	}
}

// constArg returns a constant argument, one value for all points; nil for other arguments.
func (m *Evaluator) constArg(o *op, i int) []float64 {
	if at := o.args[i].slot; at < 0 {
		return m.t.constants[^at : ^at+o.length(i)]
	}
	return nil
}

// matMul sets out to A B, each element summed in the order of the columns of A.
func (m *Evaluator) matMul(o *op, out []float64) {
	n, p, q, k := m.n, int(o.p), int(o.q), int(o.r)
	a, constants, b := []float64(nil), m.constArg(o, 0), m.operand(o, 1)
	if constants == nil {
		a = m.operand(o, 0)
	} else if n == 1 && k == 1 {
		product(constants, b, out)
		return
	}
	for i := range p {
		for j := range k {
			to := out[(i*k+j)*n : (i*k+j+1)*n]
			clear(to)
			for l := range q {
				y := b[(l*k+j)*n : (l*k+j+1)*n]
				if constants != nil {
					num.Axpy(constants[i*q+l], y, to)
					continue
				}
				for r, x := range a[(i*q+l)*n : (i*q+l+1)*n] {
					to[r] += float64(x * y[r])
				}
			}
		}
	}
}

// product sets out to A x, four elements at a time.
func product(a, x, out []float64) {
	q, i := len(x), 0
	for ; i+4 <= len(out); i += 4 {
		rows := a[i*q:]
		out[i], out[i+1], out[i+2], out[i+3] = num.Dot4(x, rows, rows[q:], rows[2*q:], rows[3*q:])
	}
	for ; i < len(out); i++ {
		out[i] = num.Dot(x, a[i*q:])
	}
}

// triangular computes Cholesky, Solve and SolveT point by point.
func (m *Evaluator) triangular(o *op, a, out []float64) {
	p, k := int(o.p), int(o.r)
	var b []float64
	if o.code != Cholesky {
		b = m.operand(o, 1)
	}
	for r := range m.n {
		l := m.matrix(0, p*p, a, r)
		if o.code == Cholesky {
			cholesky(l, p)
			m.store(l, out, r)
			continue
		}
		x := m.matrix(1, p*k, b, r)
		if o.code == Solve {
			solve(l, x, p, k)
		} else {
			solveT(l, x, p, k)
		}
		m.store(x, out, r)
	}
}

// matrix copies the values of point r into scratch matrix i.
func (m *Evaluator) matrix(i, size int, a []float64, r int) []float64 {
	m.matrices[i] = num.Sized(m.matrices[i], size)
	out := m.matrices[i]
	for k := range out {
		out[k] = a[k*m.n+r]
	}
	return out
}

// store copies the elements of a matrix x to point r of out.
func (m *Evaluator) store(x, out []float64, r int) {
	for k, v := range x {
		out[k*m.n+r] = v
	}
}

// cholesky replaces the lower triangle of a by its Cholesky factor, with zeros above the diagonal and NaN if a is not
// positive definite.
func cholesky(a []float64, n int) {
	for i := range n {
		for j := range i + 1 {
			s := a[i*n+j]
			for k := range j {
				s -= float64(a[i*n+k] * a[j*n+k])
			}
			switch {
			case i != j:
				a[i*n+j] = s / a[j*n+j]
			case s > 0:
				a[i*n+i] = math.Sqrt(s)
			default:
				a[i*n+i] = math.NaN()
			}
		}
		clear(a[i*n+i+1 : (i+1)*n])
	}
}

// solve replaces x (n x k) by L^-1 x.
func solve(l, x []float64, n, k int) {
	for i := range n {
		row := x[i*k : (i+1)*k]
		for j := range i {
			for c, v := range x[j*k : (j+1)*k] {
				row[c] -= float64(l[i*n+j] * v)
			}
		}
		for c := range row {
			row[c] /= l[i*n+i]
		}
	}
}

// solveT replaces x by L^-T x.
func solveT(l, x []float64, n, k int) {
	for i := n - 1; i >= 0; i-- {
		row := x[i*k : (i+1)*k]
		for j := i + 1; j < n; j++ {
			for c, v := range x[j*k : (j+1)*k] {
				row[c] -= float64(l[j*n+i] * v)
			}
		}
		for c := range row {
			row[c] /= l[i*n+i]
		}
	}
}

// shapedBackward is the reverse pass through an operation on vectors or matrices.
func (m *Evaluator) shapedBackward(o *op, out, dout []float64) {
	n := m.n
	da := m.adjointOf(o, 0)
	switch o.code {
	case Sum:
		for i := range da {
			da[i] += dout[i%n]
		}
	case LogSumExp:
		a := m.operand(o, 0)
		for i := range da {
			if g := dout[i%n]; g != 0 && num.Finite(out[i%n]) {
				da[i] += float64(g * num.Exp(a[i]-out[i%n]))
			}
		}
	case Dot:
		a, b, db := m.operand(o, 0), m.operand(o, 1), m.adjointOf(o, 1)
		for i := range da {
			da[i] += float64(dout[i%n] * b[i])
		}
		for i := range db {
			db[i] += float64(dout[i%n] * a[i])
		}
	case MatMul:
		m.matMulBackward(o, dout, da)
	default:
		m.triangularBackward(o, out, dout, da)
	}
}

// matMulBackward adds G B^T to the adjoint of A and A^T G to the adjoint of B, where G is the adjoint of the result.
func (m *Evaluator) matMulBackward(o *op, dout, da []float64) {
	n, p, q, k := m.n, int(o.p), int(o.q), int(o.r)
	a, constants, b, db := []float64(nil), m.constArg(o, 0), m.operand(o, 1), m.adjointOf(o, 1)

	// A constant matrix has no adjoint.
	if constants == nil {
		a = m.operand(o, 0)
	} else if n == 1 && k == 1 {
		for i, g := range dout {
			num.Axpy(g, constants[i*q:(i+1)*q], db)
		}
		return
	}

	// Add the contributions of every element of G.
	for i := range p {
		for j := range k {
			g := dout[(i*k+j)*n : (i*k+j+1)*n]
			for l := range q {
				if da != nil {
					to, y := da[(i*q+l)*n:(i*q+l+1)*n], b[(l*k+j)*n:]
					for r, v := range g {
						to[r] += float64(v * y[r])
					}
				}
				if db == nil {
					continue
				}
				to := db[(l*k+j)*n : (l*k+j+1)*n]
				if constants != nil {
					num.Axpy(constants[i*q+l], g, to)
					continue
				}
				for r, x := range a[(i*q+l)*n : (i*q+l+1)*n] {
					to[r] += float64(x * g[r])
				}
			}
		}
	}
}

// triangularBackward is the reverse pass through Cholesky, Solve and SolveT, point by point.
func (m *Evaluator) triangularBackward(o *op, out, dout, da []float64) {
	p, k := int(o.p), int(o.r)
	if o.code == Cholesky {
		for r := range m.n {
			l, g := m.matrix(0, p*p, out, r), m.matrix(1, p*p, dout, r)
			choleskyBackward(l, g, p)
			m.addTo(da, g, r)
		}
		return
	}

	// Triangular systems.
	a, db := m.operand(o, 0), m.adjointOf(o, 1)
	for r := range m.n {
		l, x, g := m.matrix(0, p*p, a, r), m.matrix(1, p*k, out, r), m.matrix(2, p*k, dout, r)
		if o.code == Solve {
			solveT(l, g, p, k)
		} else {
			solve(l, g, p, k)
		}
		if db != nil {
			m.addTo(db, g, r)
		}

		// Adjoint of the triangle.
		if da == nil {
			continue
		}
		if o.code == SolveT {
			x, g = g, x
		}
		for i := range p {
			for j := range i + 1 {
				da[(i*p+j)*m.n+r] -= num.Dot(g[i*k:(i+1)*k], x[j*k:(j+1)*k])
			}
		}
	}
}

// addTo adds the elements of a matrix x to point r of to.
func (m *Evaluator) addTo(to, x []float64, r int) {
	for k, v := range x {
		to[k*m.n+r] += v
	}
}

// choleskyBackward replaces g, the adjoint of the factor l, by the adjoint of the lower triangle of the matrix: the
// steps of cholesky in reverse order.
func choleskyBackward(l, g []float64, n int) {
	for i := n - 1; i >= 0; i-- {
		clear(g[i*n+i+1 : (i+1)*n])
		for j := i; j >= 0; j-- {
			if i == j {
				g[i*n+i] *= .5 / l[i*n+i]
			} else {
				g[i*n+j] /= l[j*n+j]
				g[j*n+j] -= float64(g[i*n+j] * l[i*n+j])
			}
			for k := range j {
				g[i*n+k] -= float64(g[i*n+j] * l[j*n+k])
				g[j*n+k] -= float64(g[i*n+j] * l[i*n+k])
			}
		}
	}
}

// Transpose returns the transpose of an m x n matrix stored by rows.
func Transpose(x []Scalar, m, n int) []Scalar {
	out := make([]Scalar, len(x))
	for i := range m {
		for j := range n {
			out[j*m+i] = x[i*n+j]
		}
	}
	return out
}
