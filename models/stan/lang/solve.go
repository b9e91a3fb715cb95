package lang

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// solveFunctions are factorisations, inverses, linear solvers and determinants.
var solveFunctions = []Builtin{
	matrixFunction("cholesky_decompose", "m:m", func(r *Emitter, a []Value) Value { return a[0].WithElements(r.cholesky(a[0])) }),
	matrixFunction("inverse", "m:m", func(r *Emitter, a []Value) Value { return r.solveGeneral(a[0], r.identityLike(a[0])) }),
	matrixFunction("inverse_spd", "m:m", func(r *Emitter, a []Value) Value { return r.solvePositive(a[0], r.identityLike(a[0])) }),
	matrixFunction("chol2inv", "m:m", func(r *Emitter, a []Value) Value {
		return r.solveLower(r.B.SolveT, a[0], r.solveLower(r.B.Solve, a[0], r.identityLike(a[0])))
	}),
	matrixFunction("mdivide_left_tri_low", "mm:m mv:v", func(r *Emitter, a []Value) Value {
		return r.solveLower(r.B.Solve, a[0], a[1])
	}),
	matrixFunction("mdivide_right_tri_low", "wm:w mm:m", func(r *Emitter, a []Value) Value {
		return r.solveLower(r.B.SolveT, a[1], a[0].Transpose()).Transpose()
	}),
	matrixFunction("mdivide_left_spd", "mm:m mv:v", func(r *Emitter, a []Value) Value { return r.solvePositive(a[0], a[1]) }),
	matrixFunction("mdivide_right_spd", "wm:w mm:m", func(r *Emitter, a []Value) Value {
		return r.solvePositive(a[1], a[0].Transpose()).Transpose()
	}),
	matrixFunction("log_determinant", "m:r", func(r *Emitter, a []Value) Value { return RealValue(r.logDeterminant(a[0])) }),
	matrixFunction("log_determinant_spd", "m:r", func(r *Emitter, a []Value) Value {
		return RealValue(r.B.Do(tape.Mul, tape.Const(2), r.logDiagonal(r.cholesky(a[0]), a[0].Rows())))
	}),
	matrixFunction("qr_thin_Q", "m:m", func(r *Emitter, a []Value) Value { return r.thinQ(a[0]) }),
	matrixFunction("qr_thin_R", "m:m", func(r *Emitter, a []Value) Value { return r.thinR(r.thinQ(a[0]), a[0]) }),
	matrixFunction("determinant", "m:r", func(r *Emitter, a []Value) Value { return RealValue(r.determinant(a[0])) }),
}

// identityLike returns the identity of the size of a, and fails if a is not square.
func (r *Emitter) identityLike(a Value) Value {
	r.checkSquare(a)
	return Matrix(identity(a.Rows()), a.Rows(), a.Rows())
}

// cholesky returns the Cholesky factor of a by rows. It fails if a is not square, or is constant and not positive
// definite.
func (r *Emitter) cholesky(a Value) Scalars {
	r.checkSquare(a)
	n := a.Rows()
	if n == 0 {
		return nil
	}
	r.CountSteps(n * n / 8 * min(n, 1000))
	l := r.B.Cholesky(a.X, n)
	if err := r.B.Err(); err != nil {
		r.Fail(err)
	}
	return l
}

// solveLower returns L^-1 c or L^-T c for a lower triangular matrix l; solve is Builder.Solve or Builder.SolveT.
func (r *Emitter) solveLower(solve func(l, c []tape.Scalar, n, k int) []tape.Scalar, l, c Value) Value {
	r.checkSquare(l)
	n := l.Rows()
	if c.Dims[0] != n {
		r.sizeMismatch(l, c)
	}
	if len(c.X) == 0 {
		return c
	}
	k := len(c.X) / n
	r.CountSteps(n * n / 8 * min(k, 1000))
	return c.WithElements(solve(l.X, c.X, n, k))
}

// solvePositive returns a^-1 c for a positive definite a.
func (r *Emitter) solvePositive(a, c Value) Value {
	l := a.WithElements(r.cholesky(a))
	return r.solveLower(r.B.SolveT, l, r.solveLower(r.B.Solve, l, c))
}

// solveGeneral returns a^-1 c. If a depends on parameters, it is computed as (a'a)^-1 a'c, because a tape cannot choose
// pivots.
func (r *Emitter) solveGeneral(a, c Value) Value {
	r.checkSquare(a)
	if a.Rows() != c.Dims[0] {
		r.sizeMismatch(a, c)
	}
	if !tape.AllConst(a.X...) {
		t := a.Transpose()
		return r.solvePositive(r.MatMul(t, a), r.matrixProduct(t, c, c.T))
	}
	n := a.Rows()
	w := r.Constants(a.X, "a matrix")
	inverse := r.Constants(identity(n), "a matrix")
	r.CountSteps(n * n / 8 * min(n, 1000))
	for _, p := range Eliminate(w, inverse, n) {
		if p == 0 {
			r.Fail(problem.New("the matrix has no inverse"))
		}
	}
	return r.matrixProduct(Matrix(tape.Consts(inverse...), n, n), c, c.T)
}

// Eliminate reduces the n x n matrix a to the identity by Gauss-Jordan elimination with row pivoting, applies the same
// row operations to c (n x n), and returns the pivots. The first pivot is multiplied by -1 for each exchange of rows,
// so the product of the pivots is det a. Elimination stops at a pivot of 0.
func Eliminate(a, c []float64, n int) []float64 {
	pivots := make([]float64, n)
	sign := 1.

	// Column by column, with the largest pivot.
	for k := range n {
		best := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i*n+k]) > math.Abs(a[best*n+k]) {
				best = i
			}
		}

		// Exchange the pivot's row with row k.
		p := a[best*n+k]
		if pivots[k] = p; p == 0 {
			return pivots
		}
		if best != k {
			sign = -sign
			for j := range n {
				a[k*n+j], a[best*n+j] = a[best*n+j], a[k*n+j]
				c[k*n+j], c[best*n+j] = c[best*n+j], c[k*n+j]
			}
		}

		// Divide row k by the pivot, and clear the column in the other rows.
		for j := range n {
			a[k*n+j] /= p
			c[k*n+j] /= p
		}
		for i := range n {
			f := a[i*n+k]
			if i == k || f == 0 {
				continue
			}
			for j := range n {
				a[i*n+j] -= num.Mul(f, a[k*n+j])
				c[i*n+j] -= num.Mul(f, c[k*n+j])
			}
		}
	}
	if n > 0 {
		pivots[0] *= sign
	}
	return pivots
}

// thinQ returns Q (m x n) of the decomposition a = Q R, m >= n, where R has a positive diagonal. It orthogonalises the
// columns of a by the Cholesky factor of a'a, twice for precision.
func (r *Emitter) thinQ(a Value) Value {
	if a.Rows() < a.cols() {
		r.Fail(problem.New("the matrix is %d x %d; it must have at least as many rows as columns", a.Rows(), a.cols()))
	}
	for range 2 {
		t := a.Transpose()
		square := r.MatMul(t, a)
		a = r.solveLower(r.B.Solve, square.WithElements(r.cholesky(square)), t).Transpose()
	}
	return a
}

// thinR returns R of the decomposition a = Q R.
func (r *Emitter) thinR(q, a Value) Value {
	upper := r.MatMul(q.Transpose(), a)
	for i := range upper.Rows() {
		for j := range min(i, upper.cols()) {
			upper.X[i*upper.cols()+j] = tape.Scalar{}
		}
	}
	return upper
}

// logDiagonal returns the sum of the logs of the diagonal of an n x n matrix.
func (r *Emitter) logDiagonal(l Scalars, n int) tape.Scalar {
	return r.B.Sum(r.B.Map(tape.Log, Diagonal(Matrix(l, n, n))))
}

// logDeterminant returns log |det a|. If a depends on parameters, it is half of log det a'a.
func (r *Emitter) logDeterminant(a Value) tape.Scalar {
	r.checkSquare(a)
	n := a.Rows()
	if n == 0 {
		return tape.Scalar{}
	}
	if !tape.AllConst(a.X...) {
		square := r.MatMul(a.Transpose(), a)
		return r.logDiagonal(r.cholesky(square), n)
	}
	sum := 0.
	for _, p := range r.pivots(a) {
		sum += num.Log(math.Abs(p))
	}
	return tape.Const(sum)
}

// pivots returns the pivots of Eliminate for a matrix of data.
func (r *Emitter) pivots(a Value) []float64 {
	n := a.Rows()
	r.CountSteps(n * n / 8 * min(n, 1000))
	return Eliminate(r.Constants(a.X, "a matrix"), make([]float64, n*n), n)
}

// maxDeterminant is the largest number of rows of a matrix of parameters whose determinant is supported.
const maxDeterminant = 5

// determinant returns det a, by elimination for data and by cofactors for parameters.
func (r *Emitter) determinant(a Value) tape.Scalar {
	r.checkSquare(a)
	if tape.AllConst(a.X...) {
		det := 1.
		for _, p := range r.pivots(a) {
			det *= p
		}
		return tape.Const(det)
	}
	if a.Rows() > maxDeterminant {
		r.Fail(problem.New("the determinant of a matrix of parameters is supported up to %d x %d; use log_determinant",
			maxDeterminant, maxDeterminant))
	}
	return r.cofactors(a.X, a.Rows())
}

// cofactors returns the determinant of an n x n matrix by Laplace expansion along the first row.
func (r *Emitter) cofactors(a Scalars, n int) tape.Scalar {
	if n == 1 {
		return a[0]
	}
	var terms Scalars
	for k := range n {
		var minor Scalars
		for i := 1; i < n; i++ {
			for j := range n {
				if j != k {
					minor = append(minor, a[i*n+j])
				}
			}
		}
		term := r.B.Do(tape.Mul, a[k], r.cofactors(minor, n-1))
		if k%2 == 1 {
			term = r.B.Do(tape.Neg, term)
		}
		terms = append(terms, term)
	}
	return r.B.Sum(terms)
}
