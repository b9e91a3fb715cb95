package num

import "math"

// Cholesky factorises the symmetric positive definite n x n row-major matrix a
// in place as L*L' with L lower triangular. Only the lower triangle of a is
// read; on success the strict upper triangle is set to 0, so a holds L.
//
// It returns false, with a partly overwritten, when a pivot is not a positive
// finite number (a is not numerically positive definite, or holds NaN or Inf)
// or when len(a) != n*n. The residual |a - L*L'| is at most about n * 2^-52
// times sqrt(a[i][i]*a[j][j]).
func Cholesky(a []float64, n int) bool {
	if n < 0 || len(a) != n*n {
		return false
	}
	for i := 0; i < n; i++ {
		ri := a[i*n : i*n+n]
		for j := 0; j < i; j++ {
			rj := a[j*n : j*n+n]
			ri[j] = (ri[j] - dot(ri[:j], rj[:j])) / rj[j]
		}
		d := ri[i] - dot(ri[:i], ri[:i])
		if !(d > 0 && d <= math.MaxFloat64) {
			return false
		}
		ri[i] = math.Sqrt(d)
		clear(ri[i+1:])
	}
	return true
}

// dot sums x[i]*y[i] in index order, unfused.
func dot(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += float64(v * y[i])
	}
	return s
}

// SolveLower overwrites b with the solution y of L*y = b, where l is the n x n
// row-major lower triangular matrix left by Cholesky. The upper triangle of l
// is not read.
func SolveLower(l []float64, n int, b []float64) {
	for i := 0; i < n; i++ {
		b[i] = (b[i] - dot(l[i*n:i*n+i], b[:i])) / l[i*n+i]
	}
}

// SolveUpperT overwrites b with the solution x of L'*x = b, where l is the
// n x n row-major lower triangular matrix left by Cholesky. SolveLower
// followed by SolveUpperT solves A*x = b.
func SolveUpperT(l []float64, n int, b []float64) {
	for i := n - 1; i >= 0; i-- {
		x := b[i] / l[i*n+i]
		b[i] = x
		for j, v := range l[i*n : i*n+i] {
			b[j] -= float64(v * x)
		}
	}
}

// CholLogDet returns log det(A) = 2 * sum of log L[i][i] for the factor l left
// by Cholesky; 0 for n = 0.
func CholLogDet(l []float64, n int) float64 {
	s := 0.0
	for i := 0; i < n; i++ {
		s += Log(l[i*n+i])
	}
	return float64(2 * s)
}
