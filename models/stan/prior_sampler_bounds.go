package stan

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// restrict turns a draw v of a family with parameters p into a draw x within the bounds of its parameter at. It adds
// the log mass within the bounds to logMass, unless T[...] has normalised the density. ok is false if the mass is not
// constant or no method is known.
func (m *samplerBuilder) restrict(s *priorStatement, g *logpdf.Generator, at elementOrigin, v tape.Scalar, p lang.Scalars) (x tape.Scalar,
	ok bool) {
	lo, hi := at.lo, at.hi
	if s.truncated { // the bounds of T must equal those of the declaration
		if !sameBound(m.copied(s.lo), lo) || !sameBound(m.copied(s.hi), hi) {
			return v, false
		}
	}

	// Bounds that the family has by nature.
	if cutsNothing(lo, g.Low, p, g.Positive, 0, false) {
		lo = nil
	}
	if cutsNothing(hi, g.High, p, g.BelowOne, 1, true) {
		hi = nil
	}
	if lo == nil && hi == nil {
		return v, true
	}

	// Families with a way to draw within bounds.
	b, mass := m.drawTape, tape.Const(.5)
	switch centre := centreOf(s.family, g, p); {
	case centre != nil && lo == nil != (hi == nil) && sameBound(centre, append(lo, hi...)):
		distance := b.Do(tape.Abs, b.Do(tape.Sub, v, centre[0])) // reflect draws on the wrong side of the centre
		if hi != nil {
			distance = b.Do(tape.Neg, distance)
		}
		v = b.Do(tape.Add, centre[0], distance)
	case s.family == "normal" || s.family == "std_normal":
		z := v
		if s.family == "normal" {
			z = b.Do(tape.Div, b.Do(tape.Sub, v, p[0]), p[1])
		} else {
			p = tape.Consts(0, 1)
		}
		cdf := func(x lang.Scalars, none float64) tape.Scalar {
			if x == nil {
				return tape.Const(none)
			}
			return b.Do(tape.Phi, b.Do(tape.Div, b.Do(tape.Sub, x[0], p[0]), p[1]))
		}
		first, last := cdf(lo, 0), cdf(hi, 1)
		mass = b.Do(tape.Sub, last, first)
		u := b.Do(tape.Add, first, b.Do(tape.Mul, mass, b.Do(tape.Phi, z)))
		v = b.Do(tape.Add, p[0], b.Do(tape.Mul, p[1], b.Do(tape.PhiInv, u)))
	case s.family == "exponential" && hi == nil: // memoryless: shift the draw by the lower bound
		mass = b.Do(tape.Exp, b.Do(tape.Neg, b.Do(tape.Mul, p[0], lo[0])))
		v = b.Do(tape.Add, v, lo[0])
	default:
		return v, false
	}

	// Add the log mass within the bounds.
	if s.truncated {
		return v, true
	}
	c, known := mass.Const()
	m.logMass += num.Log(c)
	return v, known && c > 0
}

// centreOf returns the centre of symmetry of a family, or nil.
func centreOf(family string, g *logpdf.Generator, p lang.Scalars) lang.Scalars {
	switch {
	case family == "std_normal":
		return tape.Consts(0)
	case g.Centre >= 0:
		return p[g.Centre : g.Centre+1]
	}
	return nil
}

// sameBound reports whether two bounds are equal.
func sameBound(a, b lang.Scalars) bool { return len(a) == len(b) && (len(a) == 0 || a[0] == b[0]) }

// cutsNothing reports whether a bound excludes nothing: there is none, or the family ends there, at a parameter of its
// own or at a constant.
func cutsNothing(bound lang.Scalars, own int, p lang.Scalars, ends bool, end float64, upper bool) bool {
	if len(bound) == 0 {
		return true
	}
	c, known := bound[0].Const()
	if own >= 0 {
		if bound[0] == p[own] {
			return true
		}
		v, also := p[own].Const()
		return known && also && (upper && c >= v || !upper && c <= v)
	}
	return ends && known && (upper && c >= end || !upper && c <= end)
}

// jointDraw draws from a multivariate distribution: countNormals returns the number of standard normal variables, or 0
// if the statement cannot be drawn; draw emits the draw.
type jointDraw struct {
	countNormals func(m *samplerBuilder, s *priorStatement) int
	draw         func(m *samplerBuilder, s *priorStatement) bool
}

var jointDraws = map[string]*jointDraw{
	"multi_normal":          {multiNormalCount, func(m *samplerBuilder, s *priorStatement) bool { return m.drawMultiNormal(s, true) }},
	"multi_normal_cholesky": {multiNormalCount, func(m *samplerBuilder, s *priorStatement) bool { return m.drawMultiNormal(s, false) }},
	"dirichlet":             {dirichletCount, (*samplerBuilder).drawDirichlet},
	"lkj_corr":              {lkjCount, (*samplerBuilder).drawLKJ},
	"lkj_corr_cholesky":     {lkjCount, (*samplerBuilder).drawLKJ},
}

// multiNormalCount is countNormals of a multivariate normal distribution: one variable for each element, without
// bounds.
func multiNormalCount(m *samplerBuilder, s *priorStatement) int {
	for _, x := range s.outcome {
		if at, ok := m.origins[x]; !ok || at.lo != nil || at.hi != nil {
			return 0
		}
	}
	if n := len(s.outcome); len(s.args[1].X) == n*n && len(s.args[0].X) == n {
		return n
	}
	return 0
}

// drawMultiNormal draws from a multivariate normal distribution.
func (m *samplerBuilder) drawMultiNormal(s *priorStatement, covariance bool) bool {
	n, root := len(s.outcome), m.copied(s.args[1].X)
	if covariance {
		root = m.drawTape.Cholesky(root, n)
	}
	mean, z := m.copied(s.args[0].X), m.nextNormals(n)
	for i, x := range s.outcome {
		at := m.origins[x]
		at.offset, at.multiplier = m.copied(at.offset), m.copied(at.multiplier)
		m.setCoordinate(at.coordinate, m.coordinateOf(at, m.drawTape.Do(tape.Add, mean[i], m.drawTape.Dot(root[i*n:i*n+i+1], z[:i+1]))))
	}
	return true
}

// constants returns the values of x; ok is false if one of them is not constant.
func constants(x lang.Scalars) (out []float64, ok bool) {
	ok = true
	for _, s := range x {
		c, known := s.Const()
		out, ok = append(out, c), ok && known
	}
	return out, ok
}

// dirichletCount is countNormals of a Dirichlet distribution: the variables of a gamma draw for each element.
func dirichletCount(_ *samplerBuilder, s *priorStatement) (n int) {
	shapes, ok := constants(s.args[0].X)
	if !ok || s.constraint != syntax.Simplex || len(shapes) != len(s.outcome) || len(s.outcome) != s.free+1 {
		return 0
	}
	for _, a := range shapes {
		k := logpdf.GammaNormals(a)
		if k == 0 {
			return 0
		}
		n += k
	}
	return n
}

// drawDirichlet draws a simplex from gamma variables.
func (m *samplerBuilder) drawDirichlet(s *priorStatement) bool {
	shapes, _ := constants(s.args[0].X)
	first, n := s.first, s.free
	var g lang.Scalars
	for _, a := range shapes {
		g = append(g, logpdf.GammaDraw(m.drawTape, m.nextNormals(logpdf.GammaNormals(a))))
	}
	for k := range n {
		share := m.drawTape.Do(tape.Log, m.drawTape.Do(tape.Div, g[k], m.drawTape.Sum(g[k+1:])))
		m.setCoordinate(first+k, m.drawTape.Do(tape.Add, share, tape.Const(num.Log(float64(n-k)))))
	}
	return true
}

// lkjShape returns the shape of the beta distribution of the partial correlations of column j.
func lkjShape(s *priorStatement, size, j int) float64 {
	eta, ok := s.args[0].X[0].Const()
	if !ok {
		return math.NaN()
	}
	return eta + num.Mul(0.5, float64(size-2-j))
}

// lkjCount is countNormals of an LKJ distribution: the variables of two gamma draws for each partial correlation.
func lkjCount(_ *samplerBuilder, s *priorStatement) (n int) {
	size := int(math.Sqrt(float64(len(s.outcome))))
	if sh := s.constraint; sh != syntax.CorrMatrix && sh != syntax.CholeskyCorr || size*(size-1)/2 != s.free {
		return 0
	}
	for i := range size {
		for j := range i {
			k := logpdf.GammaNormals(lkjShape(s, size, j))
			if k == 0 {
				return 0
			}
			n += 2 * k
		}
	}
	return n
}

// drawLKJ draws a correlation matrix: under an LKJ prior partial correlations r are independent and (1 + r)/2 has a
// beta distribution, so the coordinates atanh r are half the log of a ratio of gamma variables.
func (m *samplerBuilder) drawLKJ(s *priorStatement) bool {
	size := int(math.Sqrt(float64(len(s.outcome))))
	first := s.first
	one := func(at, j int) {
		k := logpdf.GammaNormals(lkjShape(s, size, j))
		g, h := logpdf.GammaDraw(m.drawTape, m.nextNormals(k)), logpdf.GammaDraw(m.drawTape, m.nextNormals(k))
		m.setCoordinate(first+at, m.drawTape.Do(tape.Mul, tape.Const(.5), m.drawTape.Do(tape.Log, m.drawTape.Do(tape.Div, g, h))))
	}
	at := 0
	if s.constraint == syntax.CholeskyCorr { // by rows
		for i := range size {
			for j := range i {
				one(at, j)
				at++
			}
		}
		return true
	}
	for j := range size {
		for range size - j - 1 {
			one(at, j)
			at++
		}
	}
	return true
}
