package stan

import (
	"slices"

	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// A tape executes the same operations for all parameters. Both branches of a condition on parameters are lowered, and
// tape.Select chooses the value of each variable, and each term of the log density, by the value of the condition.

// conditionalReturn is a return under a condition on parameters.
type conditionalReturn struct {
	condition tape.Scalar
	value     lang.Value // returned value
	firstTerm int        // index of the first term that was added to the log density after the return
}

// branchResult is the effect of one branch of a condition.
type branchResult struct {
	flow    controlFlow
	value   lang.Value          // returned value
	vars    []lang.Scalars      // values of the assigned variables after the branch
	returns []conditionalReturn // conditional returns in the branch
	term    tape.Scalar         // sum of the terms that the branch adds to the log density
}

// lowerIf lowers if (...) ... else ....
func (r *lowerer) lowerIf(s *syntax.Stmt) controlFlow {
	condition := r.scalar(s.Left)
	if c, known := condition.Const(); known {
		if c != 0 {
			return r.lowerBody(s.Body)
		}
		return r.lowerBody(s.Else)
	}

	// The condition depends on parameters: lower both branches.
	vars := r.assignedVariables(s)
	yes := r.lowerBranch(vars, func() controlFlow { return r.lowerBody(s.Body) })
	no := r.lowerBranch(vars, func() controlFlow { return r.lowerBody(s.Else) })
	r.Pos = s.Left.Start
	for _, f := range []controlFlow{yes.flow, no.flow} {
		if f == flowBreak || f == flowContinue {
			r.Fail(lang.ErrParameterCondition)
		}
	}

	// Select terms, variables and returned values by the condition.
	r.joinBranches(condition, yes, no)
	switch {
	case yes.flow == flowNext && no.flow == flowNext:
		for i, v := range vars {
			if a, b := yes.vars[i], no.vars[i]; len(a) == len(b) && len(a) == len(v.X) {
				copy(v.X, r.Select(condition, v.WithElements(a), v.WithElements(b)).X)
			}
		}
		return flowNext
	case yes.flow == flowReturn && no.flow == flowReturn:
		r.returnValue = r.Select(condition, yes.value, no.value)
		return flowReturn
	case yes.flow == flowReturn && no.flow == flowNext:
		r.returns = append(r.returns, conditionalReturn{condition, yes.value, len(r.terms)})
	case yes.flow == flowNext && no.flow == flowReturn:
		r.returns = append(r.returns, conditionalReturn{r.Not(condition), no.value, len(r.terms)})
	}

	// One branch returned or rejected, so the variables have the values of the other branch.
	continuing := no // the branch that continues
	if no.flow > yes.flow {
		continuing = yes
	}
	for i, v := range vars {
		copy(v.X, continuing.vars[i])
	}
	r.returnValue = continuing.value
	return continuing.flow
}

// assignedVariables returns the variables that the branches may assign.
func (r *lowerer) assignedVariables(s *syntax.Stmt) (out []*lang.Value) {
	for _, list := range [][]*syntax.Stmt{s.Body, s.Else} {
		syntax.Walk(list, func(s *syntax.Stmt) {
			if s.Kind != syntax.AssignStmt {
				return
			}
			if v := &r.frame[syntax.Root(s.Left).Sym.Slot]; !slices.Contains(out, v) {
				out = append(out, v)
			}
		})
	}
	return out
}

// lowerBranch lowers one branch by run and returns its effect. It restores the variables vars, the terms of the log
// density and the conditional returns.
func (r *lowerer) lowerBranch(vars []*lang.Value, run func() controlFlow) (out branchResult) {
	termCount, returnCount := len(r.terms), len(r.returns)
	saved := numbersOf(vars)
	r.branchDepth++
	out.flow = run()
	r.branchDepth--
	out.returns = append(out.returns, r.returns[returnCount:]...)
	r.dropTermsAfterReturns(out.returns)
	out.value, out.term, out.vars = r.returnValue, r.B.Sum(r.terms[termCount:]), numbersOf(vars)
	r.terms, r.returns = r.terms[:termCount], r.returns[:returnCount]
	for i, v := range vars {
		copy(v.X, saved[i])
	}
	return out
}

// numbersOf returns copies of the numbers of variables.
func numbersOf(vars []*lang.Value) (out []lang.Scalars) {
	for _, v := range vars {
		out = append(out, slices.Clone(v.X))
	}
	return out
}

// joinBranches adds the term that the condition x selects from the branches, and records their conditional returns.
func (r *lowerer) joinBranches(x tape.Scalar, yes, no branchResult) {
	none := tape.Const(0)
	switch {
	case yes.term != no.term:
		r.addTerm(r.B.Do(tape.Select, x, yes.term, no.term))
	case yes.term != none:
		r.addTerm(yes.term)
	}
	for _, e := range yes.returns {
		r.returns = append(r.returns, conditionalReturn{r.B.Do(tape.Select, x, e.condition, none), e.value, len(r.terms)})
	}
	for _, e := range no.returns {
		r.returns = append(r.returns, conditionalReturn{r.B.Do(tape.Select, x, none, e.condition), e.value, len(r.terms)})
	}
}

// dropTermsAfterReturns replaces terms that were added after a conditional return by 0 if its condition is true.
func (r *lowerer) dropTermsAfterReturns(list []conditionalReturn) {
	for _, e := range slices.Backward(list) {
		if sum := r.B.Sum(r.terms[e.firstTerm:]); len(r.terms) > e.firstTerm {
			r.terms = append(r.terms[:e.firstTerm], r.B.Do(tape.Select, e.condition, tape.Const(0), sum))
		}
	}
}
