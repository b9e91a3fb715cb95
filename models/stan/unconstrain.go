package stan

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// Posterior is a compiled program with the map from parameters, as in CmdStan's draws, to unconstrained coordinates.
type Posterior struct {
	*Compiled
	density, inverse *tape.EvaluatorPool
	names            []string // names of the numbers of all parameters
	owner            []int    // index of the parameter of each number
	coordinate       []int    // coordinate of each number; -1 if the number has no separate coordinate
	outputCount      int      // number of outputs of the tape; the parameters come first
}

// roundTripTolerance is the largest relative difference between a parameter and the value computed from its
// coordinates. Draws are written with six digits or more.
const roundTripTolerance = 1e-4

// Posterior compiles the program and its inverse.
func (p *Program) Posterior(data []byte) (out *Posterior, err error) {
	c, err := p.Compile(data, nil)
	if err != nil {
		return nil, err
	}
	if p.Density != nil {
		return nil, problem.New("an expression declares no parameters; write a program with a parameters block")
	}
	defer lang.Recover(p.Source, &err)
	out = &Posterior{Compiled: c, density: c.Tape.EvaluatorPool(), outputCount: len(c.Tape.OutputNames())}

	// Load the data again: bounds may depend on data.
	r := &lowerer{Emitter: lang.NewEmitter(nil), frame: make([]lang.Value, p.Slots)}
	r.loadData(p.Blocks[syntax.DataBlock], data)
	r.lowerBlock(p.Blocks[syntax.TransformedDataBlock])

	// A tape with an input for each element of the parameters.
	size := 0
	for _, q := range c.Parameters {
		size += lang.Product(q.Dims)
	}
	r.Pos = p.Blocks[syntax.ParametersBlock][0].Decl.Pos
	if r.B = tape.NewBuilder(size); r.B.Err() != nil {
		r.Fail(r.B.Err())
	}
	in := r.B.Inputs()
	for i, s := range p.Blocks[syntax.ParametersBlock] {
		d, dims := s.Decl, c.Parameters[i].Dims
		x := make(lang.Scalars, lang.Product(dims))
		for n := range x {
			name, at := element(d.ShownName(), dims, n)
			out.names, out.owner = append(out.names, name), append(out.owner, i)
			x[at] = in[len(out.names)-1]
			out.coordinate = append(out.coordinate, coordinateOfElement(d, c.Parameters[i], at))
		}
		r.frame[d.Sym.Slot] = lang.Value{T: d.Type, Dims: dims, X: x}
	}

	// The outputs of the inverse are the coordinates.
	for i, s := range p.Blocks[syntax.ParametersBlock] {
		for _, u := range r.unconstrain(s.Decl, c.Parameters[i].Dims) {
			r.B.Output("u", u)
		}
	}
	r.B.Target(in...)
	back, err := r.B.Finish()
	if err != nil {
		lang.Fail(r.Pos, err)
	}
	out.inverse = back.EvaluatorPool()
	return out, nil
}

// coordinateOfElement returns the coordinate of element at of a parameter, or -1 if elements have no separate
// coordinates.
func coordinateOfElement(d *syntax.Decl, q Parameter, at int) int {
	switch {
	case d.Constraint != syntax.NoConstraint:
		return -1
	case d.Type.Base == lang.MatrixType:
		m, n := q.Dims[d.Type.Depth], q.Dims[d.Type.Depth+1]
		at += -at%(m*n) + at%n*m + at%(m*n)/n
	}
	return q.First + at
}

// Names returns the names of all numbers of the parameters, as CmdStan writes them: sigma, a.1, M.2.1.
func (p *Posterior) Names() []string { return p.names }

// Dim returns the number of coordinates.
func (p *Posterior) Dim() int { return p.Tape.Dim() }

// LogF returns the log density at coordinates u, with all constants and Jacobians.
func (p *Posterior) LogF(u []float64) float64 { return p.density.LogF(u) }

// Improper returns the names of the parameters without a prior.
func (p *Posterior) Improper() string { return p.Tape.Note(tape.NoteImproper) }

// Underdetermined reports whether a parameter is a unit vector: draws do not determine the length of its coordinates.
func (p *Posterior) Underdetermined() bool {
	for i := range p.Parameters {
		if p.isUnitVector(i) {
			return true
		}
	}
	return false
}

// isUnitVector reports whether parameter i is a unit vector.
func (p *Posterior) isUnitVector(i int) bool {
	return p.Parameters[i].Type == constraintNames[syntax.UnitVector]
}

// Free sets u to the coordinates of a draw x, with a number for each of Names. The length of a unit vector's
// coordinates is independent of everything else and is drawn from s. An error names a number that violates a
// constraint.
func (p *Posterior) Free(x []float64, s *rng.Stream, u []float64) error {
	p.inverse.Outputs(x, u)
	roundTrip := make([]float64, p.outputCount)
	p.density.Outputs(u, roundTrip)
	for i, v := range x {
		if difference := math.Abs(roundTrip[i] - v); !(difference <= roundTripTolerance*max(1, math.Abs(v))) || !p.isFinite(i, u) {
			return p.outsideError(i, x)
		}
	}
	for i, q := range p.Parameters {
		if p.isUnitVector(i) {
			k := q.Dims[len(q.Dims)-1]
			for at := q.First; k > 0 && at < q.First+q.Free; at += k {
				length := num.Exp(.5 * (num.Log(2) + s.LogGamma(float64(k)/2)))
				for j := range k {
					u[at+j] = num.Mul(length, u[at+j])
				}
			}
		}
	}
	return nil
}

// isFinite reports whether the coordinates of number i are finite.
func (p *Posterior) isFinite(i int, u []float64) bool {
	if p.coordinate[i] >= 0 {
		return num.Finite(u[p.coordinate[i]])
	}
	q := p.Parameters[p.owner[i]]
	for _, v := range u[q.First : q.First+q.Free] {
		if !num.Finite(v) {
			return false
		}
	}
	return true
}

// outsideError returns the error for a number that violates the constraint of its parameter.
func (p *Posterior) outsideError(i int, x []float64) error {
	q := p.Parameters[p.owner[i]]
	if !slices.Contains(constraintNames[1:], q.Type) {
		return problem.New("%s is %v, which is at or beyond a bound of %s; the draws come from another program or "+
			"have too few decimals (CmdStan: sig_figs=18)", p.names[i], x[i], q.Name)
	}
	return problem.New("%s is %v, but %s is not a valid %s; the draws come from another program or have too few "+
		"decimals (CmdStan: sig_figs=18)", p.names[i], x[i], q.Name, q.Type)
}

// unconstrain is the inverse of constrain, applied to the parameter in the frame.
func (r *lowerer) unconstrain(d *syntax.Decl, dims []int) (u lang.Scalars) {
	r.Pos = d.Pos
	x := r.frame[d.Sym.Slot].X
	if len(x) == 0 {
		return nil
	}
	if d.Constraint == syntax.NoConstraint {
		x = r.unscale(byColumns(x, d.Type, dims), r.bound(d.Offset, dims), r.bound(d.Multiplier, dims))
		return r.unconstrainBounds(x, r.bound(d.Lower, dims), r.bound(d.Upper, dims))
	}
	inner := dims[d.Type.Depth:]
	n := lang.Product(inner)
	for at := 0; at < len(x); at += n {
		u = append(u, r.unconstrainElement(d.Constraint, x[at:at+n], inner)...)
	}
	return u
}

// byColumns is the inverse of byRows.
func byColumns(x lang.Scalars, t lang.Type, dims []int) lang.Scalars {
	if t.Base != lang.MatrixType || len(x) == 0 {
		return x
	}
	return transposeEach(x, dims[t.Depth], dims[t.Depth+1])
}

// unscale is the inverse of scale.
func (r *lowerer) unscale(x, offset, multiplier lang.Scalars) lang.Scalars {
	if offset != nil {
		x = r.B.Map(tape.Sub, x, offset)
	}
	if multiplier != nil {
		x = r.B.Map(tape.Div, x, multiplier)
	}
	return x
}

// unconstrainBounds is the inverse of constrainBounds.
func (r *lowerer) unconstrainBounds(x, lo, hi lang.Scalars) lang.Scalars {
	out := make(lang.Scalars, 0, len(x))
	for i := range x {
		one := x[i]
		below, above := r.hasFiniteBound(lang.ElementOf(lo, i), math.Inf(-1)), r.hasFiniteBound(lang.ElementOf(hi, i), math.Inf(1))
		logAbove, logBelow := tape.Scalar{}, tape.Scalar{}
		if below {
			logAbove = r.B.Do(tape.Log, r.B.Do(tape.Sub, one, lang.ElementOf(lo, i)[0]))
		}
		if above {
			logBelow = r.B.Do(tape.Log, r.B.Do(tape.Sub, lang.ElementOf(hi, i)[0], one))
		}
		switch {
		case below && above:
			one = r.B.Do(tape.Sub, logAbove, logBelow)
		case below:
			one = logAbove
		case above:
			one = logBelow
		}
		out = append(out, one)
	}
	return out
}

// unconstrainElement is the inverse of constrainElement.
func (r *lowerer) unconstrainElement(s syntax.Constraint, x lang.Scalars, dims []int) lang.Scalars {
	b, k := r.B, dims[0]
	log := func(x tape.Scalar) tape.Scalar { return b.Do(tape.Log, x) }
	switch s {
	case syntax.Simplex:
		return r.inverseSimplex(x)
	case syntax.RowStochastic:
		return mapRows(x, k, r.inverseSimplex)
	case syntax.ColumnStochastic:
		return mapRows(tape.Transpose(x, k, dims[1]), dims[1], r.inverseSimplex)
	case syntax.SumToZeroVector:
		return r.inverseSumToZero(x)
	case syntax.SumToZeroMatrix:
		columns := mapRows(tape.Transpose(x, k, dims[1]), dims[1], r.inverseSumToZero)
		return mapRows(tape.Transpose(columns, dims[1], k-1), k-1, r.inverseSumToZero)
	case syntax.Ordered, syntax.PositiveOrdered:
		u := lang.Scalars{x[0]}
		if s == syntax.PositiveOrdered {
			u[0] = log(x[0])
		}
		for i := 1; i < k; i++ {
			u = append(u, log(b.Do(tape.Sub, x[i], x[i-1])))
		}
		return u

	// Matrices, by their Cholesky factors; unit vectors stay.
	case syntax.CorrMatrix:
		return r.inverseCorrFactor(b.Cholesky(x, k), k, true)
	case syntax.CholeskyCorr:
		return r.inverseCorrFactor(x, k, false)
	case syntax.CovMatrix:
		x = b.Cholesky(x, k)
		dims = []int{k, k}
	case syntax.UnitVector:
		return x
	}

	// The lower triangle, with logs on the diagonal.
	var u lang.Scalars
	for i := range dims[0] {
		for j := range min(i+1, dims[1]) {
			e := x[i*dims[1]+j]
			if i == j {
				e = log(e)
			}
			u = append(u, e)
		}
	}
	return u
}

// inverseSimplex is the inverse of simplex.
func (r *lowerer) inverseSimplex(x lang.Scalars) lang.Scalars {
	b, k := r.B, len(x)
	u, left := make(lang.Scalars, k-1), x[k-1] // left is the sum of the elements after i
	for i := k - 2; i >= 0; i-- {
		u[i] = b.Do(tape.Add, b.Do(tape.Sub, b.Do(tape.Log, x[i]), b.Do(tape.Log, left)),
			tape.Const(num.Log(float64(k-1-i))))
		left = b.Do(tape.Add, left, x[i])
	}
	return u
}

// inverseSumToZero is the inverse of sumToZero.
func (r *lowerer) inverseSumToZero(x lang.Scalars) lang.Scalars {
	b, sum := r.B, tape.Scalar{}
	u := make(lang.Scalars, len(x)-1)
	for i := len(u); i > 0; i-- {
		w := b.Do(tape.Mul, b.Do(tape.Sub, sum, x[i]), tape.Const(1/float64(i)))
		u[i-1] = b.Do(tape.Mul, w, tape.Const(math.Sqrt(float64(i*(i+1)))))
		sum = b.Do(tape.Add, sum, w)
	}
	return u
}

// inverseCorrFactor returns the coordinates of the Cholesky factor l of a correlation matrix, by columns or by rows:
// atanh of each partial correlation.
func (r *lowerer) inverseCorrFactor(l lang.Scalars, k int, columns bool) lang.Scalars {
	b := r.B
	coordinates := make([]lang.Scalars, k)
	for i := range k {
		coordinates[i] = make(lang.Scalars, i)
		left := b.Do(tape.Square, l[i*k+i])
		for j := i - 1; j >= 0; j-- {
			left = b.Do(tape.Add, left, b.Do(tape.Square, l[i*k+j]))
			z := b.Do(tape.Div, l[i*k+j], b.Do(tape.Sqrt, left))
			coordinates[i][j] = b.Do(tape.Mul, tape.Const(.5), b.Do(tape.Sub, b.Do(tape.Log1p, z), b.Do(tape.Log1m, z)))
		}
	}
	var u lang.Scalars
	for i := range k {
		if !columns {
			u = append(u, coordinates[i]...)
			continue
		}
		for below := i + 1; below < k; below++ {
			u = append(u, coordinates[below][i])
		}
	}
	return u
}
