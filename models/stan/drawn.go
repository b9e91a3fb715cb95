package stan

import (
	"math"
	"strings"

	"logzlab/core/num"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// drawn is a statement that was run, with a parameter or elements of one on its left.
type drawn struct {
	family string
	name   string // of the parameter
	shape  syntax.Shape
	first  int // its first coordinate, and their number, where it has a shape
	free   int
	left   lang.Numbers
	args   []lang.Value
	terms  lang.Numbers // that it added to the log density
	cut    bool         // T[lo, hi]
	lo, hi lang.Numbers // of T, nil where left out
}

// record notes a statement whose terms stand from first on, if a parameter is on its left.
func (r *run) record(family string, left *syntax.Expr, args []*syntax.Expr, trunc *syntax.Truncation, first int) {
	root := ofParameter(left)
	if root == nil {
		return
	}
	d := &drawn{family: family, name: root.Name, shape: root.Decl.Shape, left: r.eval(left).X,
		terms: append(lang.Numbers(nil), r.terms[first:]...)}
	for _, a := range args {
		d.args = append(d.args, r.eval(a))
	}
	if d.cut = trunc != nil; d.cut {
		bound := func(e *syntax.Expr) lang.Numbers {
			if e == nil {
				return nil
			}
			return lang.Numbers{r.num(e)}
		}
		d.lo, d.hi = bound(trunc.Lo), bound(trunc.Hi)
	}
	r.drawn = append(r.drawn, d)
}

// ofParameter is a parameter where an expression is that, or elements of parameters alone; nil for others.
func ofParameter(e *syntax.Expr) (s *syntax.Symbol) {
	switch {
	case e.Node == syntax.NameNode && e.Sym.Block == syntax.ParametersBlock && e.Sym.Decl != nil:
		return e.Sym
	case e.Node == syntax.IndexNode, e.Node == syntax.TransposeNode,
		e.Node == syntax.CallNode && strings.HasPrefix(e.Name, "to_") && len(e.Args) == 1:
		return ofParameter(e.Args[0])
	case e.Node == syntax.RowNode || e.Node == syntax.ArrayNode:
		for _, a := range e.Args {
			if s = ofParameter(a); s == nil {
				return nil
			}
		}
	}
	return s
}

// origin is where an element of a parameter without a shape comes from.
type origin struct {
	d             *syntax.Decl
	at            int          // its coordinate
	lo, hi        lang.Numbers // its bounds, nil without
	offset, times lang.Numbers
}

// prior looks for the statements that form a prior which can be drawn from: every coordinate has a distribution whose
// parameters are drawn earlier. density is the tape of its log density, normalised; draws show coordinates made of
// standard normal variables. Where there is none, why says it: a reason (tape.NoPrior) and a name.
func (r *run) prior(p *Program, out *Compiled, jacobians lang.Numbers) (density, draws *tape.Tape, why [2]string) {
	m := &priorMaker{run: r, out: out, places: map[tape.Scalar]origin{}, blocks: map[tape.Scalar][2]int{},
		of: make([]*drawn, r.dim), terms: jacobians}
	m.find(p)
	if !m.gather(p) || !m.count() || !m.write() {
		return nil, nil, m.why
	}
	density, err := r.B.Part(append(m.terms, tape.Const(-m.mass))...)
	if err == nil {
		m.to.Target(m.to.Inputs()[0])
		for _, u := range m.u {
			m.to.Output("", u)
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
	terms  lang.Numbers // of the log density
	mass   float64      // log of what bounds leave of it
	to     *tape.Builder
	copier *tape.Copier
	z      lang.Numbers // normal variables that are left
	u      lang.Numbers // the coordinates
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
	u := m.B.Inputs()
	for i, s := range p.Blocks[syntax.ParametersBlock] {
		q, d := &m.out.Parameters[i], s.Decl
		if q.Free == 0 {
			continue
		}
		x := m.frame[d.Sym.Slot].X

		// Shapes come as whole blocks.
		if d.Shape != syntax.PlainShape {
			n := lang.Product(q.Dims[:d.Type.Depth])
			for k := range n {
				m.blocks[x[(k+1)*len(x)/n-1]] = [2]int{q.First + k*q.Free/n, q.Free / n}
			}
			continue
		}

		// Bounds, offset and multiplier, element by element.
		in := func(x lang.Numbers) lang.Numbers { return byRows(x, d.Type, q.Dims) }
		side := func(e *syntax.Expr) lang.Numbers {
			x := m.bound(e, q.Dims)
			if len(x) > 1 {
				x = in(x)
			}
			return x
		}
		lo, hi, off, by := side(d.Lower), side(d.Upper), side(d.Offset), side(d.Multiplier)

		// The origin of each element.
		at := map[tape.Scalar]int{}
		for k := range q.Free {
			at[u[q.First+k]] = q.First + k
		}
		for k, input := range in(u[q.First : q.First+q.Free]) {
			m.places[x[k]] = origin{d, at[input], infinite(lang.ElementOf(lo, k), -1), infinite(lang.ElementOf(hi, k), 1),
				lang.ElementOf(off, k), lang.ElementOf(by, k)}
		}
	}
}

// gather finds the statement of each coordinate.
func (m *priorMaker) gather(p *Program) bool {
	for _, s := range m.drawn {
		claim := func(at int) bool {
			if m.of[at] != nil {
				return m.refuse(tape.PriorRepeated, s.name)
			}
			m.of[at] = s
			return true
		}

		// A shape is claimed as a whole.
		if s.shape != syntax.PlainShape {
			block, whole := [2]int{}, false
			if len(s.left) > 0 {
				block, whole = m.blocks[s.left[len(s.left)-1]]
			}
			if s.first, s.free = block[0], block[1]; !whole {
				return m.refuse(tape.PriorType, s.name)
			}
			for k := range s.free {
				if !claim(s.first + k) {
					return false
				}
			}
		}

		// Plain elements are claimed one by one.
		if jointDraws[s.family] == nil && s.repeats() {
			return m.refuse(tape.PriorRepeated, s.name)
		}
		for _, x := range s.left {
			if at, ok := m.places[x]; s.shape == syntax.PlainShape && (!ok || !claim(at.at)) {
				return m.refuse(tape.PriorRepeated, s.name)
			}
		}
		m.list, m.terms = append(m.list, s.apart()...), append(m.terms, s.terms...)
	}

	// Every coordinate has a statement, or is flat.
	flat := map[int]tape.Scalar{}
	for x, at := range m.places {
		flat[at.at] = x
	}
	for i := range p.Blocks[syntax.ParametersBlock] {
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
func infinite(x lang.Numbers, sign int) lang.Numbers {
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
		if len(a.X) > 1 && len(a.X) != len(s.left) {
			return true
		}
	}
	return false
}

// apart are statements of one element each, where elements are drawn by themselves.
func (s *drawn) apart() (out []*drawn) {
	if jointDraws[s.family] != nil || s.shape != syntax.PlainShape {
		return []*drawn{s}
	}
	for i, x := range s.left {
		one := *s
		one.left, one.args = lang.Numbers{x}, nil
		for _, a := range s.args {
			one.args = append(one.args, lang.RealValue(lang.ElementOf(a.X, i)[0]))
		}
		out = append(out, &one)
	}
	return out
}

// flat makes the prior of an element without a statement that has constant bounds on both sides: it is uniform.
func (m *priorMaker) flat(x tape.Scalar) bool {
	at, ok := m.places[x]
	if !ok || len(at.lo) == 0 || len(at.hi) == 0 || !tape.AllConst(at.lo[0], at.hi[0]) {
		return false
	}
	lo, _ := at.lo[0].Const()
	hi, _ := at.hi[0].Const()
	m.mass += num.Log(hi - lo)
	m.list = append(m.list, &drawn{family: "uniform", name: at.d.Name, left: lang.Numbers{x},
		args: []lang.Value{lang.RealValue(at.lo[0]), lang.RealValue(at.hi[0])}})
	return true
}
