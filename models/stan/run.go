package stan

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/priors"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// run walks the tree of a program once.
type run struct {
	lang.Emitter
	frame []lang.Value  // variables of the program, or of the function that is called
	terms []tape.Scalar // of the log density
	drawn []*drawn      // statements about parameters
	dim   int           // coordinates
	live  int           // elements of variables
	value lang.Value
	cut   map[*syntax.Symbol]*cut // of priors that declarations cut
	free  map[*syntax.Expr]bool   // terms of the density that depend on no parameter,
	known []float64               // and their values

	given   given // priors
	unnamed unnamed
	alone   *alone // nil: priors and likelihood

	sides int     // of conditions on parameters, around what is run
	ended []ended // where the function that is called has returned under conditions on parameters
}

// flow is how a statement ends.
type flow uint8

const (
	onward flow = iota
	broken
	continued
	returned
	rejected
)

func (r *run) body(list []*syntax.Stmt) flow {
	for _, s := range list {
		if f := r.exec(s); f != onward {
			return f
		}
	}
	return onward
}

// exec runs a statement.
func (r *run) exec(s *syntax.Stmt) flow {
	r.At = s.At
	r.Step(0)
	switch s.Action {
	case syntax.DeclareStmt:
		r.declare(s.Decl)
		r.state(s.Decl.Init)
	case syntax.AssignStmt:
		r.assign(s)
		r.state(s.Right)
		r.noted(s.Right, 1)

	// Terms of the density.
	case syntax.TildeStmt:
		first := len(r.terms)
		r.tilde(s)
		r.state(s.Right)
		r.record(s.Text, s.Left, s.Args, s.Trunc, first)
	case syntax.TargetStmt:
		v := r.eval(s.Right)
		r.At = s.At
		r.add(r.B.Sum(v.X))
		r.state(s.Right)
		r.noted(s.Right, 1)
		if family, end, ok := lang.CutSuffix(s.Right.Name); ok && s.Right.Node == syntax.DensityNode && end == "_lpdf" {
			r.record(family, s.Right.Args[0], s.Right.Args[1:], nil, len(r.terms)-1)
		}
	case syntax.CallStmt:
		r.eval(s.Left)
	case syntax.RejectStmt:
		return r.reject(s)

	// Branches and loops.
	case syntax.IfStmt:
		return r.condition(s)
	case syntax.WhileStmt, syntax.ForStmt, syntax.EachStmt:
		outer := r.Outer
		if outer < 0 {
			r.Outer = s.At
		}
		f := r.turns(s)
		r.Outer = outer
		return f

	// The ways out of loops and functions.
	case syntax.BreakStmt:
		return broken
	case syntax.ContinueStmt:
		return continued
	case syntax.ReturnStmt:
		if r.value = (lang.Value{}); s.Right != nil {
			r.value = r.eval(s.Right)
		}
		return returned
	case syntax.BlockStmt:
		return r.body(s.Body)
	}
	return onward
}

// turns runs a loop.
func (r *run) turns(s *syntax.Stmt) flow {
	switch s.Action {
	case syntax.ForStmt:
		return r.loop(s)
	case syntax.EachStmt:
		return r.each(s)
	}
	for r.truth(s.Left) {
		r.Step(0)
		if f := r.body(s.Body); f == broken {
			break
		} else if f >= returned {
			return f
		}
	}
	return onward
}

// loop runs for (n in lo:hi).
func (r *run) loop(s *syntax.Stmt) flow {
	lo, hi := r.Whole(s.Lo), r.Whole(s.Hi)
	r.At = s.At
	if n := hi - lo + 1; n > lang.MaxSteps-r.Steps {
		r.Fail(problem.New("a loop of %d iterations is too long; a program may execute at most %d steps", n, lang.MaxSteps))
	}
	r.frame[s.Sym.Slot] = lang.IntValue(lo)
	turn := r.frame[s.Sym.Slot].X // nobody keeps it: what is assigned is copied
	for i := lo; i <= hi; i++ {
		turn[0] = tape.Const(float64(i))
		if f := r.body(s.Body); f == broken {
			break
		} else if f >= returned {
			return f
		}
		r.Step(0)
	}
	return onward
}

// each runs for (x in xs): over elements of arrays and vectors, over the numbers of a matrix by columns.
func (r *run) each(s *syntax.Stmt) flow {
	v := r.eval(s.Left)
	var dims []int
	if v.T.Depth > 0 {
		dims = v.Dims[1:]
	}
	size := s.Sym.Type.Count(dims)
	x := append([]tape.Scalar(nil), v.Columns()...) // kept, whatever the loop does
	n := len(x)
	if v.T.Depth > 0 {
		n = v.Dims[0]
	}
	for i := range n {
		r.frame[s.Sym.Slot] = lang.Value{T: s.Sym.Type, Dims: dims, X: x[i*size : (i+1)*size]}
		if f := r.body(s.Body); f == broken {
			break
		} else if f >= returned {
			return f
		}
		r.Step(0)
	}
	return onward
}

// truth is a condition.
func (r *run) truth(e *syntax.Expr) bool {
	x := r.num(e)
	c, ok := x.Const()
	if !ok {
		lang.Fail(e.Start, lang.ErrDepends)
	}
	return c != 0
}

// whole is a whole number.
func (r *run) Whole(e *syntax.Expr) int {
	x := r.num(e)
	c, ok := x.Const()
	if !ok {
		lang.Fail(e.Start, problem.New("%s depends on a parameter here; it must depend on data only", "a whole number"))
	}
	if !num.Known(c) || math.Abs(c) > math.MaxInt32+1 {
		lang.Fail(e.Start, problem.New("the integer %v is out of range; the largest is 2147483647", c))
	}
	return int(c)
}

// add adds a term to the log density.
func (r *run) add(term tape.Scalar) {
	if err := r.B.Err(); err != nil {
		r.Fail(err)
	}
	if c, ok := term.Const(); ok && !num.Finite(c) && (r.sides == 0 || !math.IsInf(c, -1)) {
		r.Fail(problem.New("this adds %v to the log density for all values of the parameters; is a data value "+
			"missing, or outside the support?", c))
	}
	r.Step(25)
	r.terms = append(r.terms, term)
}

// reject runs reject(...). Under a condition on parameters the density is 0 where that holds.
func (r *run) reject(s *syntax.Stmt) flow {
	if r.sides > 0 {
		r.terms = append(r.terms, tape.Const(math.Inf(-1)))
		return rejected
	}
	what := ""
	for _, a := range s.Args {
		if a.Node == syntax.TextNode {
			what += a.Name
			continue
		}
		for i, x := range r.eval(a).X {
			if i > 0 {
				what += " "
			}
			what += lang.SpellNumber(x)
		}
	}
	r.At = s.At
	r.Fail(problem.New("the program rejects its data: %s", what))
	return rejected
}

// declare makes a variable, without a value or with its first.
func (r *run) declare(d *syntax.Decl) {
	t, dims := r.sizes(d)
	n := t.Count(dims)
	v := &r.frame[d.Sym.Slot]
	if len(v.X) != n { // else the memory of the turn before
		r.live += n - len(v.X)
		v.X = make([]tape.Scalar, n)
	}
	if r.live > lang.MaxElements {
		r.Fail(problem.New("%.0f numbers are too many; the limit is %d", float64(r.live), lang.MaxElements))
	}
	v.T, v.Dims = t, dims
	if d.Init != nil {
		if t.Scalar() && d.Init.Type.Scalar() {
			v.X[0] = r.num(d.Init)
			return
		}
		from := r.eval(d.Init)
		r.At = d.At
		r.set(v, from, d.Name)
		return
	}
	none := unset
	if t.Base == lang.IntType {
		none = unsetInt
	}
	for i := range v.X {
		v.X[i] = none
	}
}

// sizes are those of a declaration.
func (r *run) sizes(d *syntax.Decl) (lang.Type, []int) {
	var dims []int
	for _, list := range [][]*syntax.Expr{d.Dims, d.Sizes} {
		for _, e := range list {
			n := r.Whole(e)
			if n < 0 {
				lang.Fail(e.Start, problem.New("a size cannot be %d", n))
			}
			dims = append(dims, n)
			r.At = list[0].Start
		}
	}
	for _, part := range d.Parts {
		_, more := r.sizes(part)
		dims = append(dims, more...)
	}
	r.RoomOf(d.Type, dims)
	r.At = d.At
	return d.Type, dims
}

// set copies a value into a variable of the same sizes.
func (r *run) set(v *lang.Value, from lang.Value, name string) {
	if !lang.SameDims(v.Dims, from.Dims) && len(v.X)+len(from.X) > 0 {
		r.Fail(problem.New("%s has size %s, but the assigned value has size %s", name, lang.SpellDims(v.Dims),
			lang.SpellDims(from.Dims)))
	}
	copy(v.X, from.X)
	r.Step(len(v.X) / 8)
}

// invoke calls a function of the program's own.
func (r *run) invoke(e *syntax.Expr) lang.Value {
	f := e.User
	frame := make([]lang.Value, f.Slots)
	for i, a := range e.Args {
		v := r.eval(a)
		if f.Params[i].Data && !tape.AllConst(v.X...) {
			lang.Fail(a.Start, problem.New("%s depends on a parameter here; it must depend on data only", f.Params[i].Name))
		}
		v.T = f.Params[i].Type
		frame[f.Params[i].Sym.Slot] = v
	}
	if v, out := r.alone.leavesOut(e, frame[:len(e.Args)]); out {
		return v
	}

	if how := r.given.states[e]; how != "" && priors.Adds(e) {
		r.depends(how, frame[:len(e.Args)]...) // the arguments come first
	}

	// The body, in a frame of its own.
	outer, live, ended := r.frame, r.live, r.ended
	r.frame, r.ended = frame, nil
	end := r.body(f.Body)
	r.gate(r.ended)
	if end == returned {
		for _, x := range slices.Backward(r.ended) {
			r.value = r.Choose(x.when, x.value, r.value)
		}
	}

	// The caller's frame again, and the value.
	r.frame, r.live, r.ended, r.At = outer, live, ended, e.At
	if f.Result == (lang.Type{}) {
		return lang.Value{}
	}
	if end != returned {
		r.Fail(problem.New("the function %s ends without a return here", f.Name))
	}
	v := r.value
	if v.T = f.Result; v.T.Scalar() && r.sides == 0 && len(r.unnamed.of) > 0 {
		r.unnamed.called[v.X[0]] = true
	}
	return v
}
