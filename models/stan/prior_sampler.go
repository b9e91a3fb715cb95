package stan

import (
	"math"
	"strings"

	"logzlab/core/num"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// priorStatement is an executed sampling statement with a parameter, or elements of one, as outcome.
type priorStatement struct {
	family     string
	name       string // name of the parameter
	constraint syntax.Constraint
	first      int // first coordinate of a parameter with a constrained type such as simplex
	free       int // number of coordinates of such a parameter
	outcome    lang.Scalars
	args       []lang.Value
	terms      lang.Scalars // terms that the statement added to the log density
	truncated  bool         // the statement has T[lo, hi]
	lo, hi     lang.Scalars // bounds of T, nil if absent
}

// recordStatement records a statement whose terms begin at first, if its outcome is a parameter.
func (r *lowerer) recordStatement(family string, left *syntax.Expr, args []*syntax.Expr, trunc *syntax.Truncation, first int) {
	root := parameterOf(left)
	if root == nil {
		return
	}
	d := &priorStatement{family: family, name: root.Name, constraint: root.Decl.Constraint, outcome: r.value(left).X,
		terms: append(lang.Scalars(nil), r.terms[first:]...)}
	for _, a := range args {
		d.args = append(d.args, r.value(a))
	}
	if d.truncated = trunc != nil; d.truncated {
		bound := func(e *syntax.Expr) lang.Scalars {
			if e == nil {
				return nil
			}
			return lang.Scalars{r.scalar(e)}
		}
		d.lo, d.hi = bound(trunc.Lo), bound(trunc.Hi)
	}
	r.priorStatements = append(r.priorStatements, d)
}

// parameterOf returns the parameter of which all of e consists, or nil.
func parameterOf(e *syntax.Expr) (s *syntax.Symbol) {
	switch {
	case e.Kind == syntax.NameNode && e.Sym.Block == syntax.ParametersBlock && e.Sym.Decl != nil:
		return e.Sym
	case e.Kind == syntax.IndexNode, e.Kind == syntax.TransposeNode,
		e.Kind == syntax.CallNode && strings.HasPrefix(e.Name, "to_") && len(e.Args) == 1:
		return parameterOf(e.Args[0])
	case e.Kind == syntax.RowNode || e.Kind == syntax.ArrayNode:
		for _, a := range e.Args {
			if s = parameterOf(a); s == nil {
				return nil
			}
		}
	}
	return s
}

// elementOrigin is the coordinate of an element of an unconstrained-type parameter, with its bounds, offset and
// multiplier.
type elementOrigin struct {
	decl               *syntax.Decl
	coordinate         int          // index of the coordinate
	lo, hi             lang.Scalars // bounds, nil if there are none
	offset, multiplier lang.Scalars
}

// buildPriorSampler looks for statements that form a prior with a direct sampler: every coordinate has a distribution
// whose arguments are drawn earlier. density is the tape of its normalised log density; draws outputs coordinates
// computed from standard normal variables. If there is none, why holds a reason (tape.NoPrior) and a name.
func (r *lowerer) buildPriorSampler(p *Program, out *Compiled, jacobians lang.Scalars) (density, draws *tape.Tape, why [2]string) {
	m := &samplerBuilder{lowerer: r, out: out, origins: map[tape.Scalar]elementOrigin{}, blocks: map[tape.Scalar][2]int{},
		byCoordinate: make([]*priorStatement, r.dim), terms: jacobians}
	m.findOrigins(p)
	if !m.assignStatements(p) || !m.startTape() || !m.emitDraws() {
		return nil, nil, m.refusal
	}
	density, err := r.B.Part(append(m.terms, tape.Const(-m.logMass))...)
	if err == nil {
		m.drawTape.Target(m.drawTape.Inputs()[0])
		for _, u := range m.coordinates {
			m.drawTape.Output("", u)
		}
		draws, err = m.drawTape.Finish()
	}
	if err != nil {
		return nil, nil, [2]string{tape.PriorTooLong}
	}
	return density, draws, why
}

// samplerBuilder builds the tape that draws from the prior.
type samplerBuilder struct {
	*lowerer
	out          *Compiled
	origins      map[tape.Scalar]elementOrigin // origins of the elements of parameters without a constrained type
	blocks       map[tape.Scalar][2]int        // first coordinate and number of coordinates, by last element of a constrained type
	byCoordinate []*priorStatement             // statement of each coordinate
	statements   []*priorStatement             // statements to draw, one for each element if these are drawn separately
	terms        lang.Scalars                  // terms of the log density of the prior
	logMass      float64                       // log of the prior mass within the bounds, in nats
	drawTape     *tape.Builder                 // tape of the draws
	copier       *tape.Copier                  // copies arguments to this tape
	normals      lang.Scalars                  // standard normal variables that are not used yet
	coordinates  lang.Scalars                  // drawn coordinates
	refusal      [2]string                     // reason of a refusal (tape.NoPrior) and a name
}

// refuse records the first reason why the prior cannot be drawn, and returns false.
func (m *samplerBuilder) refuse(reason, name string) bool {
	if m.refusal[0] == "" {
		m.refusal = [2]string{reason, name}
	}
	return false
}

// findOrigins finds the origins of elements of parameters.
func (m *samplerBuilder) findOrigins(p *Program) {
	u := m.B.Inputs()
	for i, s := range p.Blocks[syntax.ParametersBlock] {
		q, d := &m.out.Parameters[i], s.Decl
		if q.Free == 0 {
			continue
		}
		x := m.frame[d.Sym.Slot].X

		// A constrained type is drawn as a whole.
		if d.Constraint != syntax.NoConstraint {
			n := lang.Product(q.Dims[:d.Type.Depth])
			for k := range n {
				m.blocks[x[(k+1)*len(x)/n-1]] = [2]int{q.First + k*q.Free/n, q.Free / n}
			}
			continue
		}

		// Bounds, offset and multiplier, element by element.
		in := func(x lang.Scalars) lang.Scalars { return byRows(x, d.Type, q.Dims) }
		byElement := func(e *syntax.Expr) lang.Scalars {
			x := m.bound(e, q.Dims)
			if len(x) > 1 {
				x = in(x)
			}
			return x
		}
		lo, hi, offset, multiplier := byElement(d.Lower), byElement(d.Upper), byElement(d.Offset), byElement(d.Multiplier)

		// The origin of each element.
		at := map[tape.Scalar]int{}
		for k := range q.Free {
			at[u[q.First+k]] = q.First + k
		}
		for k, input := range in(u[q.First : q.First+q.Free]) {
			m.origins[x[k]] = elementOrigin{d, at[input], finiteBound(lang.ElementOf(lo, k), -1), finiteBound(lang.ElementOf(hi, k), 1),
				lang.ElementOf(offset, k), lang.ElementOf(multiplier, k)}
		}
	}
}

// assignStatements assigns a statement to each coordinate.
func (m *samplerBuilder) assignStatements(p *Program) bool {
	for _, s := range m.priorStatements {
		claim := func(at int) bool {
			if m.byCoordinate[at] != nil {
				return m.refuse(tape.PriorRepeated, s.name)
			}
			m.byCoordinate[at] = s
			return true
		}

		// A constrained type must be the outcome as a whole.
		if s.constraint != syntax.NoConstraint {
			block, whole := [2]int{}, false
			if len(s.outcome) > 0 {
				block, whole = m.blocks[s.outcome[len(s.outcome)-1]]
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

		// Other elements are assigned one by one.
		if jointDraws[s.family] == nil && s.hasUnequalArgs() {
			return m.refuse(tape.PriorRepeated, s.name)
		}
		for _, x := range s.outcome {
			if at, ok := m.origins[x]; s.constraint == syntax.NoConstraint && (!ok || !claim(at.coordinate)) {
				return m.refuse(tape.PriorRepeated, s.name)
			}
		}
		m.statements, m.terms = append(m.statements, s.split()...), append(m.terms, s.terms...)
	}

	// Every other coordinate must have two constant bounds; its prior is uniform.
	flat := map[int]tape.Scalar{}
	for x, at := range m.origins {
		flat[at.coordinate] = x
	}
	for i := range p.Blocks[syntax.ParametersBlock] {
		q := &m.out.Parameters[i]
		for at := q.First; at < q.First+q.Free; at++ {
			if m.byCoordinate[at] == nil && !m.addUniform(flat[at]) {
				return m.refuse(tape.PriorMissing, q.Name)
			}
		}
	}
	return true
}

// finiteBound returns a bound, or nil if it is infinite.
func finiteBound(x lang.Scalars, sign int) lang.Scalars {
	if len(x) > 0 {
		if c, ok := x[0].Const(); ok && math.IsInf(c, sign) {
			return nil
		}
	}
	return x
}

// hasUnequalArgs reports whether a number of the outcome has several distributions.
func (s *priorStatement) hasUnequalArgs() bool {
	for _, a := range s.args {
		if len(a.X) > 1 && len(a.X) != len(s.outcome) {
			return true
		}
	}
	return false
}

// split splits a statement into statements of one element if elements are drawn separately.
func (s *priorStatement) split() (out []*priorStatement) {
	if jointDraws[s.family] != nil || s.constraint != syntax.NoConstraint {
		return []*priorStatement{s}
	}
	for i, x := range s.outcome {
		one := *s
		one.outcome, one.args = lang.Scalars{x}, nil
		for _, a := range s.args {
			one.args = append(one.args, lang.RealValue(lang.ElementOf(a.X, i)[0]))
		}
		out = append(out, &one)
	}
	return out
}

// addUniform adds a uniform prior for an element without a statement that has two constant bounds.
func (m *samplerBuilder) addUniform(x tape.Scalar) bool {
	at, ok := m.origins[x]
	if !ok || len(at.lo) == 0 || len(at.hi) == 0 || !tape.AllConst(at.lo[0], at.hi[0]) {
		return false
	}
	lo, _ := at.lo[0].Const()
	hi, _ := at.hi[0].Const()
	m.logMass += num.Log(hi - lo)
	m.statements = append(m.statements, &priorStatement{family: "uniform", name: at.decl.Name, outcome: lang.Scalars{x},
		args: []lang.Value{lang.RealValue(at.lo[0]), lang.RealValue(at.hi[0])}})
	return true
}
