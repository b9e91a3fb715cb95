package stan

import (
	"math"

	"logzlab/core/problem"
	"logzlab/core/tape"
)

// kernelFunctions are covariances of Gaussian processes.
var kernelFunctions = []builtin{
	kernel("cov_exp_quad gp_exp_quad_cov", func(b *tape.Builder, sq numbers) numbers {
		return b.Map(tape.Exp, scale(b, sq, -.5))
	}),
	kernel("gp_exponential_cov", func(b *tape.Builder, sq numbers) numbers {
		return b.Map(tape.Exp, b.Map(tape.Neg, b.Map(tape.Sqrt, sq)))
	}),
	kernel("gp_matern32_cov", func(b *tape.Builder, sq numbers) numbers {
		d := scale(b, b.Map(tape.Sqrt, sq), math.Sqrt(3))
		return b.Map(tape.Mul, b.Map(tape.Add, d, constant(1)), b.Map(tape.Exp, b.Map(tape.Neg, d)))
	}),
	kernel("gp_matern52_cov", func(b *tape.Builder, sq numbers) numbers {
		d := scale(b, b.Map(tape.Sqrt, sq), math.Sqrt(5))
		most := b.Map(tape.Add, b.Map(tape.Add, d, constant(1)), scale(b, sq, 5./3))
		return b.Map(tape.Mul, most, b.Map(tape.Exp, b.Map(tape.Neg, d)))
	}),
	{names: "gp_dot_prod_cov", takes: "[rr:m [vr:m [r[rr:m [v[vr:m", do: func(r *run, _ typ, a []value) value {
		x, y, n := a[0], a[len(a)-2], a[0].dims[0]
		if n == 0 || y.dims[0] == 0 {
			return matrix(nil, n, y.dims[0])
		}
		left := matrix(x.x, n, len(x.x)/n)
		right := matrix(y.x, y.dims[0], len(y.x)/y.dims[0])
		if left.cols() != right.cols() {
			r.unfit(x, y)
		}
		dots := r.matMul(left, right.flip())
		return dots.with(r.b.Map(tape.Add, dots.x, r.b.Map(tape.Square, a[len(a)-1].x)))
	}},
	{names: "gp_periodic_cov", takes: "[rrrr:m [vrrr:m", do: func(r *run, _ typ, a []value) value {
		b := r.b
		period, wide := a[3].x, b.Map(tape.Inv, b.Map(tape.Square, a[2].x))
		return r.pairs(a[0], a[0], a[1].x[0], nil, func(sq numbers) numbers {
			turn := b.Map(tape.Div, scale(b, b.Map(tape.Sqrt, sq), math.Pi), period)
			return b.Map(tape.Exp, b.Map(tape.Mul, scale(b, b.Map(tape.Square, b.Map(tape.Sin, turn)), -2), wide))
		})
	}},
}

// kernel is a covariance by squared distance in units of the length scale.
func kernel(names string, f func(b *tape.Builder, sq numbers) numbers) builtin {
	return builtin{names: names, takes: "[rrr:m [vrr:m [wrr:m [vr[r:m [r[rrr:m [v[vrr:m [w[wrr:m [v[vr[r:m",
		do: func(r *run, _ typ, a []value) value {
			n := len(a)
			return r.pairs(a[0], a[n-3], a[n-2].x[0], a[n-1].x, func(sq numbers) numbers { return f(r.b, sq) })
		}}
}

// pairs is the matrix of alpha^2 f(squared distance / scale^2) of all pairs. A scale for each coordinate is possible;
// nil stands for 1.
func (r *run) pairs(x, y value, alpha tape.Scalar, lengths numbers, f func(sq numbers) numbers) value {
	m, n := x.dims[0], y.dims[0]
	if m*n == 0 {
		return matrix(nil, m, n)
	}
	d := len(x.x) / m
	if len(y.x)/n != d || len(lengths) > 1 && len(lengths) != d {
		r.fail(problem.New("the sizes %s and %s do not go together", spellDims(x.dims), spellDims(y.dims)))
	}
	r.step(m * n * max(d, 1) / 2)
	same := m == n && &x.x[0] == &y.x[0]
	total := make(numbers, 1)
	var weights numbers
	if lengths != nil {
		weights = r.b.Map(tape.Inv, r.b.Map(tape.Square, lengths))
	}
	for k := range d {
		var left, right numbers
		for i := range m {
			for j := range n {
				if same && j >= i {
					break
				}
				left, right = append(left, x.x[i*d+k]), append(right, y.x[j*d+k])
			}
		}
		if len(left) == 0 {
			break
		}
		sq := r.b.Map(tape.Square, r.b.Map(tape.Sub, left, right))
		if len(weights) > 1 {
			sq = r.b.Map(tape.Mul, sq, weights[k:k+1])
		}
		total = r.b.Map(tape.Add, sq, total)
	}
	if len(weights) == 1 {
		total = r.b.Map(tape.Mul, total, weights)
	}
	strength := r.b.Map(tape.Square, numbers{alpha})
	out := r.b.Map(tape.Mul, f(total), strength)
	if !same {
		return matrix(out, m, n)
	}
	full := matrix(make(numbers, r.room(n, n)), n, n)
	at := 0
	for i := range n {
		full.x[i*n+i] = strength[0]
		for j := range i {
			full.x[i*n+j], full.x[j*n+i] = out[at], out[at]
			at++
		}
	}
	return full
}
