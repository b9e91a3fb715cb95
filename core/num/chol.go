package num

import "math"

// Cholesky factorises the symmetric positive definite n x n row-major matrix a in place as L*L' with L lower
// triangular. Only the lower triangle of a is read; on success the strict upper triangle is set to 0, so a is L.
//
// It returns false, with a partly overwritten, if a pivot is not a positive finite number (a is not numerically
// positive definite, or has NaN or Inf) or if len(a) != n*n. The residual |a - L*L'| is at most about n * 2^-52 times
// sqrt(a[i][i]*a[j][j]). did, unless nil, is called before each row with the number of operations of the row.
func Cholesky(a []float64, n int, did func(ops float64)) bool {
	if n < 0 || len(a) != n*n {
		return false
	}
	for i := 0; i < n; i++ {
		if did != nil {
			did(float64(i) * float64(i) / 2)
		}
		d := CholeskyRow(a, n, i)
		if !(d > 0 && d <= math.MaxFloat64) {
			return false
		}
		a[i*n+i] = math.Sqrt(d)
		clear(a[i*n+i+1 : i*n+n])
	}
	return true
}

// CholeskyRow performs one step of Cholesky: given the rows of L before i, it replaces the entries of row i left of the
// diagonal by those of L and returns the square of the diagonal entry, which it does not change.
func CholeskyRow(a []float64, n, i int) float64 {
	row := func(i int) []float64 { return a[i*n : i*n+n] }
	ri := row(i)
	j := 0
	for ; j+4 <= i; j += 4 { // four columns side by side, then their corner
		s0, s1, s2, s3 := Dot4(ri[:j], row(j), row(j+1), row(j+2), row(j+3))
		for k, s := range [4]float64{s0, s1, s2, s3} {
			rj := row(j + k)
			for t := j; t < j+k; t++ {
				s += float64(ri[t] * rj[t])
			}
			ri[j+k] = (ri[j+k] - s) / rj[j+k]
		}
	}
	for ; j < i; j++ {
		rj := row(j)
		ri[j] = (ri[j] - Dot(ri[:j], rj)) / rj[j]
	}
	return ri[i] - Dot(ri[:i], ri)
}

// Dot returns the sum of x[i]*y[i] in index order, unfused; y may be longer than x.
func Dot(x, y []float64) float64 {
	s := 0.0
	y = y[:len(x)]
	for i, v := range x {
		s += float64(v * y[i])
	}
	return s
}

// Dot4 returns Dot of x with four vectors, with the same bits; four sums at a time hide the latency of the additions.
func Dot4(x, y0, y1, y2, y3 []float64) (s0, s1, s2, s3 float64) {
	n := len(x)
	y0, y1, y2, y3 = y0[:n], y1[:n], y2[:n], y3[:n]
	for i, v := range x {
		s0 += float64(v * y0[i])
		s1 += float64(v * y1[i])
		s2 += float64(v * y2[i])
		s3 += float64(v * y3[i])
	}
	return
}

// SolveLower overwrites b with the solution y of L*y = b, where l is the n x n row-major lower triangular result of
// Cholesky. The upper triangle of l is not read.
func SolveLower(l []float64, n int, b []float64) {
	i := 0
	for ; i+4 <= n; i += 4 { // four rows side by side, then their corner
		s0, s1, s2, s3 := Dot4(b[:i], l[i*n:], l[(i+1)*n:], l[(i+2)*n:], l[(i+3)*n:])
		for k, s := range [4]float64{s0, s1, s2, s3} {
			row := l[(i+k)*n:]
			for t := i; t < i+k; t++ {
				s += float64(b[t] * row[t])
			}
			b[i+k] = (b[i+k] - s) / row[i+k]
		}
	}
	for ; i < n; i++ {
		b[i] = (b[i] - Dot(b[:i], l[i*n:])) / l[i*n+i]
	}
}

// SolveUpperT overwrites b with the solution x of L'*x = b, where l is the n x n row-major lower triangular result of
// Cholesky. SolveLower followed by SolveUpperT solves A*x = b.
func SolveUpperT(l []float64, n int, b []float64) {
	for i := n - 1; i >= 0; i-- {
		x := b[i] / l[i*n+i]
		b[i] = x
		for j, v := range l[i*n : i*n+i] {
			b[j] -= float64(v * x)
		}
	}
}

// CholLogDet returns log det(A) = 2 * sum of log L[i][i] for the result l of Cholesky; 0 for n = 0.
func CholLogDet(l []float64, n int) float64 {
	s := 0.0
	for i := 0; i < n; i++ {
		s += Log(l[i*n+i])
	}
	return float64(2 * s)
}
