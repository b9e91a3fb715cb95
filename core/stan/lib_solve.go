package stan

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/tape"
)

// solveFunctions are factors, inverses and determinants.
var solveFunctions = []builtin{
	ofMatrix("cholesky_decompose", "m:m", func(r *run, a []value) value { return a[0].with(r.cholesky(a[0])) }),
	ofMatrix("inverse", "m:m", func(r *run, a []value) value { return r.solveGeneral(a[0], r.unit(a[0])) }),
	ofMatrix("inverse_spd", "m:m", func(r *run, a []value) value { return r.solvePositive(a[0], r.unit(a[0])) }),
	ofMatrix("chol2inv", "m:m", func(r *run, a []value) value {
		return r.lower(r.b.SolveT, a[0], r.lower(r.b.Solve, a[0], r.unit(a[0])))
	}),
	ofMatrix("mdivide_left_tri_low", "mm:m mv:v", func(r *run, a []value) value {
		return r.lower(r.b.Solve, a[0], a[1])
	}),
	ofMatrix("mdivide_right_tri_low", "wm:w mm:m", func(r *run, a []value) value {
		return r.lower(r.b.SolveT, a[1], a[0].flip()).flip()
	}),
	ofMatrix("mdivide_left_spd", "mm:m mv:v", func(r *run, a []value) value { return r.solvePositive(a[0], a[1]) }),
	ofMatrix("mdivide_right_spd", "wm:w mm:m", func(r *run, a []value) value {
		return r.solvePositive(a[1], a[0].flip()).flip()
	}),
	ofMatrix("log_determinant", "m:r", func(r *run, a []value) value { return realValue(r.logDeterminant(a[0])) }),
	ofMatrix("log_determinant_spd", "m:r", func(r *run, a []value) value {
		return realValue(r.b.Do(tape.Mul, tape.Const(2), r.logDiagonal(r.cholesky(a[0]), a[0].rows())))
	}),
	ofMatrix("qr_thin_Q", "m:m", func(r *run, a []value) value { return r.orthogonal(a[0]) }),
	ofMatrix("qr_thin_R", "m:m", func(r *run, a []value) value {
		q := r.orthogonal(a[0])
		upper := r.matMul(q.flip(), a[0])
		for i := range upper.rows() {
			for j := range min(i, upper.cols()) {
				upper.x[i*upper.cols()+j] = tape.Scalar{}
			}
		}
		return upper
	}),
	ofMatrix("determinant", "m:r", func(r *run, a []value) value { return realValue(r.determinant(a[0])) }),
}

func (r *run) unit(a value) value {
	r.square(a)
	return matrix(identity(a.rows()), a.rows(), a.rows())
}

func (r *run) cholesky(a value) numbers {
	r.square(a)
	n := a.rows()
	if n == 0 {
		return nil
	}
	r.step(n * n / 8 * min(n, 1000))
	return r.b.Cholesky(a.x, n)
}

// lower solves with a lower matrix.
func (r *run) lower(solve func(l, c []tape.Scalar, n, k int) []tape.Scalar, l, c value) value {
	r.square(l)
	n := l.rows()
	if c.dims[0] != n {
		r.unfit(l, c)
	}
	if len(c.x) == 0 {
		return c
	}
	k := len(c.x) / n
	r.step(n * n / 8 * min(k, 1000))
	return c.with(solve(l.x, c.x, n, k))
}

// solvePositive is a^-1 c for a positive definite a.
func (r *run) solvePositive(a, c value) value {
	l := a.with(r.cholesky(a))
	return r.lower(r.b.SolveT, l, r.lower(r.b.Solve, l, c))
}

// solveGeneral is a^-1 c. Where a depends on parameters it is (a'a)^-1 a'c, as a tape cannot choose pivots.
func (r *run) solveGeneral(a, c value) value {
	r.square(a)
	if a.rows() != c.dims[0] {
		r.unfit(a, c)
	}
	if !tape.Known(a.x...) {
		t := a.flip()
		return r.solvePositive(r.matMul(t, a), r.times(t, c, c.t))
	}
	n := a.rows()
	w := r.numbers(a.x, "a matrix")
	inverse := r.numbers(identity(n), "a matrix")
	r.step(n * n / 8 * min(n, 1000))
	for _, p := range eliminate(w, inverse, n) {
		if p == 0 {
			r.fail(problem.New("the matrix has no inverse"))
		}
	}
	return r.times(matrix(tape.Consts(inverse...), n, n), c, c.t)
}

// eliminate makes the identity of a, of n x n, by rows with pivots, does the same to c, and returns the pivots; the
// first has the sign of the exchanges. It stops at a pivot of 0.
func eliminate(a, c []float64, n int) []float64 {
	pivots := make([]float64, n)
	sign := 1.
	for k := range n {
		best := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i*n+k]) > math.Abs(a[best*n+k]) {
				best = i
			}
		}
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

// orthogonal is Q of the decomposition Q R with a positive diagonal of R: columns of a, of m x n, m >= n, made
// orthogonal twice by the Cholesky factor of a'a.
func (r *run) orthogonal(a value) value {
	if a.rows() < a.cols() {
		r.fail(problem.New("the matrix is %d x %d; it must have at least as many rows as columns", a.rows(), a.cols()))
	}
	for range 2 {
		t := a.flip()
		square := r.matMul(t, a)
		a = r.lower(r.b.Solve, square.with(r.cholesky(square)), t).flip()
	}
	return a
}

func (r *run) logDiagonal(l numbers, n int) tape.Scalar {
	return r.b.Sum(r.b.Map(tape.Log, diagonal(matrix(l, n, n))))
}

// logDeterminant is log |det a|; where a depends on parameters, half of that of a'a.
func (r *run) logDeterminant(a value) tape.Scalar {
	r.square(a)
	n := a.rows()
	if n == 0 {
		return tape.Scalar{}
	}
	if !tape.Known(a.x...) {
		square := r.matMul(a.flip(), a)
		return r.logDiagonal(r.cholesky(square), n)
	}
	sum := 0.
	for _, p := range r.pivots(a) {
		sum += num.Log(math.Abs(p))
	}
	return tape.Const(sum)
}

func (r *run) pivots(a value) []float64 {
	n := a.rows()
	r.step(n * n / 8 * min(n, 1000))
	return eliminate(r.numbers(a.x, "a matrix"), make([]float64, n*n), n)
}

// maxDeterminant is the largest matrix of parameters whose determinant is written out.
const maxDeterminant = 5

func (r *run) determinant(a value) tape.Scalar {
	r.square(a)
	if tape.Known(a.x...) {
		det := 1.
		for _, p := range r.pivots(a) {
			det *= p
		}
		return tape.Const(det)
	}
	if a.rows() > maxDeterminant {
		r.fail(problem.New("the determinant of a matrix of parameters is offered up to %d x %d; write log_determinant",
			maxDeterminant, maxDeterminant))
	}
	return r.cofactors(a.x, a.rows())
}

// cofactors is the determinant by the first row.
func (r *run) cofactors(a numbers, n int) tape.Scalar {
	if n == 1 {
		return a[0]
	}
	var terms numbers
	for k := range n {
		var minor numbers
		for i := 1; i < n; i++ {
			for j := range n {
				if j != k {
					minor = append(minor, a[i*n+j])
				}
			}
		}
		term := r.b.Do(tape.Mul, a[k], r.cofactors(minor, n-1))
		if k%2 == 1 {
			term = r.b.Do(tape.Neg, term)
		}
		terms = append(terms, term)
	}
	return r.b.Sum(terms)
}
