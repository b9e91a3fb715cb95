package stan

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/tape"
)

// free is the number of coordinates of one element of a declared type, and its sizes.
func free(d *decl, dims []int) int {
	inner := dims[d.typ.depth:]
	k := 1
	if len(inner) > 0 {
		k = inner[0]
	}
	switch d.shape {
	case simplexShape, sumToZeroShape:
		return max(k-1, 0)
	case rowSimplexShape:
		return k * max(inner[1]-1, 0)
	case columnSimplexShape:
		return inner[1] * max(k-1, 0)
	case corrShape, corrFactorShape:
		return k * (k - 1) / 2
	case covShape:
		return k * (k + 1) / 2
	case covFactorShape:
		n := inner[1]
		return n*(n+1)/2 + (k-n)*n
	}
	return product(inner)
}

// constrained makes a parameter of coordinates, in Stan's order and by Stan's transforms, and adds the logs of their
// Jacobians to the log density.
func (r *run) constrained(d *decl, t typ, dims []int, u numbers) value {
	r.at = d.at
	arrays, inner := product(dims[:t.depth]), dims[t.depth:]
	out := value{t, dims, make(numbers, 0, r.room(dims...))}
	if arrays == 0 {
		return out
	}
	if d.shape == plainShape {
		u = r.scaled(d, r.bounded(d, u, dims), dims)
		return value{t, dims, byRows(u, t, dims)}
	}
	n := len(u) / arrays
	for i := range arrays {
		out.x = append(out.x, r.shaped(d.shape, u[i*n:(i+1)*n], inner)...)
	}
	return out
}

// byRows puts numbers in Stan's order, of which matrices are by columns, in ours.
func byRows(x numbers, t typ, dims []int) numbers {
	if t.base != matrixType || len(x) == 0 {
		return x
	}
	m, n := dims[t.depth], dims[t.depth+1]
	out := make(numbers, 0, len(x))
	for at := 0; at < len(x); at += m * n {
		out = append(out, transposed(x[at:at+m*n], n, m)...)
	}
	return out
}

// bound is a bound for each element in Stan's order, or one for all; nil without.
func (r *run) bound(e *expr, dims []int) numbers {
	if e == nil {
		return nil
	}
	v := r.eval(e)
	r.at = e.at
	if v.t.scalar() {
		return v.x
	}
	if !sameDims(v.dims, dims) {
		r.fail(problem.New("the sizes %s and %s do not go together", spellDims(dims), spellDims(v.dims)))
	}
	if v.t.base == matrixType {
		x := make(numbers, 0, len(v.x))
		m, n := dims[len(dims)-2], dims[len(dims)-1]
		for at := 0; at < len(v.x) && m*n > 0; at += m * n {
			x = append(x, transposed(v.x[at:at+m*n], m, n)...)
		}
		return x
	}
	return v.x
}

// bounded puts coordinates within bounds.
func (r *run) bounded(d *decl, u numbers, dims []int) numbers {
	lo, hi := r.bound(d.lower, dims), r.bound(d.upper, dims)
	if lo == nil && hi == nil || len(u) == 0 {
		return u
	}
	if len(lo) <= 1 && len(hi) <= 1 {
		return r.within(u, lo, hi)
	}
	out := make(numbers, 0, len(u))
	for i := range u {
		out = append(out, r.within(u[i:i+1], elementOf(lo, i), elementOf(hi, i))...)
	}
	return out
}

func elementOf(x numbers, i int) numbers {
	if len(x) > 1 {
		return x[i : i+1]
	}
	return x
}

// within is bounded for bounds that all have in common.
func (r *run) within(u, lo, hi numbers) numbers {
	b := r.b
	below, above := r.finite(lo, math.Inf(-1)), r.finite(hi, math.Inf(1))
	switch {
	case below && above:
		if a, ok := lo[0].Const(); ok {
			if c, ok := hi[0].Const(); ok && a >= c {
				r.fail(problem.New("the lower bound %v is not below the upper bound %v", a, c))
			}
		}
		width := b.Map(tape.Sub, hi, lo)
		one := b.Map(tape.Softplus, u)
		two := b.Map(tape.Softplus, b.Map(tape.Neg, u))
		jacobian := b.Map(tape.Sub, b.Map(tape.Log, width), b.Map(tape.Add, one, two))
		r.terms = append(r.terms, b.Sum(jacobian))
		return b.Map(tape.Add, lo, b.Map(tape.Mul, b.Map(tape.Sigmoid, u), width))
	case below:
		r.terms = append(r.terms, b.Sum(u))
		return b.Map(tape.Add, b.Map(tape.Exp, u), lo)
	case above:
		r.terms = append(r.terms, b.Sum(u))
		return b.Map(tape.Sub, hi, b.Map(tape.Exp, u))
	}
	return u
}

// finite reports whether there is a bound, which none means there is not.
func (r *run) finite(x numbers, none float64) bool {
	if len(x) == 0 {
		return false
	}
	c, ok := x[0].Const()
	if ok && (c != c || c == -none) {
		r.fail(problem.New("a bound cannot be %v", c))
	}
	return !ok || c != none
}

// scaled multiplies coordinates and shifts them.
func (r *run) scaled(d *decl, u numbers, dims []int) numbers {
	by, off := r.bound(d.multiplier, dims), r.bound(d.offset, dims)
	if len(u) == 0 {
		return u
	}
	if by != nil {
		for _, s := range by {
			if c, ok := s.Const(); ok && !(c > 0) {
				r.fail(problem.New("a multiplier is above 0, not %v", c))
			}
		}
		logs := r.b.Map(tape.Log, by)
		if len(logs) == 1 {
			logs = numbers{r.b.Do(tape.Mul, logs[0], tape.Const(float64(len(u))))}
		}
		r.terms = append(r.terms, r.b.Sum(logs))
		u = r.b.Map(tape.Mul, u, by)
	}
	if off != nil {
		u = r.b.Map(tape.Add, u, off)
	}
	return u
}

// shaped makes one simplex, matrix and so on.
func (r *run) shaped(s shape, u numbers, dims []int) numbers {
	k := dims[0]
	if k == 0 {
		return nil
	}
	switch s {
	case simplexShape:
		return r.simplex(u)
	case rowSimplexShape:
		return r.simplices(u, k)
	case columnSimplexShape:
		return transposed(r.simplices(u, dims[1]), dims[1], k)
	case sumToZeroShape:
		return r.sumToZero(u)
	case unitShape:
		return r.unitVector(u)
	case orderedShape, positiveShape:
		return r.ordered(u, s == positiveShape)
	case corrShape:
		l := matrix(r.corrByColumns(u, k), k, k)
		return r.matMul(l, l.flip()).x
	case covShape:
		return r.covariance(u, k)
	case corrFactorShape:
		return r.corrFactor(u, k)
	}
	l, logs := r.covFactor(u, k, dims[1])
	r.terms = append(r.terms, logs...)
	return l
}

// simplex breaks a stick: each share of what is left is equal at 0.
func (r *run) simplex(u numbers) numbers {
	b, n := r.b, len(u)
	off := make([]float64, n)
	for k := range off {
		off[k] = -num.Log(float64(n - k))
	}
	var out numbers
	left := tape.Const(1)
	if n > 0 {
		at := b.Map(tape.Add, u, tape.Consts(off...))
		shares := b.Map(tape.Sigmoid, at)
		both := b.Map(tape.Add, b.Map(tape.Softplus, at), b.Map(tape.Softplus, b.Map(tape.Neg, at)))
		r.terms = append(r.terms, b.Do(tape.Neg, b.Sum(both)))
		for k := range n {
			x := b.Do(tape.Mul, left, shares[k])
			r.terms = append(r.terms, b.Do(tape.Log, left))
			out = append(out, x)
			left = b.Do(tape.Sub, left, x)
		}
	}
	return append(out, left)
}

// simplices are n of them.
func (r *run) simplices(u numbers, n int) (out numbers) {
	for i := range n {
		out = append(out, r.simplex(u[i*len(u)/n:(i+1)*len(u)/n])...)
	}
	return out
}

// sumToZero turns coordinates into the plane of vectors whose sum is 0. Lengths stay, so there is no Jacobian.
func (r *run) sumToZero(u numbers) numbers {
	b, out, sum := r.b, make(numbers, len(u)+1), tape.Scalar{}
	for i := len(u); i > 0; i-- {
		w := b.Do(tape.Mul, u[i-1], tape.Const(1/math.Sqrt(float64(i*(i+1)))))
		sum = b.Do(tape.Add, sum, w)
		out[i-1] = b.Do(tape.Add, out[i-1], sum)
		out[i] = b.Do(tape.Sub, out[i], b.Do(tape.Mul, w, tape.Const(float64(i))))
	}
	return out
}

func (r *run) unitVector(u numbers) numbers {
	sq := r.b.Dot(u, u)
	r.terms = append(r.terms, r.b.Do(tape.Mul, sq, tape.Const(-.5)))
	return r.b.Map(tape.Div, u, numbers{r.b.Do(tape.Sqrt, sq)})
}

func (r *run) ordered(u numbers, positive bool) numbers {
	steps := append(numbers(nil), r.b.Map(tape.Exp, u)...)
	logs := u
	if !positive {
		steps[0], logs = u[0], u[1:]
	}
	r.terms = append(r.terms, r.b.Sum(logs))
	for k := 1; k < len(u); k++ {
		steps[k] = r.b.Do(tape.Add, steps[k-1], steps[k])
	}
	return steps
}

// partial makes partial correlations of coordinates, by tanh.
func (r *run) partial(u numbers) (z, log1m numbers) {
	if len(u) == 0 {
		return nil, nil
	}
	z = r.b.Map(tape.Tanh, u)
	log1m = r.b.Map(tape.Log1m, r.b.Map(tape.Square, z))
	r.terms = append(r.terms, r.b.Sum(log1m))
	return z, log1m
}

// corrByColumns is the factor of a correlation matrix whose partial correlations stand by columns, as Stan reads those
// of a corr_matrix.
func (r *run) corrByColumns(u numbers, k int) numbers {
	b := r.b
	z, log1m := r.partial(u)
	l := make(numbers, k*k)
	left := numbers(nil) // of each row, 1 less the squares so far
	for range k {
		left = append(left, tape.Const(1))
	}
	at := 0
	for j := range k {
		l[j*k+j] = b.Do(tape.Sqrt, left[j])
		for i := j + 1; i < k; i++ {
			l[i*k+j] = b.Do(tape.Mul, z[at], b.Do(tape.Sqrt, left[i]))
			left[i] = b.Do(tape.Mul, left[i], b.Do(tape.Sub, tape.Const(1), b.Do(tape.Square, z[at])))
			if w := float64(k - j - 2); w > 0 {
				r.terms = append(r.terms, b.Do(tape.Mul, log1m[at], tape.Const(w/2)))
			}
			at++
		}
	}
	return l
}

// corrFactor is the factor of a correlation matrix whose partial correlations stand by rows.
func (r *run) corrFactor(u numbers, k int) numbers {
	b := r.b
	z, _ := r.partial(u)
	l := make(numbers, k*k)
	l[0] = tape.Const(1)
	at := 0
	for i := 1; i < k; i++ {
		l[i*k] = z[at]
		squares := b.Do(tape.Square, z[at])
		at++
		for j := 1; j < i; j++ {
			left := b.Do(tape.Sub, tape.Const(1), squares)
			r.terms = append(r.terms, b.Do(tape.Mul, tape.Const(.5), b.Do(tape.Log1m, squares)))
			x := b.Do(tape.Mul, z[at], b.Do(tape.Sqrt, left))
			l[i*k+j] = x
			squares = b.Do(tape.Add, squares, b.Do(tape.Square, x))
			at++
		}
		l[i*k+i] = b.Do(tape.Sqrt, b.Do(tape.Sub, tape.Const(1), squares))
	}
	return l
}

// covFactor is a lower matrix of m x n with a positive diagonal, and the logs of the diagonal.
func (r *run) covFactor(u numbers, m, n int) (l, logs numbers) {
	l = make(numbers, m*n)
	at := 0
	for i := range m {
		for j := range min(i+1, n) {
			if l[i*n+j] = u[at]; i == j {
				logs = append(logs, u[at])
				l[i*n+j] = r.b.Do(tape.Exp, u[at])
			}
			at++
		}
	}
	return l, logs
}

func (r *run) covariance(u numbers, k int) numbers {
	x, logs := r.covFactor(u, k, k)
	weights := make([]float64, k)
	for i := range weights {
		weights[i] = float64(k - i + 1)
	}
	r.terms = append(r.terms, tape.Const(float64(k)*math.Ln2), r.b.Dot(logs, tape.Consts(weights...)))
	l := matrix(x, k, k)
	return r.matMul(l, l.flip()).x
}
