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

// lowerer executes the syntax tree once and emits the tape.
type lowerer struct {
	lang.Emitter
	frame           []lang.Value                       // variables of the program or of the current function
	terms           []tape.Scalar                      // terms of the log density
	priorStatements []*priorStatement                  // sampling statements with a parameter as outcome
	dim             int                                // number of coordinates
	liveElements    int                                // elements of all live variables
	returnValue     lang.Value                         // value of the last return statement
	losses          map[*syntax.Symbol]*truncationLoss // priors that declarations truncate
	constantTerms   map[*syntax.Expr]bool              // terms of the density that depend on no parameter
	constantValues  []float64                          // values of executed constantTerms

	stated     statedPriors      // priors that statements give to coordinates
	indirect   indirectDensities // densities of parameters outside of sampling statements
	priorsOnly *priorsOnly       // nil: prior and likelihood

	branchDepth int                 // number of enclosing conditions on parameters
	returns     []conditionalReturn // returns of the current function under conditions on parameters
}

// controlFlow tells where execution continues after a statement.
type controlFlow uint8

const (
	flowNext controlFlow = iota
	flowBreak
	flowContinue
	flowReturn
	flowReject
)

// lowerBody lowers statements until one of them breaks the flow, and returns the flow of the last one.
func (r *lowerer) lowerBody(list []*syntax.Stmt) controlFlow {
	for _, s := range list {
		if f := r.lowerStmt(s); f != flowNext {
			return f
		}
	}
	return flowNext
}

// lowerStmt lowers a statement.
func (r *lowerer) lowerStmt(s *syntax.Stmt) controlFlow {
	r.Pos = s.Pos
	r.CountSteps(0)
	switch s.Kind {
	case syntax.DeclareStmt:
		r.declareVariable(s.Decl)
		r.noteStatedPriors(s.Decl.Init)
	case syntax.AssignStmt:
		r.assign(s)
		r.noteStatedPriors(s.Right)
		r.noteConstantTerms(s.Right, 1)

	// Terms of the density.
	case syntax.TildeStmt:
		first := len(r.terms)
		r.tilde(s)
		r.noteStatedPriors(s.Right)
		r.recordStatement(s.Text, s.Left, s.Args, s.Truncation, first)
	case syntax.TargetStmt:
		v := r.value(s.Right)
		r.Pos = s.Pos
		r.addTerm(r.B.Sum(v.X))
		r.noteStatedPriors(s.Right)
		r.noteConstantTerms(s.Right, 1)
		if family, end, ok := lang.CutDensitySuffix(s.Right.Name); ok && s.Right.Kind == syntax.DensityNode && end == "_lpdf" {
			r.recordStatement(family, s.Right.Args[0], s.Right.Args[1:], nil, len(r.terms)-1)
		}
	case syntax.CallStmt:
		r.value(s.Left)
	case syntax.RejectStmt:
		return r.reject(s)

	// Branches and loops.
	case syntax.IfStmt:
		return r.lowerIf(s)
	case syntax.WhileStmt, syntax.ForStmt, syntax.ForEachStmt:
		outer := r.OuterLoop
		if outer < 0 {
			r.OuterLoop = s.Pos
		}
		f := r.lowerLoop(s)
		r.OuterLoop = outer
		return f

	// The ways out of loops and functions.
	case syntax.BreakStmt:
		return flowBreak
	case syntax.ContinueStmt:
		return flowContinue
	case syntax.ReturnStmt:
		if r.returnValue = (lang.Value{}); s.Right != nil {
			r.returnValue = r.value(s.Right)
		}
		return flowReturn
	case syntax.BlockStmt:
		return r.lowerBody(s.Body)
	}
	return flowNext
}

// lowerLoop unrolls a loop.
func (r *lowerer) lowerLoop(s *syntax.Stmt) controlFlow {
	switch s.Kind {
	case syntax.ForStmt:
		return r.lowerFor(s)
	case syntax.ForEachStmt:
		return r.lowerForEach(s)
	}
	for r.constantCondition(s.Left) {
		r.CountSteps(0)
		if f := r.lowerBody(s.Body); f == flowBreak {
			break
		} else if f >= flowReturn {
			return f
		}
	}
	return flowNext
}

// lowerFor unrolls for (n in lo:hi).
func (r *lowerer) lowerFor(s *syntax.Stmt) controlFlow {
	lo, hi := r.constantInt(s.Lo), r.constantInt(s.Hi)
	r.Pos = s.Pos
	if n := hi - lo + 1; n > lang.MaxSteps-r.Steps {
		r.Fail(problem.New("a loop of %d iterations is too long; a program may execute at most %d steps", n, lang.MaxSteps))
	}
	r.frame[s.Sym.Slot] = lang.IntValue(lo)
	loopVariable := r.frame[s.Sym.Slot].X // reused in every iteration, because assignments copy the value
	for i := lo; i <= hi; i++ {
		loopVariable[0] = tape.Const(float64(i))
		if f := r.lowerBody(s.Body); f == flowBreak {
			break
		} else if f >= flowReturn {
			return f
		}
		r.CountSteps(0)
	}
	return flowNext
}

// lowerForEach unrolls for (x in xs): over elements of arrays and vectors, over the numbers of a matrix by columns.
func (r *lowerer) lowerForEach(s *syntax.Stmt) controlFlow {
	v := r.value(s.Left)
	var dims []int
	if v.T.Depth > 0 {
		dims = v.Dims[1:]
	}
	size := s.Sym.Type.ElementCount(dims)
	x := append([]tape.Scalar(nil), v.ColumnMajor()...) // a copy, because the loop may assign to the variable
	n := len(x)
	if v.T.Depth > 0 {
		n = v.Dims[0]
	}
	for i := range n {
		r.frame[s.Sym.Slot] = lang.Value{T: s.Sym.Type, Dims: dims, X: x[i*size : (i+1)*size]}
		if f := r.lowerBody(s.Body); f == flowBreak {
			break
		} else if f >= flowReturn {
			return f
		}
		r.CountSteps(0)
	}
	return flowNext
}

// constantCondition evaluates a condition that must not depend on parameters.
func (r *lowerer) constantCondition(e *syntax.Expr) bool {
	x := r.scalar(e)
	c, ok := x.Const()
	if !ok {
		lang.Fail(e.Start, lang.ErrParameterCondition)
	}
	return c != 0
}

// constantInt evaluates an int that must not depend on parameters.
func (r *lowerer) constantInt(e *syntax.Expr) int {
	x := r.scalar(e)
	c, ok := x.Const()
	if !ok {
		lang.Fail(e.Start, problem.New("%s depends on a parameter here; it must depend on data only", "a whole number"))
	}
	if !num.NotNaN(c) || math.Abs(c) > math.MaxInt32+1 {
		lang.Fail(e.Start, problem.New("the integer %v is out of range; the largest is 2147483647", c))
	}
	return int(c)
}

// addTerm adds a term to the log density.
func (r *lowerer) addTerm(term tape.Scalar) {
	if err := r.B.Err(); err != nil {
		r.Fail(err)
	}
	if c, ok := term.Const(); ok && !num.Finite(c) && (r.branchDepth == 0 || !math.IsInf(c, -1)) {
		r.Fail(problem.New("this adds %v to the log density for all values of the parameters; is a data value "+
			"missing, or outside the support?", c))
	}
	r.CountSteps(25)
	r.terms = append(r.terms, term)
}

// reject lowers reject(...). Under a condition on parameters the density is 0 if the condition is true.
func (r *lowerer) reject(s *syntax.Stmt) controlFlow {
	if r.branchDepth > 0 {
		r.terms = append(r.terms, tape.Const(math.Inf(-1)))
		return flowReject
	}
	message := ""
	for _, a := range s.Args {
		if a.Kind == syntax.StringNode {
			message += a.Name
			continue
		}
		for i, x := range r.value(a).X {
			if i > 0 {
				message += " "
			}
			message += lang.FormatNumber(x)
		}
	}
	r.Pos = s.Pos
	r.Fail(problem.New("the program rejects its data: %s", message))
	return flowReject
}

// declareVariable creates a variable, with its initial value if there is one.
func (r *lowerer) declareVariable(d *syntax.Decl) {
	t, dims := r.sizes(d)
	n := t.ElementCount(dims)
	v := &r.frame[d.Sym.Slot]
	if len(v.X) != n { // otherwise reuse the memory of the previous iteration
		r.liveElements += n - len(v.X)
		v.X = make([]tape.Scalar, n)
	}
	if r.liveElements > lang.MaxElements {
		r.Fail(problem.New("%.0f numbers are too many; the limit is %d", float64(r.liveElements), lang.MaxElements))
	}
	v.T, v.Dims = t, dims
	if d.Init != nil {
		if t.IsScalar() && d.Init.Type.IsScalar() {
			v.X[0] = r.scalar(d.Init)
			return
		}
		from := r.value(d.Init)
		r.Pos = d.Pos
		r.assignWhole(v, from, d.Name)
		return
	}
	initial := uninitialised
	if t.Base == lang.IntType {
		initial = uninitialisedInt
	}
	for i := range v.X {
		v.X[i] = initial
	}
}

// sizes evaluates the sizes of a declaration.
func (r *lowerer) sizes(d *syntax.Decl) (lang.Type, []int) {
	var dims []int
	for _, list := range [][]*syntax.Expr{d.Dims, d.Sizes} {
		for _, e := range list {
			n := r.constantInt(e)
			if n < 0 {
				lang.Fail(e.Start, problem.New("a size cannot be %d", n))
			}
			dims = append(dims, n)
			r.Pos = list[0].Start
		}
	}
	for _, part := range d.Parts {
		_, more := r.sizes(part)
		dims = append(dims, more...)
	}
	r.CheckSizeOf(d.Type, dims)
	r.Pos = d.Pos
	return d.Type, dims
}

// assignWhole copies a value into a variable of the same sizes.
func (r *lowerer) assignWhole(v *lang.Value, from lang.Value, name string) {
	if !lang.SameDims(v.Dims, from.Dims) && len(v.X)+len(from.X) > 0 {
		r.Fail(problem.New("%s has size %s, but the assigned value has size %s", name, lang.FormatDims(v.Dims),
			lang.FormatDims(from.Dims)))
	}
	copy(v.X, from.X)
	r.CountSteps(len(v.X) / 8)
}

// invoke inlines a call of a user-defined function.
func (r *lowerer) invoke(e *syntax.Expr) lang.Value {
	f := e.User
	frame := make([]lang.Value, f.Slots)
	for i, a := range e.Args {
		v := r.value(a)
		if f.Params[i].Data && !tape.AllConst(v.X...) {
			lang.Fail(a.Start, problem.New("%s depends on a parameter here; it must depend on data only", f.Params[i].Name))
		}
		v.T = f.Params[i].Type
		frame[f.Params[i].Sym.Slot] = v
	}
	if v, omitted := r.priorsOnly.omitCall(e, frame[:len(e.Args)]); omitted {
		return v
	}

	if kind := r.stated.kinds[e]; kind != "" && priors.AddsToTarget(e) {
		r.givePriorToDependencies(kind, frame[:len(e.Args)]...) // the first slots of a frame are the arguments
	}

	// The body, in a frame of its own.
	outerFrame, outerElements, outerReturns := r.frame, r.liveElements, r.returns
	r.frame, r.returns = frame, nil
	end := r.lowerBody(f.Body)
	r.dropTermsAfterReturns(r.returns)
	if end == flowReturn {
		for _, x := range slices.Backward(r.returns) {
			r.returnValue = r.Select(x.condition, x.value, r.returnValue)
		}
	}

	// The caller's frame again, and the value.
	r.frame, r.liveElements, r.returns, r.Pos = outerFrame, outerElements, outerReturns, e.Pos
	if f.Result == (lang.Type{}) {
		return lang.Value{}
	}
	if end != flowReturn {
		r.Fail(problem.New("the function %s ends without a return here", f.Name))
	}
	v := r.returnValue
	if v.T = f.Result; v.T.IsScalar() && r.branchDepth == 0 && len(r.indirect.boundedElements) > 0 {
		r.indirect.functionValues[v.X[0]] = true
	}
	return v
}
