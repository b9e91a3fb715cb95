package lang

import (
	"math"

	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// kernelFunctions return covariance matrices of Gaussian processes.
var kernelFunctions = []Builtin{
	kernel("cov_exp_quad gp_exp_quad_cov", func(b *tape.Builder, sq Scalars) Scalars {
		return b.Map(tape.Exp, scale(b, sq, -.5))
	}),
	kernel("gp_exponential_cov", func(b *tape.Builder, sq Scalars) Scalars {
		return b.Map(tape.Exp, b.Map(tape.Neg, b.Map(tape.Sqrt, sq)))
	}),
	kernel("gp_matern32_cov", func(b *tape.Builder, sq Scalars) Scalars {
		d := scale(b, b.Map(tape.Sqrt, sq), math.Sqrt(3))
		return b.Map(tape.Mul, b.Map(tape.Add, d, Constant(1)), b.Map(tape.Exp, b.Map(tape.Neg, d)))
	}),
	kernel("gp_matern52_cov", func(b *tape.Builder, sq Scalars) Scalars {
		d := scale(b, b.Map(tape.Sqrt, sq), math.Sqrt(5))
		factor := b.Map(tape.Add, b.Map(tape.Add, d, Constant(1)), scale(b, sq, 5./3))
		return b.Map(tape.Mul, factor, b.Map(tape.Exp, b.Map(tape.Neg, d)))
	}),
	{names: "gp_dot_prod_cov", Signatures: "[rr:m [vr:m [r[rr:m [v[vr:m", Emit: func(r *Emitter, _ Type, a []Value) Value {
		x, y, n := a[0], a[len(a)-2], a[0].Dims[0]
		if n == 0 || y.Dims[0] == 0 {
			return Matrix(nil, n, y.Dims[0])
		}
		left := Matrix(x.X, n, len(x.X)/n)
		right := Matrix(y.X, y.Dims[0], len(y.X)/y.Dims[0])
		if left.cols() != right.cols() {
			r.sizeMismatch(x, y)
		}
		dots := r.MatMul(left, right.Transpose())
		return dots.WithElements(r.B.Map(tape.Add, dots.X, r.B.Map(tape.Square, a[len(a)-1].X)))
	}},
	{names: "gp_periodic_cov", Signatures: "[rrrr:m [vrrr:m", Emit: func(r *Emitter, _ Type, a []Value) Value {
		b := r.B
		period, inverseSquareLength := a[3].X, b.Map(tape.Inv, b.Map(tape.Square, a[2].X))
		return r.covarianceMatrix(a[0], a[0], a[1].X[0], nil, func(sq Scalars) Scalars {
			angle := b.Map(tape.Div, scale(b, b.Map(tape.Sqrt, sq), math.Pi), period)
			return b.Map(tape.Exp, b.Map(tape.Mul, scale(b, b.Map(tape.Square, b.Map(tape.Sin, angle)), -2), inverseSquareLength))
		})
	}},
}

// kernel returns a covariance function alpha^2 f(sq), where sq is the squared distance of two points in units of the
// length scale.
func kernel(names string, f func(b *tape.Builder, sq Scalars) Scalars) Builtin {
	return Builtin{names: names, Signatures: "[rrr:m [vrr:m [wrr:m [vr[r:m [r[rrr:m [v[vrr:m [w[wrr:m [v[vr[r:m",
		Emit: func(r *Emitter, _ Type, a []Value) Value {
			n := len(a)
			return r.covarianceMatrix(a[0], a[n-3], a[n-2].X[0], a[n-1].X, func(sq Scalars) Scalars { return f(r.B, sq) })
		}}
}

// covarianceMatrix returns the matrix alpha^2 f(squared distance / scale^2) of all pairs of a point of x and a point of
// y. lengths has one scale, or one for each coordinate; nil means 1.
func (r *Emitter) covarianceMatrix(x, y Value, alpha tape.Scalar, lengths Scalars, f func(sq Scalars) Scalars) Value {
	m, n := x.Dims[0], y.Dims[0]
	if m*n == 0 {
		return Matrix(nil, m, n)
	}
	d := len(x.X) / m
	if len(y.X)/n != d || len(lengths) > 1 && len(lengths) != d {
		r.Fail(problem.New("the sizes %s and %s do not match", FormatDims(x.Dims), FormatDims(y.Dims)))
	}
	r.CountSteps(m * n * max(d, 1) / 2)

	// If both lists of points are the same, compute each pair once.
	same := m == n && &x.X[0] == &y.X[0]
	total := make(Scalars, 1)
	var weights Scalars
	if lengths != nil {
		weights = r.B.Map(tape.Inv, r.B.Map(tape.Square, lengths))
	}

	// The squared distances, coordinate by coordinate.
	for k := range d {
		var left, right Scalars
		for i := range m {
			for j := range n {
				if same && j >= i {
					break
				}
				left, right = append(left, x.X[i*d+k]), append(right, y.X[j*d+k])
			}
		}
		if len(left) == 0 {
			break
		}
		sq := r.B.Map(tape.Square, r.B.Map(tape.Sub, left, right))
		if len(weights) > 1 {
			sq = r.B.Map(tape.Mul, sq, weights[k:k+1])
		}
		total = r.B.Map(tape.Add, sq, total)
	}
	if len(weights) == 1 {
		total = r.B.Map(tape.Mul, total, weights)
	}

	// The covariances of the pairs.
	strength := r.B.Map(tape.Square, Scalars{alpha})
	out := r.B.Map(tape.Mul, f(total), strength)
	if !same {
		return Matrix(out, m, n)
	}

	// Both halves of a symmetric matrix.
	full := Matrix(make(Scalars, r.CheckSize(n, n)), n, n)
	at := 0
	for i := range n {
		full.X[i*n+i] = strength[0]
		for j := range i {
			full.X[i*n+j], full.X[j*n+i] = out[at], out[at]
			at++
		}
	}
	return full
}
