package lang

import (
	"math"
	"math/bits"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// spectrumFunctions are eigenvalues and eigenvectors of symmetric matrices, the generalised inverse, and the full QR
// decomposition.
var spectrumFunctions = []Builtin{
	matrixFunction("eigenvalues_sym", "m:v", func(r *Emitter, a []Value) Value {
		return vector(r.sortingNetwork(r.jacobiEigenvalues(a[0], nil), false))
	}),
	matrixFunction("eigenvectors_sym", "m:m", func(r *Emitter, a []Value) Value { return r.eigen(a[0])[0] }),
	matrixFunction("generalized_inverse", "m:m", func(r *Emitter, a []Value) Value {
		t := a[0].Transpose()
		if a[0].Rows() < a[0].cols() {
			return r.solvePositive(r.MatMul(a[0], t), a[0]).Transpose()
		}
		return r.solvePositive(r.MatMul(t, a[0]), t)
	}),
	matrixFunction("qr_Q", "m:m", func(r *Emitter, a []Value) Value { q, _ := r.householderQR(a[0]); return q }),
	matrixFunction("qr_R", "m:m", func(r *Emitter, a []Value) Value { _, upper := r.householderQR(a[0]); return upper }),
}

// eigen returns the eigenvectors of a symmetric matrix, as the columns of a matrix, and the eigenvalues in ascending
// order.
func (r *Emitter) eigen(a Value) []Value {
	n := r.identityLike(a).Rows()
	rows := identity(n)
	values := r.jacobiEigenvalues(a, rows)
	r.sortRows(values, rows)
	return []Value{Matrix(rows, n, n).Transpose(), vector(values)}
}

// The largest number of rows of a matrix whose eigenvalues are computed, for data and for parameters.
const maxDataSpectrum, maxParameterSpectrum = 100, 20

// jacobiEigenvalues returns the eigenvalues of a symmetric matrix, in no particular order, by Jacobi rotations. The
// number of rotations is fixed, so that it does not depend on the values. Each rotation puts the larger of two diagonal
// elements first; after enough sweeps the off-diagonal elements vanish. vectors, if not nil, must be the identity
// matrix; its rows become the eigenvectors.
func (r *Emitter) jacobiEigenvalues(a Value, vectors Scalars) Scalars {
	r.checkSquare(a)
	n, maxRows := a.Rows(), maxParameterSpectrum
	if tape.AllConst(a.X...) {
		maxRows = maxDataSpectrum
	}
	if n > maxRows {
		r.Fail(problem.New("eigenvalues are supported up to %d x %d", maxRows, maxRows))
	}

	// Copy the lower triangle to the upper one.
	b, matrix := r.B, slices.Clone(a.X)
	for i := range n {
		for j := range i {
			matrix[j*n+i] = matrix[i*n+j]
		}
	}

	// A fixed number of sweeps of rotations.
	for range 6 + bits.Len(uint(n)) {
		for p := range n {
			for q := p + 1; q < n; q++ {
				if matrix[p*n+q] == (tape.Scalar{}) {
					continue
				}
				r.CountSteps(2 * n)
				angle := b.Do(tape.Mul, tape.Const(.5), b.Do(tape.Atan2, b.Do(tape.Mul, tape.Const(2), matrix[p*n+q]),
					b.Do(tape.Sub, matrix[p*n+p], matrix[q*n+q])))
				cosSin := [2]Scalars{{b.Do(tape.Cos, angle)}, {b.Do(tape.Sin, angle)}}
				r.rotate(matrix, n, p, q, cosSin)
				if vectors != nil {
					r.rotateRows(vectors, n, p, q, cosSin)
				}
			}
		}
	}
	return Diagonal(Matrix(matrix, n, n))
}

// rotate applies a rotation, given by its cosine and sine, to rows and columns p and q of a symmetric n x n matrix and
// sets element (p, q) to 0.
func (r *Emitter) rotate(matrix Scalars, n, p, q int, cosSin [2]Scalars) {
	for range 2 { // rows; then columns, which are rows of the transpose
		r.rotateRows(matrix, n, p, q, cosSin)
		copy(matrix, tape.Transpose(matrix, n, n))
	}
	matrix[p*n+q], matrix[q*n+p] = tape.Scalar{}, tape.Scalar{}
}

// rotateRows applies a rotation, given by its cosine and sine, to rows p and q of a matrix with n columns.
func (r *Emitter) rotateRows(matrix Scalars, n, p, q int, cosSin [2]Scalars) {
	b := r.B
	one, two := slices.Clone(matrix[p*n:(p+1)*n]), slices.Clone(matrix[q*n:(q+1)*n])
	copy(matrix[p*n:], b.Map(tape.Add, b.Map(tape.Mul, one, cosSin[0]), b.Map(tape.Mul, two, cosSin[1])))
	copy(matrix[q*n:], b.Map(tape.Sub, b.Map(tape.Mul, two, cosSin[0]), b.Map(tape.Mul, one, cosSin[1])))
}

// sortRows sorts the rows of a square matrix by ascending keys. It compares and exchanges neighbours in an order that
// does not depend on the values, so that a tape can do it.
func (r *Emitter) sortRows(keys, rows Scalars) {
	b, n := r.B, len(keys)
	for last := n - 1; last > 0; last-- {
		for i := range last {
			r.CountSteps(4 * n)
			low, high := keys[i:i+1], keys[i+1:i+2]
			inOrder := b.Map(tape.Step, b.Map(tape.Sub, high, low))
			one, two := rows[i*n:(i+1)*n], rows[(i+1)*n:(i+2)*n]
			first, second := b.Map(tape.Select, inOrder, one, two), b.Map(tape.Select, inOrder, two, one)
			copy(one, first)
			copy(two, second)
			keys[i], keys[i+1] = b.Do(tape.Min, low[0], high[0]), b.Do(tape.Max, low[0], high[0])
		}
	}
}

// householderQR returns the full Q (m x m) and R (m x n, with a nonnegative diagonal) of a matrix of data, by
// Householder reflections.
func (r *Emitter) householderQR(a Value) (q, upper Value) {
	m, n := a.Rows(), a.cols()
	if m < n {
		r.Fail(problem.New("the matrix is %d x %d; it must have at least as many rows as columns", m, n))
	}
	r.CountSteps(r.CheckSize(m, m) / 8 * min(n, 1000))
	x := r.Constants(append(slices.Clone(a.Transpose().X), identity(m)...), "the matrix of a full decomposition (see qr_thin_Q)")
	columns := func(k int) []float64 { return x[k*m : (k+1)*m] } // the n columns of a, then m rows that become Q'

	// The reflections, one for each column.
	for k := range n {
		v := slices.Clone(columns(k)[k:])
		size := math.Sqrt(num.Dot(v, v))
		if v[0] > 0 {
			size = -size
		}
		v[0] -= size
		square := num.Dot(v, v)
		for c := range n + m {
			if part := columns(c)[k:]; square > 0 {
				num.Axpy(-2*num.Dot(v, part)/square, v, part)
			}
		}
	}

	// Q and R; signs make the diagonal of R nonnegative.
	q, upper = Matrix(make(Scalars, m*m), m, m), Matrix(make(Scalars, m*n), m, n)
	for k := range m {
		sign := 1.
		if k < n && columns(k)[k] < 0 {
			sign = -1
		}
		for j := range m {
			q.X[j*m+k] = tape.Const(sign * columns(n + j)[k])
		}
		for j := k; j < n; j++ {
			upper.X[k*n+j] = tape.Const(sign * columns(j)[k])
		}
	}
	return q, upper
}
