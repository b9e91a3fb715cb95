package stan

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/constraints"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// freeCount returns the number of unconstrained coordinates of one element of a constrained type of sizes dims.
func freeCount(d *syntax.Decl, dims []int) int {
	inner := dims[d.Type.Depth:]
	k := 1
	if len(inner) > 0 {
		k = inner[0]
	}
	switch d.Constraint {
	case syntax.Simplex, syntax.SumToZeroVector:
		return max(k-1, 0)
	case syntax.RowStochastic:
		return k * max(inner[1]-1, 0)
	case syntax.ColumnStochastic:
		return inner[1] * max(k-1, 0)
	case syntax.SumToZeroMatrix:
		return max(k-1, 0) * max(inner[1]-1, 0)
	case syntax.CorrMatrix, syntax.CholeskyCorr:
		return k * (k - 1) / 2
	case syntax.CovMatrix:
		return k * (k + 1) / 2
	case syntax.CholeskyCov:
		n := inner[1]
		return n*(n+1)/2 + (k-n)*n
	}
	return lang.Product(inner)
}

// constrain computes a parameter from its coordinates, in Stan's order and by Stan's transforms, and adds the log
// Jacobians to the log density.
func (r *lowerer) constrain(d *syntax.Decl, t lang.Type, dims []int, u lang.Scalars) lang.Value {
	r.Pos = d.Pos
	arrays, inner := lang.Product(dims[:t.Depth]), dims[t.Depth:]
	out := lang.Value{T: t, Dims: dims, X: make(lang.Scalars, 0, r.CheckSize(dims...))}
	if arrays == 0 {
		return out
	}
	if d.Constraint == syntax.NoConstraint {
		u = r.constrainBounds(u, r.bound(d.Lower, dims), r.bound(d.Upper, dims))
		multiplier := r.bound(d.Multiplier, dims)
		u = r.scale(u, r.bound(d.Offset, dims), multiplier)
		return lang.Value{T: t, Dims: dims, X: byRows(u, t, dims)}
	}
	n := len(u) / arrays
	for i := range arrays {
		x := r.constrainElement(d.Constraint, u[i*n:(i+1)*n], inner)
		constraints.Assume(r.Facts, d.Constraint, x, inner)
		out.X = append(out.X, x...)
	}
	return out
}

// byRows reorders elements from Stan's order, with matrices by columns, to rows.
func byRows(x lang.Scalars, t lang.Type, dims []int) lang.Scalars {
	if t.Base != lang.MatrixType || len(x) == 0 {
		return x
	}
	return transposeEach(x, dims[t.Depth+1], dims[t.Depth])
}

// transposeEach transposes each matrix of m x n.
func transposeEach(x lang.Scalars, m, n int) lang.Scalars {
	out := make(lang.Scalars, 0, len(x))
	for at := 0; at < len(x); at += m * n {
		out = append(out, tape.Transpose(x[at:at+m*n], m, n)...)
	}
	return out
}

// bound evaluates a bound: one number for each element, in Stan's order, or one for all; nil if there is none.
func (r *lowerer) bound(e *syntax.Expr, dims []int) lang.Scalars {
	if e == nil {
		return nil
	}
	v := r.value(e)
	r.Pos = e.Pos
	if v.T.IsScalar() {
		return v.X
	}
	if !lang.SameDims(v.Dims, dims) {
		r.Fail(problem.New("the sizes %s and %s do not match", lang.FormatDims(dims), lang.FormatDims(v.Dims)))
	}
	if v.T.Base == lang.MatrixType {
		x := make(lang.Scalars, 0, len(v.X))
		m, n := dims[len(dims)-2], dims[len(dims)-1]
		for at := 0; at < len(v.X) && m*n > 0; at += m * n {
			x = append(x, tape.Transpose(v.X[at:at+m*n], m, n)...)
		}
		return x
	}
	return v.X
}

// constrainBounds maps coordinates to numbers within bounds.
func (r *lowerer) constrainBounds(u, lo, hi lang.Scalars) lang.Scalars {
	if lo == nil && hi == nil || len(u) == 0 {
		return u
	}
	if len(lo) <= 1 && len(hi) <= 1 {
		return r.constrainCommonBounds(u, lo, hi)
	}
	out := make(lang.Scalars, 0, len(u))
	for i := range u {
		out = append(out, r.constrainCommonBounds(u[i:i+1], lang.ElementOf(lo, i), lang.ElementOf(hi, i))...)
	}
	return out
}

// constrainCommonBounds is constrainBounds for bounds that are equal for all elements.
func (r *lowerer) constrainCommonBounds(u, lo, hi lang.Scalars) lang.Scalars {
	b := r.B
	below, above := r.hasFiniteBound(lo, math.Inf(-1)), r.hasFiniteBound(hi, math.Inf(1))
	switch {
	case below && above:
		if a, ok := lo[0].Const(); ok {
			if c, ok := hi[0].Const(); ok && a >= c {
				r.Fail(problem.New("the lower bound %v is not below the upper bound %v", a, c))
			}
		}
		width := b.Map(tape.Sub, hi, lo)
		softplusU := b.Map(tape.Softplus, u)
		softplusMinusU := b.Map(tape.Softplus, b.Map(tape.Neg, u))
		jacobian := b.Map(tape.Sub, b.Map(tape.Log, width), b.Map(tape.Add, softplusU, softplusMinusU))
		r.terms = append(r.terms, b.Sum(jacobian))

		// The number between the bounds.
		x := b.Map(tape.Add, lo, b.Map(tape.Mul, b.Map(tape.Sigmoid, u), width))
		if tape.AllConst(lo[0], hi[0]) {
			a, _ := lo[0].Const()
			c, _ := hi[0].Const()
			r.Facts.Assume(x, a, c)
		}
		return x
	case below:
		r.terms = append(r.terms, b.Sum(u))
		return b.Map(tape.Add, b.Map(tape.Exp, u), lo)
	case above:
		r.terms = append(r.terms, b.Sum(u))
		return b.Map(tape.Sub, hi, b.Map(tape.Exp, u))
	}
	return u
}

// hasFiniteBound reports whether there is a bound x that is not noBound, the infinite value that means no bound. It
// fails if the bound is NaN or the other infinity.
func (r *lowerer) hasFiniteBound(x lang.Scalars, noBound float64) bool {
	if len(x) == 0 {
		return false
	}
	c, ok := x[0].Const()
	if ok && (!num.NotNaN(c) || c == -noBound) {
		r.Fail(problem.New("a bound cannot be %v", c))
	}
	return !ok || c != noBound
}

// scale returns offset + multiplier u, and adds the log Jacobian to the log density. A nil offset or multiplier is
// omitted.
func (r *lowerer) scale(u, offset, multiplier lang.Scalars) lang.Scalars {
	if len(u) == 0 {
		return u
	}
	for _, s := range offset {
		if c, ok := s.Const(); ok && !num.Finite(c) {
			r.Fail(problem.New("an offset is finite, not %v", c))
		}
	}
	if multiplier != nil {
		for _, s := range multiplier {
			if c, ok := s.Const(); ok && !(c > 0) {
				r.Fail(problem.New("a multiplier is above 0, not %v", c))
			}
		}
		logs := r.B.Map(tape.Log, multiplier)
		if len(logs) == 1 {
			logs = lang.Scalars{r.B.Do(tape.Mul, logs[0], tape.Const(float64(len(u))))}
		}
		r.terms = append(r.terms, r.B.Sum(logs))
		u = r.B.Map(tape.Mul, u, multiplier)
	}
	if offset != nil {
		u = r.B.Map(tape.Add, u, offset)
	}
	return u
}

// constrainElement computes one simplex, matrix and so on from its coordinates.
func (r *lowerer) constrainElement(s syntax.Constraint, u lang.Scalars, dims []int) lang.Scalars {
	k := dims[0]
	if k == 0 {
		return nil
	}
	switch s {
	case syntax.Simplex:
		return r.simplex(u)
	case syntax.RowStochastic:
		return mapRows(u, k, r.simplex)
	case syntax.ColumnStochastic:
		return tape.Transpose(mapRows(u, dims[1], r.simplex), dims[1], k)
	case syntax.SumToZeroVector:
		return r.sumToZero(u)
	case syntax.SumToZeroMatrix: // its rows, then its columns
		if dims[1] == 0 {
			return nil
		}
		rows := tape.Transpose(mapRows(u, k-1, r.sumToZero), k-1, dims[1])
		return tape.Transpose(mapRows(rows, dims[1], r.sumToZero), dims[1], k)

	// Vectors with a length or an order.
	case syntax.UnitVector:
		return r.unitVector(u)
	case syntax.Ordered, syntax.PositiveOrdered:
		return r.ordered(u, s == syntax.PositiveOrdered)
	case syntax.CorrMatrix:
		l := lang.Matrix(r.corrByColumns(u, k), k, k)
		return r.MatMul(l, l.Transpose()).X
	case syntax.CovMatrix:
		return r.covariance(u, k)
	case syntax.CholeskyCorr:
		return r.corrFactor(u, k)
	}
	l, logs := r.covFactor(u, k, dims[1])
	r.terms = append(r.terms, logs...)
	return l
}

// simplex computes a simplex by stick-breaking. At u = 0 all elements are equal.
func (r *lowerer) simplex(u lang.Scalars) lang.Scalars {
	b, n := r.B, len(u)
	off := make([]float64, n)
	for k := range off {
		off[k] = -num.Log(float64(n - k))
	}
	var out lang.Scalars
	remainder := tape.Const(1)
	if n > 0 {
		at := b.Map(tape.Add, u, tape.Consts(off...))
		shares := b.Map(tape.Sigmoid, at)
		both := b.Map(tape.Add, b.Map(tape.Softplus, at), b.Map(tape.Softplus, b.Map(tape.Neg, at)))
		r.terms = append(r.terms, b.Do(tape.Neg, b.Sum(both)))
		for k := range n {
			x := b.Do(tape.Mul, remainder, shares[k])
			r.terms = append(r.terms, b.Do(tape.Log, remainder))
			out = append(out, x)
			remainder = b.Do(tape.Sub, remainder, x)
		}
	}
	return append(out, remainder)
}

// mapRows applies f to each of n rows.
func mapRows(u lang.Scalars, n int, f func(lang.Scalars) lang.Scalars) (out lang.Scalars) {
	for i := range n {
		out = append(out, f(u[i*len(u)/n:(i+1)*len(u)/n])...)
	}
	return out
}

// sumToZero maps coordinates isometrically to vectors with sum 0, so the Jacobian is 1.
func (r *lowerer) sumToZero(u lang.Scalars) lang.Scalars {
	b, out, sum := r.B, make(lang.Scalars, len(u)+1), tape.Scalar{}
	for i := len(u); i > 0; i-- {
		w := b.Do(tape.Mul, u[i-1], tape.Const(1/math.Sqrt(float64(i*(i+1)))))
		sum = b.Do(tape.Add, sum, w)
		out[i-1] = b.Do(tape.Add, out[i-1], sum)
		out[i] = b.Do(tape.Sub, out[i], b.Do(tape.Mul, w, tape.Const(float64(i))))
	}
	return out
}

// unitVector returns u/|u| and adds -|u|^2/2 to the log density, so that the length of u has a proper distribution.
func (r *lowerer) unitVector(u lang.Scalars) lang.Scalars {
	sq := r.B.Dot(u, u)
	r.terms = append(r.terms, r.B.Do(tape.Mul, sq, tape.Const(-.5)))
	return r.B.Map(tape.Div, u, lang.Scalars{r.B.Do(tape.Sqrt, sq)})
}

// ordered returns the cumulative sums of u_1, exp u_2, exp u_3 ..., with exp u_1 in place of u_1 if positive is set.
func (r *lowerer) ordered(u lang.Scalars, positive bool) lang.Scalars {
	steps := append(lang.Scalars(nil), r.B.Map(tape.Exp, u)...)
	logs := u
	if !positive {
		steps[0], logs = u[0], u[1:]
	}
	r.terms = append(r.terms, r.B.Sum(logs))
	for k := 1; k < len(u); k++ {
		steps[k] = r.B.Do(tape.Add, steps[k-1], steps[k])
	}
	return steps
}

// partialCorrelations computes partial correlations z = tanh u, and log(1 - z^2).
func (r *lowerer) partialCorrelations(u lang.Scalars) (z, log1m lang.Scalars) {
	if len(u) == 0 {
		return nil, nil
	}
	z = r.B.Map(tape.Tanh, u)
	log1m = r.B.Map(tape.Log1m, r.B.Map(tape.Square, z))
	r.terms = append(r.terms, r.B.Sum(log1m))
	return z, log1m
}

// corrByColumns computes the Cholesky factor of a correlation matrix from partial correlations by columns, as Stan
// orders those of a corr_matrix.
func (r *lowerer) corrByColumns(u lang.Scalars, k int) lang.Scalars {
	b := r.B
	z, log1m := r.partialCorrelations(u)
	l := make(lang.Scalars, k*k)
	remainders := lang.Scalars(nil) // for each row, 1 minus the sum of squares of its elements so far
	for range k {
		remainders = append(remainders, tape.Const(1))
	}
	at := 0
	for j := range k {
		l[j*k+j] = b.Do(tape.Sqrt, remainders[j])
		for i := j + 1; i < k; i++ {
			l[i*k+j] = b.Do(tape.Mul, z[at], b.Do(tape.Sqrt, remainders[i]))
			remainders[i] = b.Do(tape.Mul, remainders[i], b.Do(tape.Sub, tape.Const(1), b.Do(tape.Square, z[at])))
			if w := float64(k - j - 2); w > 0 {
				r.terms = append(r.terms, b.Do(tape.Mul, log1m[at], tape.Const(w/2)))
			}
			at++
		}
	}
	return l
}

// corrFactor computes the Cholesky factor of a correlation matrix from partial correlations by rows.
func (r *lowerer) corrFactor(u lang.Scalars, k int) lang.Scalars {
	b := r.B
	z, _ := r.partialCorrelations(u)
	l := make(lang.Scalars, k*k)
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

// covFactor computes a lower triangular m x n matrix with a positive diagonal, and the logs of the diagonal.
func (r *lowerer) covFactor(u lang.Scalars, m, n int) (l, logs lang.Scalars) {
	l = make(lang.Scalars, m*n)
	at := 0
	for i := range m {
		for j := range min(i+1, n) {
			if l[i*n+j] = u[at]; i == j {
				logs = append(logs, u[at])
				l[i*n+j] = r.B.Do(tape.Exp, u[at])
			}
			at++
		}
	}
	return l, logs
}

// covariance returns a k x k covariance matrix L L' from the coordinates of its Cholesky factor.
func (r *lowerer) covariance(u lang.Scalars, k int) lang.Scalars {
	x, logs := r.covFactor(u, k, k)
	weights := make([]float64, k)
	for i := range weights {
		weights[i] = float64(k - i + 1)
	}
	r.terms = append(r.terms, tape.Const(float64(k)*math.Ln2), r.B.Dot(logs, tape.Consts(weights...)))
	l := lang.Matrix(x, k, k)
	return r.MatMul(l, l.Transpose()).X
}
