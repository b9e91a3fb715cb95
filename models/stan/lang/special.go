package lang

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// specialFunctions are Bessel functions, the matrix exponential, and the singular value decomposition of data.
var specialFunctions = []Builtin{
	bessel("log_modified_bessel_first_kind", func(b *tape.Builder, n int, x tape.Scalar) tape.Scalar {
		return b.Do(tape.LogBessel, tape.Const(float64(n)), x)
	}),
	bessel("modified_bessel_first_kind", func(b *tape.Builder, n int, x tape.Scalar) tape.Scalar {
		size := b.Do(tape.Exp, b.Do(tape.LogBessel, tape.Const(float64(n)), b.Do(tape.Abs, x)))
		return applyParity(b, n, x, size)
	}),
	bessel("bessel_first_kind", func(b *tape.Builder, n int, x tape.Scalar) tape.Scalar {
		absX, switchPoint := b.Do(tape.Abs, x), max(25, float64(n*n))
		far := b.Do(tape.Step, b.Do(tape.Sub, absX, tape.Const(switchPoint)))
		return applyParity(b, n, x, b.Do(tape.Select, far, besselFar(b, n, absX, false), besselNear(b, n, absX, switchPoint)))
	}),
	bessel("bessel_second_kind", besselY),
	bessel("modified_bessel_second_kind", besselK),
	matrixFunction("matrix_exp", "m:m", func(r *Emitter, a []Value) Value { return r.matrixExp(a[0]) }),
	matrixFunction("matrix_exp_multiply", "mm:m", func(r *Emitter, a []Value) Value {
		return r.MatMul(r.matrixExp(a[0]), a[1])
	}),
	matrixFunction("scale_matrix_exp_multiply", "rmm:m", func(r *Emitter, a []Value) Value {
		return r.MatMul(r.matrixExp(a[1].WithElements(r.B.Map(tape.Mul, a[0].X, a[1].X))), a[2])
	}),
	matrixFunction("singular_values", "m:v", func(r *Emitter, a []Value) Value {
		size, _, _ := r.svd(a[0])
		return vector(tape.Consts(size...))
	}),
	matrixFunction("svd_U", "m:m", func(r *Emitter, a []Value) Value { _, u, _ := r.svd(a[0]); return u }),
	matrixFunction("svd_V", "m:m", func(r *Emitter, a []Value) Value { _, _, v := r.svd(a[0]); return v }),
}

// maxBesselOrder is the largest order of a Bessel function.
const maxBesselOrder = 20

// bessel returns an elementwise Bessel function of order a[0], an integer that must not depend on parameters, at a[1].
// f emits it for the absolute value n of the order.
func bessel(name string, f func(b *tape.Builder, n int, x tape.Scalar) tape.Scalar) Builtin {
	return Builtin{names: name, reservedFor: intAt(0), TypeRule: intAndReals(0), Emit: func(r *Emitter, t Type, a []Value) Value {
		orders := r.Constants(a[0].X, "the order of a Bessel function")
		for _, n := range orders {
			if n != math.Trunc(n) || math.Abs(n) > maxBesselOrder {
				r.Fail(problem.New("the order of a Bessel function must be an integer up to %d, not %v", maxBesselOrder, n))
			}
		}
		return r.ApplyElementwise(&Builtin{Elementwise: func(b *tape.Builder, x ...Scalars) (out Scalars) {
			for i := range max(len(x[0]), len(x[1])) {
				n := int(orders[min(i, len(orders)-1)])
				r.CountSteps(500)
				y := f(b, max(n, -n), ElementOf(x[1], i)[0])
				if strings.HasPrefix(name, "bessel") && n < 0 && n%2 != 0 {
					y = b.Do(tape.Neg, y)
				}
				out = append(out, y)
			}
			return out
		}}, t, a)
	}}
}

// applyParity returns y, a value computed for |x|, with the sign of x if n is odd.
func applyParity(b *tape.Builder, n int, x, y tape.Scalar) tape.Scalar {
	if n%2 == 0 {
		return y
	}
	return b.Do(tape.Mul, signOf(b, Scalars{x})[0], y)
}

// besselNear emits J_n(x) for 0 <= x <= most: the mean over t of cos(n t) cos(x sin t), or of sin(n t) sin(x sin t) for
// an odd n ([DLMF] 10.9.1, 10.9.2). The error of the trapezoid rule with m points on the circle is J_(m-n)(x).
func besselNear(b *tape.Builder, n int, x tape.Scalar, maxX float64) tape.Scalar {
	quarter := int(maxX/2) + 12 + n
	wave, waveOf := tape.Cos, num.Cos
	if n%2 != 0 {
		wave, waveOf = tape.Sin, num.Sin
	}
	var at, weights Scalars
	for k := range quarter + 1 {
		t := float64(math.Pi/2) * float64(k) / float64(quarter)
		w := waveOf(float64(float64(n)*t)) / float64(quarter)
		if k == 0 || k == quarter {
			w /= 2
		}
		at, weights = append(at, tape.Const(num.Sin(t))), append(weights, tape.Const(w))
	}
	return b.Dot(weights, b.Map(wave, b.Map(tape.Mul, at, Scalars{x})))
}

// besselFar emits J_n(x), or Y_n(x) if second is set, for x >= 25 and x >= n^2, by Hankel's expansion ([DLMF] 10.17.3,
// 10.17.4).
func besselFar(b *tape.Builder, n int, x tape.Scalar, second bool) tape.Scalar {
	var a [20]tape.Scalar
	for k, term := 0, 1.; k < len(a); k++ {
		a[k] = tape.Const(term)
		if k%4 > 1 {
			a[k] = tape.Const(-term)
		}
		odd := float64(2*k + 1)
		term *= float64(float64(4*n*n)-float64(odd*odd)) / float64(8*(k+1))
	}
	inv := b.Do(tape.Inv, x)
	square := b.Do(tape.Square, inv)
	series := func(k int) (sum tape.Scalar) { // a[k] + a[k+2]/x^2 + ...
		for k += len(a) - 2; k >= 0; k -= 2 {
			sum = b.Do(tape.Add, a[k], b.Do(tape.Mul, square, sum))
		}
		return sum
	}
	angle := b.Do(tape.Sub, x, tape.Const(float64(float64(2*n+1)*math.Pi/4)))
	waves, join := [2]tape.Code{tape.Cos, tape.Sin}, tape.Sub
	if second {
		waves, join = [2]tape.Code{tape.Sin, tape.Cos}, tape.Add
	}
	even := b.Do(tape.Mul, b.Do(waves[0], angle), series(0))
	odd := b.Do(tape.Mul, b.Do(waves[1], angle), b.Do(tape.Mul, inv, series(1)))
	return b.Do(tape.Mul, b.Do(tape.Sqrt, b.Do(tape.Mul, tape.Const(2/math.Pi), inv)), b.Do(join, even, odd))
}

// besselY emits Y_n(x) for x > 0 by the recurrence Y_(n+1) = 2 n Y_n/x - Y_(n-1) from Y_0 and Y_1.
func besselY(b *tape.Builder, n int, x tape.Scalar) tape.Scalar {
	const switchPoint = 25
	far := b.Do(tape.Step, b.Do(tape.Sub, x, tape.Const(switchPoint)))
	large := b.Do(tape.Max, x, tape.Const(switchPoint))
	first := func(n int) tape.Scalar {
		return b.Do(tape.Select, far, besselFar(b, n, large, true), besselYNear(b, n, x, switchPoint))
	}
	y := first(min(n, 1))
	if n > 1 {
		previous := first(0)
		for k := 1; k < n; k++ {
			times := b.Do(tape.Div, tape.Const(float64(2*k)), x)
			y, previous = b.Do(tape.Sub, b.Do(tape.Mul, times, y), previous), y
		}
	}
	return b.Do(tape.Select, b.Do(tape.Step, x), y, tape.Const(math.NaN()))
}

// besselYNear emits Y_0(x) or Y_1(x) for 0 < x <= most, by Neumann's series ([DLMF] 10.23.17),
//
//	Y_n = -n (2/(pi x)) J_0 + (2/pi) (log(x/2) - psi(n+1)) J_n - (2/pi) sum_k (-1)^k (n+2k)/(k (n+k)) J_(n+2k),
//
// where the sum over k is computed as one mean over t, like each J_(n+2k) in besselNear.
func besselYNear(b *tape.Builder, n int, x tape.Scalar, maxX int) tape.Scalar {
	const terms = 36
	quarter := terms + maxX
	wave, waveOf := tape.Cos, num.Cos
	if n == 1 {
		wave, waveOf = tape.Sin, num.Sin
	}
	var at, one, sum Scalars
	for k := range quarter + 1 {
		t := float64(math.Pi/2) * float64(k) / float64(quarter)
		share := 1 / float64(quarter)
		if k == 0 || k == quarter {
			share /= 2
		}
		s, sign := 0., 1.
		for j := 1; j <= terms; j++ {
			sign = -sign
			s += num.Mul(sign*float64(n+2*j)/float64(j*(n+j)), waveOf(float64(float64(n+2*j)*t)))
		}
		at, one = append(at, tape.Const(num.Sin(t))), append(one, tape.Const(num.Mul(share, waveOf(float64(float64(n)*t)))))
		sum = append(sum, tape.Const(share*s))
	}
	angles := b.Map(tape.Mul, at, Scalars{x})
	waves := b.Map(wave, angles)

	// The log goes with J_n; J_0 has the pole of Y_1.
	const euler = 0.57721566490153286
	half := b.Do(tape.Add, b.Do(tape.Log, x), tape.Const(euler-math.Ln2-float64(n)))
	y := b.Do(tape.Sub, b.Do(tape.Mul, half, b.Dot(one, waves)), b.Dot(sum, waves))
	if n == 1 {
		y = b.Do(tape.Sub, y, b.Do(tape.Div, besselNear(b, 0, x, float64(maxX)), x))
	}
	return b.Do(tape.Mul, tape.Const(2/math.Pi), y)
}

// besselK emits K_n(x), the integral of exp(-x cosh t) cosh(n t) over t > 0 ([DLMF] 10.32.9), by the trapezoid rule
// with steps of .2/sqrt(1 + x/4), which are small compared with the width of exp(-x cosh t).
func besselK(b *tape.Builder, n int, x tape.Scalar) tape.Scalar {
	const h, points = .2, 200
	var grid Scalars
	for k := range points {
		grid = append(grid, tape.Const(float64(h*float64(k))))
	}
	wide := b.Do(tape.Add, tape.Const(1), b.Do(tape.Mul, tape.Const(.25), x))
	unit := Scalars{b.Do(tape.Inv, b.Do(tape.Sqrt, wide))}
	t := b.Map(tape.Mul, grid, unit)
	logs := b.Map(tape.Neg, b.Map(tape.Mul, b.Map(tape.Cosh, t), Scalars{x}))
	if n > 0 { // + log(2 cosh(n t))
		t = scale(b, t, float64(n))
		logs = b.Map(tape.Add, logs, b.Map(tape.LogAddExp, t, b.Map(tape.Neg, t)))
	} else {
		logs = b.Map(tape.Add, logs, Constant(math.Ln2))
	}
	logs[0] = b.Do(tape.Sub, logs[0], tape.Const(math.Ln2))
	size := b.Do(tape.Mul, b.Do(tape.Exp, b.LogSumExp(logs)), b.Do(tape.Mul, tape.Const(h/2), unit[0]))
	return b.Do(tape.Select, b.Do(tape.Step, x), size, tape.Const(math.NaN()))
}

// matrixExp returns e^a by scaling and squaring: the power series at a/2^halvings, squared halvings times. The error is
// at most 1e-12 of the largest element for a norm up to 1000.
func (r *Emitter) matrixExp(a Value) Value {
	const halvings, degree = 11, 14
	r.checkSquare(a)
	n := a.Rows()
	one := Matrix(identity(n), n, n)
	x := a.WithElements(scale(r.B, a.X, 1/float64(int(1)<<halvings)))
	sum := one
	for k := degree; k > 0; k-- {
		term := r.MatMul(x, sum)
		sum = one.WithElements(r.B.Map(tape.Add, one.X, scale(r.B, term.X, 1/float64(k))))
	}
	for range halvings {
		sum = r.MatMul(sum, sum)
	}
	return sum
}

// svd returns the singular values of an m x n matrix of data, the largest first, and the matrices U and V of left and
// right singular vectors, by one-sided Jacobi rotations of columns (Hestenes). Stan does not define the signs; here the
// element of largest absolute value in each column of V is positive.
func (r *Emitter) svd(a Value) (values []float64, u, v Value) {
	if a.Rows() < a.cols() {
		values, v, u = r.svd(a.Transpose())
		return values, u, v
	}

	// The columns of a, which are rotated, and the columns of V, initially the identity.
	m, n := a.Rows(), a.cols()
	x := r.Constants(append(slices.Clone(a.Transpose().X), identity(n)...), "the matrix of singular values")
	left := func(k int) []float64 { return x[k*m : (k+1)*m] } // columns
	right := func(k int) []float64 { return x[n*m+k*n : n*m+(k+1)*n] }

	// Rotate pairs of columns until all columns are orthogonal.
	for range 40 {
		r.CountSteps(n * n * (m + n) / 4)
		rotated := false
		for p := range n {
			for q := p + 1; q < n; q++ {
				pp, qq, pq := num.Dot(left(p), left(p)), num.Dot(left(q), left(q)), num.Dot(left(p), left(q))
				if pp >= qq && math.Abs(pq) <= 1e-16*math.Sqrt(float64(pp*qq)) {
					continue
				}
				rotated = true
				angle := float64(.5 * num.Atan2(2*pq, pp-qq))
				c, s := num.Cos(angle), num.Sin(angle)
				for _, side := range []func(k int) []float64{left, right} {
					one, two := side(p), side(q)
					for i, y := range one {
						one[i], two[i] = num.Mul(c, y)+num.Mul(s, two[i]), num.Mul(c, two[i])-num.Mul(s, y)
					}
				}
			}
		}
		if !rotated {
			break
		}
	}

	// The singular values are the lengths of the columns.
	u, v = Matrix(make(Scalars, m*n), m, n), Matrix(make(Scalars, n*n), n, n)
	for k := range n {
		values = append(values, math.Sqrt(num.Dot(left(k), left(k))))
		sign := 1.
		if low, high := slices.Min(right(k)), slices.Max(right(k)); -low > high {
			sign = -1
		}
		for i, y := range left(k) {
			u.X[i*n+k] = tape.Const(float64(sign*y) / values[k])
		}
		for i, y := range right(k) {
			v.X[i*n+k] = tape.Const(float64(sign * y))
		}
	}
	return values, u, v
}
