package stan

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// startTape counts the normal variables of all draws and starts the tape.
func (m *samplerBuilder) startTape() bool {
	n, copied := 0, lang.Scalars(nil)
	for _, s := range m.statements {
		k := m.normalsNeeded(s)
		if k == 0 {
			return false
		}
		n += k
		for _, a := range s.args {
			copied = append(copied, a.X...)
		}
		copied = append(append(copied, s.lo...), s.hi...)
		for _, x := range s.outcome {
			p := m.origins[x]
			copied = append(append(append(append(copied, p.lo...), p.hi...), p.offset...), p.multiplier...)
		}
	}
	m.drawTape = tape.NewBuilder(n)
	if m.drawTape.Err() != nil {
		return m.refuse(tape.PriorTooLong, "")
	}
	m.normals, m.coordinates = m.drawTape.Inputs(), make(lang.Scalars, m.dim)
	m.copier = m.B.Copier(m.drawTape, copied...)
	return true
}

// normalsNeeded returns the number of normal variables of a statement, or 0 if it cannot be drawn.
func (m *samplerBuilder) normalsNeeded(s *priorStatement) (n int) {
	if j := jointDraws[s.family]; j != nil {
		if n = j.countNormals(m, s); n == 0 {
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
	case s.constraint != syntax.NoConstraint && !(s.constraint == syntax.Ordered && hasEqualArgs(s) && !s.truncated && len(s.outcome) == s.free):
		m.refuse(tape.PriorType, s.name)
		return 0
	}

	// The normal variables of each element.
	for i := range s.outcome {
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

// emitDraws emits the draws, each after the draws of its arguments. It refuses priors that depend on themselves.
func (m *samplerBuilder) emitDraws() bool {
	const maxVisits = 2_000_000_000 // limit of visits to operations and statements
	for pending, visits := m.statements, 0; len(pending) > 0; {
		m.copier.Advance()
		var later []*priorStatement
		for _, s := range pending {
			if !m.isReady(s) {
				later = append(later, s)
				continue
			}
			if !m.emitDraw(s) {
				return false
			}
		}
		visits += m.copier.Pending() + len(pending)
		if len(later) == len(pending) || visits > maxVisits {
			return m.refuse(tape.PriorCyclic, pending[0].name)
		}
		pending = later
	}
	return m.drawTape.Err() == nil || m.refuse(tape.PriorTooLong, "")
}

// isReady reports whether all numbers that the draw of a statement uses are on the tape of the draws.
func (m *samplerBuilder) isReady(s *priorStatement) bool {
	ok := func(x lang.Scalars) bool {
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
	for _, x := range s.outcome {
		p := m.origins[x]
		if !ok(p.lo) || !ok(p.hi) || !ok(p.offset) || !ok(p.multiplier) {
			return false
		}
	}
	return ok(s.lo) && ok(s.hi)
}

// copied returns the copies of numbers on the tape of the draws.
func (m *samplerBuilder) copied(x lang.Scalars) lang.Scalars {
	out := make(lang.Scalars, len(x))
	for i, v := range x {
		out[i], _ = m.copier.Copied(v)
	}
	return out
}

// nextNormals returns the next n normal variables.
func (m *samplerBuilder) nextNormals(n int) lang.Scalars {
	out := m.normals[:n]
	m.normals = m.normals[n:]
	return out
}

// setCoordinate records u as the draw of a coordinate.
func (m *samplerBuilder) setCoordinate(at int, u tape.Scalar) {
	m.coordinates[at] = u
	m.copier.Set(at, u)
}

// emitDraw emits the draw of one statement.
func (m *samplerBuilder) emitDraw(s *priorStatement) bool {
	if j := jointDraws[s.family]; j != nil {
		return j.draw(m, s)
	}
	g, orderedDraws := logpdf.GeneratorOf(s.family), lang.Scalars(nil)
	for i, x := range s.outcome {
		var p lang.Scalars
		known := make([]float64, len(s.args))
		for k, a := range s.args {
			p = append(p, m.copied(lang.ElementOf(a.X, i))[0])
			c, ok := lang.ElementOf(a.X, i)[0].Const()
			if known[k] = c; !ok {
				known[k] = math.NaN()
			}
		}

		// The draw; ordered elements are sorted at the end.
		v := g.Draw(m.drawTape, m.nextNormals(g.NumNormals(known)), p)
		if s.constraint == syntax.Ordered {
			orderedDraws = append(orderedDraws, v)
			continue
		}

		// A plain element, within its bounds.
		at := m.origins[x]
		at.lo, at.hi, at.offset, at.multiplier = m.copied(at.lo), m.copied(at.hi), m.copied(at.offset), m.copied(at.multiplier)
		v, ok := m.restrict(s, g, at, v, p)
		if !ok {
			return m.refuse(tape.PriorTruncated, s.name)
		}
		m.copier.Replace(x, v) // other results of the operation of x may not be drawn yet
		m.setCoordinate(at.coordinate, m.coordinateOf(at, v))
	}
	m.sortOrdered(s, orderedDraws)
	return true
}

// hasEqualArgs reports whether all elements of the outcome have the same arguments.
func hasEqualArgs(s *priorStatement) bool {
	for _, a := range s.args {
		if len(a.X) > 1 {
			return false
		}
	}
	return true
}

// sortOrdered sorts independent draws into an ordered vector. The order has probability 1/n!, which logMass includes.
func (m *samplerBuilder) sortOrdered(s *priorStatement, x lang.Scalars) {
	for last := len(x) - 1; last > 0; last-- {
		for i := range last {
			x[i], x[i+1] = m.drawTape.Do(tape.Min, x[i], x[i+1]), m.drawTape.Do(tape.Max, x[i], x[i+1])
		}
		m.logMass -= num.Log(float64(last + 1))
	}
	for i := range x {
		if i == 0 {
			m.setCoordinate(s.first, x[0])
			continue
		}
		m.setCoordinate(s.first+i, m.drawTape.Do(tape.Log, m.drawTape.Do(tape.Sub, x[i], x[i-1])))
	}
}

// coordinateOf returns the coordinate of a value: the inverse of constrain.
func (m *samplerBuilder) coordinateOf(at elementOrigin, v tape.Scalar) tape.Scalar {
	b := m.drawTape
	if len(at.offset) > 0 {
		v = b.Do(tape.Sub, v, at.offset[0])
	}
	if len(at.multiplier) > 0 {
		v = b.Do(tape.Div, v, at.multiplier[0])
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
