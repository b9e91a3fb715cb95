package stan

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// count finds how many normal variables all draws take, and starts their tape.
func (m *priorMaker) count() bool {
	n, want := 0, lang.Numbers(nil)
	for _, s := range m.list {
		k := m.needs(s)
		if k == 0 {
			return false
		}
		n += k
		for _, a := range s.args {
			want = append(want, a.X...)
		}
		want = append(append(want, s.lo...), s.hi...)
		for _, x := range s.left {
			p := m.places[x]
			want = append(append(append(append(want, p.lo...), p.hi...), p.offset...), p.times...)
		}
	}
	m.to = tape.NewBuilder(n)
	if m.to.Err() != nil {
		return m.refuse(tape.PriorTooLong, "")
	}
	m.z, m.u = m.to.Inputs(), make(lang.Numbers, m.dim)
	m.copier = m.B.Copier(m.to, want...)
	return true
}

// needs is how many normal variables a statement takes, 0 where it cannot be drawn.
func (m *priorMaker) needs(s *drawn) (n int) {
	if j := jointDraws[s.family]; j != nil {
		if n = j.needs(m, s); n == 0 {
			m.refuse(tape.PriorFamily, s.family)
		}
		return n
	}

	// A family of single numbers, plain or in order.
	g := logpdf.GeneratorOf(s.family)
	switch {
	case g == nil:
		m.refuse(tape.PriorFamily, s.family)
		return 0
	case s.shape != syntax.PlainShape && !(s.shape == syntax.OrderedShape && alike(s) && !s.cut && len(s.left) == s.free):
		m.refuse(tape.PriorType, s.name)
		return 0
	}

	// The normal variables of each element.
	for i := range s.left {
		p := make([]float64, len(s.args))
		for k, a := range s.args {
			c, ok := lang.ElementOf(a.X, i)[0].Const()
			if p[k] = c; !ok {
				p[k] = math.NaN()
			}
		}
		k := g.NumNormals(p)
		if k == 0 {
			m.refuse(tape.PriorShapeParam, s.family)
			return 0
		}
		n += k
	}
	return n
}

// write writes the draws, each when what it is given is there.
func (m *priorMaker) write() bool {
	const most = 2_000_000_000 // operations that are looked at
	for left, looked := m.list, 0; len(left) > 0; {
		m.copier.Advance()
		var later []*drawn
		for _, s := range left {
			if !m.ready(s) {
				later = append(later, s)
				continue
			}
			if !m.draw(s) {
				return false
			}
		}
		looked += m.copier.Pending() + len(left)
		if len(later) == len(left) || looked > most {
			return m.refuse(tape.PriorCyclic, left[0].name)
		}
		left = later
	}
	return m.to.Err() == nil || m.refuse(tape.PriorTooLong, "")
}

func (m *priorMaker) ready(s *drawn) bool {
	ok := func(x lang.Numbers) bool {
		for _, v := range x {
			if _, known := m.copier.Copied(v); !known {
				return false
			}
		}
		return true
	}
	for _, a := range s.args {
		if !ok(a.X) {
			return false
		}
	}
	for _, x := range s.left {
		p := m.places[x]
		if !ok(p.lo) || !ok(p.hi) || !ok(p.offset) || !ok(p.times) {
			return false
		}
	}
	return ok(s.lo) && ok(s.hi)
}

// copied are numbers as they are in the draws.
func (m *priorMaker) copied(x lang.Numbers) lang.Numbers {
	out := make(lang.Numbers, len(x))
	for i, v := range x {
		out[i], _ = m.copier.Copied(v)
	}
	return out
}

// noise are the next normal variables.
func (m *priorMaker) noise(n int) lang.Numbers {
	out := m.z[:n]
	m.z = m.z[n:]
	return out
}

func (m *priorMaker) set(at int, u tape.Scalar) {
	m.u[at] = u
	m.copier.Set(at, u)
}

// draw writes the draws of one statement.
func (m *priorMaker) draw(s *drawn) bool {
	if j := jointDraws[s.family]; j != nil {
		return j.draw(m, s)
	}
	g, made := logpdf.GeneratorOf(s.family), lang.Numbers(nil)
	for i, x := range s.left {
		var p lang.Numbers
		known := make([]float64, len(s.args))
		for k, a := range s.args {
			p = append(p, m.copied(lang.ElementOf(a.X, i))[0])
			c, ok := lang.ElementOf(a.X, i)[0].Const()
			if known[k] = c; !ok {
				known[k] = math.NaN()
			}
		}

		// The draw; ordered elements are sorted at the end.
		v := g.Draw(m.to, m.noise(g.NumNormals(known)), p)
		if s.shape == syntax.OrderedShape {
			made = append(made, v)
			continue
		}

		// A plain element, within its bounds.
		at := m.places[x]
		at.lo, at.hi, at.offset, at.times = m.copied(at.lo), m.copied(at.hi), m.copied(at.offset), m.copied(at.times)
		v, ok := m.within(s, g, at, v, p)
		if !ok {
			return m.refuse(tape.PriorTruncated, s.name)
		}
		m.copier.Replace(x, v) // what else its operation makes may not be there yet
		m.set(at.at, m.free(at, v))
	}
	m.sorted(s, made)
	return true
}

// alike reports whether all elements on the left are given the same.
func alike(s *drawn) bool {
	for _, a := range s.args {
		if len(a.X) > 1 {
			return false
		}
	}
	return true
}

// sorted makes an ordered vector of equal draws. Of all orders of as many it has one.
func (m *priorMaker) sorted(s *drawn, x lang.Numbers) {
	for last := len(x) - 1; last > 0; last-- {
		for i := range last {
			x[i], x[i+1] = m.to.Do(tape.Min, x[i], x[i+1]), m.to.Do(tape.Max, x[i], x[i+1])
		}
		m.mass -= num.Log(float64(last + 1))
	}
	for i := range x {
		if i == 0 {
			m.set(s.first, x[0])
			continue
		}
		m.set(s.first+i, m.to.Do(tape.Log, m.to.Do(tape.Sub, x[i], x[i-1])))
	}
}

// free is the coordinate of a value: what constrained does, backwards.
func (m *priorMaker) free(at origin, v tape.Scalar) tape.Scalar {
	b := m.to
	if len(at.offset) > 0 {
		v = b.Do(tape.Sub, v, at.offset[0])
	}
	if len(at.times) > 0 {
		v = b.Do(tape.Div, v, at.times[0])
	}
	above := func() tape.Scalar { return b.Do(tape.Log, b.Do(tape.Sub, v, at.lo[0])) }
	below := func() tape.Scalar { return b.Do(tape.Log, b.Do(tape.Sub, at.hi[0], v)) }
	switch {
	case len(at.lo) > 0 && len(at.hi) > 0:
		return b.Do(tape.Sub, above(), below())
	case len(at.lo) > 0:
		return above()
	case len(at.hi) > 0:
		return below()
	}
	return v
}
