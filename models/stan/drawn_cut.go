package stan

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// within makes of a draw v of a family one within the bounds of its parameter, and counts what they leave of the
// density, unless T[...] has counted it. ok is false where that is not a constant, or there is no way to draw.
func (m *priorMaker) within(s *drawn, g *logpdf.Generator, at origin, v tape.Scalar, p lang.Numbers) (x tape.Scalar,
	ok bool) {
	lo, hi := at.lo, at.hi
	if s.cut { // T has to be the bounds
		if !same(m.copied(s.lo), lo) || !same(m.copied(s.hi), hi) {
			return v, false
		}
	}

	// Bounds that the family has by nature.
	if natural(lo, g.Low, p, g.Positive, 0, false) {
		lo = nil
	}
	if natural(hi, g.High, p, g.BelowOne, 1, true) {
		hi = nil
	}
	if lo == nil && hi == nil {
		return v, true
	}

	// Families with a way to draw within bounds.
	b, kept := m.to, tape.Const(.5)
	switch centre := centreOf(s.family, g, p); {
	case centre != nil && lo == nil != (hi == nil) && same(centre, append(lo, hi...)):
		off := b.Do(tape.Abs, b.Do(tape.Sub, v, centre[0])) // half of it
		if hi != nil {
			off = b.Do(tape.Neg, off)
		}
		v = b.Do(tape.Add, centre[0], off)
	case s.family == "normal" || s.family == "std_normal":
		z := v
		if s.family == "normal" {
			z = b.Do(tape.Div, b.Do(tape.Sub, v, p[0]), p[1])
		} else {
			p = tape.Consts(0, 1)
		}
		share := func(x lang.Numbers, none float64) tape.Scalar {
			if x == nil {
				return tape.Const(none)
			}
			return b.Do(tape.Phi, b.Do(tape.Div, b.Do(tape.Sub, x[0], p[0]), p[1]))
		}
		first, last := share(lo, 0), share(hi, 1)
		kept = b.Do(tape.Sub, last, first)
		u := b.Do(tape.Add, first, b.Do(tape.Mul, kept, b.Do(tape.Phi, z)))
		v = b.Do(tape.Add, p[0], b.Do(tape.Mul, p[1], b.Do(tape.PhiInv, u)))
	case s.family == "exponential" && hi == nil: // it has no memory
		kept = b.Do(tape.Exp, b.Do(tape.Neg, b.Do(tape.Mul, p[0], lo[0])))
		v = b.Do(tape.Add, v, lo[0])
	default:
		return v, false
	}

	// What the bounds leave of the density.
	if s.cut {
		return v, true
	}
	c, known := kept.Const()
	m.mass += num.Log(c)
	return v, known && c > 0
}

// centreOf is the number around which a family is symmetric, nil for none.
func centreOf(family string, g *logpdf.Generator, p lang.Numbers) lang.Numbers {
	switch {
	case family == "std_normal":
		return tape.Consts(0)
	case g.Centre >= 0:
		return p[g.Centre : g.Centre+1]
	}
	return nil
}

// same reports whether two bounds are one.
func same(a, b lang.Numbers) bool { return len(a) == len(b) && (len(a) == 0 || a[0] == b[0]) }

// natural reports whether a bound cuts nothing off: there is none, or a family ends there by itself, at a parameter of
// its own or at a constant.
func natural(bound lang.Numbers, own int, p lang.Numbers, ends bool, end float64, upper bool) bool {
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

// jointDraw draws from a distribution of several elements that depend on each other.
type jointDraw struct {
	needs func(m *priorMaker, s *drawn) int
	draw  func(m *priorMaker, s *drawn) bool
}

var jointDraws = map[string]*jointDraw{
	"multi_normal":          {normalNeeds, func(m *priorMaker, s *drawn) bool { return m.jointly(s, true) }},
	"multi_normal_cholesky": {normalNeeds, func(m *priorMaker, s *drawn) bool { return m.jointly(s, false) }},
	"dirichlet":             {dirichletNeeds, (*priorMaker).stick},
	"lkj_corr":              {lkjNeeds, (*priorMaker).partials},
	"lkj_corr_cholesky":     {lkjNeeds, (*priorMaker).partials},
}

func normalNeeds(m *priorMaker, s *drawn) int {
	for _, x := range s.left {
		if at, ok := m.places[x]; !ok || at.lo != nil || at.hi != nil {
			return 0
		}
	}
	if n := len(s.left); len(s.args[1].X) == n*n && len(s.args[0].X) == n {
		return n
	}
	return 0
}

// jointly draws from a normal distribution.
func (m *priorMaker) jointly(s *drawn, covariance bool) bool {
	n, root := len(s.left), m.copied(s.args[1].X)
	if covariance {
		root = m.to.Cholesky(root, n)
	}
	mean, z := m.copied(s.args[0].X), m.noise(n)
	for i, x := range s.left {
		at := m.places[x]
		at.offset, at.times = m.copied(at.offset), m.copied(at.times)
		m.set(at.at, m.free(at, m.to.Do(tape.Add, mean[i], m.to.Dot(root[i*n:i*n+i+1], z[:i+1]))))
	}
	return true
}

func constants(x lang.Numbers) (out []float64, ok bool) {
	ok = true
	for _, s := range x {
		c, known := s.Const()
		out, ok = append(out, c), ok && known
	}
	return out, ok
}

func dirichletNeeds(_ *priorMaker, s *drawn) (n int) {
	shapes, ok := constants(s.args[0].X)
	if !ok || s.shape != syntax.SimplexShape || len(shapes) != len(s.left) || len(s.left) != s.free+1 {
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

// stick draws a simplex, by gamma variables in place of its elements.
func (m *priorMaker) stick(s *drawn) bool {
	shapes, _ := constants(s.args[0].X)
	first, n := s.first, s.free
	var g lang.Numbers
	for _, a := range shapes {
		g = append(g, logpdf.GammaDraw(m.to, m.noise(logpdf.GammaNormals(a))))
	}
	for k := range n {
		share := m.to.Do(tape.Log, m.to.Do(tape.Div, g[k], m.to.Sum(g[k+1:])))
		m.set(first+k, m.to.Do(tape.Add, share, tape.Const(num.Log(float64(n-k)))))
	}
	return true
}

// lkjShape is the shape of the beta distribution of the partial correlations of column j.
func lkjShape(s *drawn, size, j int) float64 {
	eta, ok := s.args[0].X[0].Const()
	if !ok {
		return math.NaN()
	}
	return eta + num.Mul(0.5, float64(size-2-j))
}

func lkjNeeds(_ *priorMaker, s *drawn) (n int) {
	size := int(math.Sqrt(float64(len(s.left))))
	if sh := s.shape; sh != syntax.CorrShape && sh != syntax.CorrFactorShape || size*(size-1)/2 != s.free {
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

// partials draws a correlation matrix: under LKJ priors partial correlations are independent, (1 + r)/2 has a beta
// distribution, and the coordinates, atanh r, are half the log of a ratio of gamma variables.
func (m *priorMaker) partials(s *drawn) bool {
	size := int(math.Sqrt(float64(len(s.left))))
	first := s.first
	one := func(at, j int) {
		k := logpdf.GammaNormals(lkjShape(s, size, j))
		g, h := logpdf.GammaDraw(m.to, m.noise(k)), logpdf.GammaDraw(m.to, m.noise(k))
		m.set(first+at, m.to.Do(tape.Mul, tape.Const(.5), m.to.Do(tape.Log, m.to.Do(tape.Div, g, h))))
	}
	at := 0
	if s.shape == syntax.CorrFactorShape { // by rows
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
