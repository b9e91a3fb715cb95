package stan

import (
	"math"
	"strings"

	"logzlab/core/num"
	"logzlab/core/tape"
)

// drawn is a statement that was run, with a parameter or elements of one on its left.
type drawn struct {
	family string
	name   string // of the parameter
	shape  shape
	first  int // its first coordinate, and their number, where it has a shape
	free   int
	left   numbers
	args   []value
	terms  numbers // that it added to the log density
	cut    bool    // T[lo, hi]
	lo, hi numbers // of T, nil where left out
}

// record notes a statement whose terms stand from first on, if a parameter is on its left.
func (r *run) record(family string, left *expr, args []*expr, trunc *truncation, first int) {
	root := ofParameter(left)
	if root == nil {
		return
	}
	d := &drawn{family: family, name: root.name, shape: root.decl.shape, left: r.eval(left).x,
		terms: append(numbers(nil), r.terms[first:]...)}
	for _, a := range args {
		d.args = append(d.args, r.eval(a))
	}
	if d.cut = trunc != nil; d.cut {
		bound := func(e *expr) numbers {
			if e == nil {
				return nil
			}
			return numbers{r.num(e)}
		}
		d.lo, d.hi = bound(trunc.lo), bound(trunc.hi)
	}
	r.drawn = append(r.drawn, d)
}

// ofParameter is a parameter where an expression is that, or elements of parameters alone; nil for others.
func ofParameter(e *expr) (s *symbol) {
	switch {
	case e.node == nameNode && e.sym.block == parametersBlock && e.sym.decl != nil:
		return e.sym
	case e.node == indexNode, e.node == transposeNode,
		e.node == callNode && strings.HasPrefix(e.name, "to_") && len(e.args) == 1:
		return ofParameter(e.args[0])
	case e.node == rowNode || e.node == arrayNode:
		for _, a := range e.args {
			if s = ofParameter(a); s == nil {
				return nil
			}
		}
	}
	return s
}

// origin is where an element of a parameter without a shape comes from.
type origin struct {
	d             *decl
	at            int     // its coordinate
	lo, hi        numbers // its bounds, nil without
	offset, times numbers
}

// prior looks for the statements that form a prior which can be drawn from: each coordinate has one, and what it is
// given was drawn before. density is the tape of its log density, normalised; draws show coordinates made of standard
// normal variables. Where there is none, why says it: a reason (tape.NoPrior) and a name.
func (r *run) prior(p *Program, out *Compiled, jacobians numbers) (density, draws *tape.Tape, why [2]string) {
	m := &priorMaker{run: r, out: out, places: map[tape.Scalar]origin{}, blocks: map[tape.Scalar][2]int{},
		of: make([]*drawn, r.dim), terms: jacobians}
	m.find(p)
	if !m.gather(p) || !m.count() || !m.write() {
		return nil, nil, m.why
	}
	density, err := r.b.Part(append(m.terms, tape.Const(-m.mass))...)
	if err == nil {
		m.to.Target(m.to.Inputs()[0])
		for _, u := range m.u {
			m.to.Show("", u)
		}
		draws, err = m.to.Finish()
	}
	if err != nil {
		return nil, nil, [2]string{tape.PriorTooLong}
	}
	return density, draws, why
}

// priorMaker writes draws from a prior.
type priorMaker struct {
	*run
	out    *Compiled
	places map[tape.Scalar]origin
	blocks map[tape.Scalar][2]int // of shaped parameters, by the last element: first coordinate, number of coordinates
	of     []*drawn               // by coordinate
	list   []*drawn
	terms  numbers // of the log density
	mass   float64 // log of what bounds leave of it
	to     *tape.Builder
	copier *tape.Copier
	z      numbers // normal variables that are left
	u      numbers // the coordinates
	why    [2]string
}

func (m *priorMaker) refuse(reason, name string) bool {
	if m.why[0] == "" {
		m.why = [2]string{reason, name}
	}
	return false
}

// find notes where elements of parameters come from.
func (m *priorMaker) find(p *Program) {
	u := m.b.Inputs()
	for i, s := range p.blocks[parametersBlock] {
		q, d := &m.out.Parameters[i], s.decl
		if q.Free == 0 {
			continue
		}
		x := m.frame[d.sym.slot].x
		if d.shape != plainShape {
			n := product(q.Dims[:d.typ.depth])
			for k := range n {
				m.blocks[x[(k+1)*len(x)/n-1]] = [2]int{q.First + k*q.Free/n, q.Free / n}
			}
			continue
		}
		in := func(x numbers) numbers { return byRows(x, d.typ, q.Dims) }
		side := func(e *expr) numbers {
			x := m.bound(e, q.Dims)
			if len(x) > 1 {
				x = in(x)
			}
			return x
		}
		lo, hi, off, by := side(d.lower), side(d.upper), side(d.offset), side(d.multiplier)
		at := map[tape.Scalar]int{}
		for k := range q.Free {
			at[u[q.First+k]] = q.First + k
		}
		for k, input := range in(u[q.First : q.First+q.Free]) {
			m.places[x[k]] = origin{d, at[input], infinite(elementOf(lo, k), -1), infinite(elementOf(hi, k), 1),
				elementOf(off, k), elementOf(by, k)}
		}
	}
}

// gather finds the statement of each coordinate.
func (m *priorMaker) gather(p *Program) bool {
	for _, s := range m.drawn {
		claim := func(at int) bool {
			if m.of[at] != nil {
				return m.refuse(tape.PriorTwice, s.name)
			}
			m.of[at] = s
			return true
		}
		if s.shape != plainShape {
			block, whole := [2]int{}, false
			if len(s.left) > 0 {
				block, whole = m.blocks[s.left[len(s.left)-1]]
			}
			if s.first, s.free = block[0], block[1]; !whole {
				return m.refuse(tape.PriorShape, s.name)
			}
			for k := range s.free {
				if !claim(s.first + k) {
					return false
				}
			}
		}
		if jointDraws[s.family] == nil && s.repeats() {
			return m.refuse(tape.PriorTwice, s.name)
		}
		for _, x := range s.left {
			if at, ok := m.places[x]; s.shape == plainShape && (!ok || !claim(at.at)) {
				return m.refuse(tape.PriorTwice, s.name)
			}
		}
		m.list, m.terms = append(m.list, s.apart()...), append(m.terms, s.terms...)
	}
	flat := map[int]tape.Scalar{}
	for x, at := range m.places {
		flat[at.at] = x
	}
	for i := range p.blocks[parametersBlock] {
		q := &m.out.Parameters[i]
		for at := q.First; at < q.First+q.Free; at++ {
			if m.of[at] == nil && !m.flat(flat[at]) {
				return m.refuse(tape.PriorMissing, q.Name)
			}
		}
	}
	return true
}

// infinite is a bound, nil where it is infinite.
func infinite(x numbers, sign int) numbers {
	if len(x) > 0 {
		if c, ok := x[0].Const(); ok && math.IsInf(c, sign) {
			return nil
		}
	}
	return x
}

// repeats reports whether a number on the left is given several distributions.
func (s *drawn) repeats() bool {
	for _, a := range s.args {
		if len(a.x) > 1 && len(a.x) != len(s.left) {
			return true
		}
	}
	return false
}

// apart are statements of one element each, where elements are drawn by themselves.
func (s *drawn) apart() (out []*drawn) {
	if jointDraws[s.family] != nil || s.shape != plainShape {
		return []*drawn{s}
	}
	for i, x := range s.left {
		one := *s
		one.left, one.args = numbers{x}, nil
		for _, a := range s.args {
			one.args = append(one.args, realValue(elementOf(a.x, i)[0]))
		}
		out = append(out, &one)
	}
	return out
}

// flat makes the prior of an element without a statement that has constant bounds on both sides: it is uniform.
func (m *priorMaker) flat(x tape.Scalar) bool {
	at, ok := m.places[x]
	if !ok || len(at.lo) == 0 || len(at.hi) == 0 || !tape.Known(at.lo[0], at.hi[0]) {
		return false
	}
	lo, _ := at.lo[0].Const()
	hi, _ := at.hi[0].Const()
	m.mass += num.Log(hi - lo)
	m.list = append(m.list, &drawn{family: "uniform", name: at.d.name, left: numbers{x},
		args: []value{realValue(at.lo[0]), realValue(at.hi[0])}})
	return true
}
