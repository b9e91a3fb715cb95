package stan

import (
	"slices"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/priors"
	"logzlab/models/stan/syntax"
)

// given are the coordinates that statements which were run have given priors.
type statedPriors struct {
	elements       priors.Elements // the coordinates that a prior of an element is one of
	kinds          map[*syntax.Expr]string
	families       [][]string           // of each coordinate, how its priors are stated
	soleTerms      map[int]lang.Scalars // sums with terms that no distribution states, of this coordinate alone
	inSharedTerm   map[int]bool         // coordinates with such terms of several
	inJointDensity map[int]bool         // coordinates about several of which a distribution says something
	sharedTerms    lang.Scalars         // sums with such terms of several
	isOutcome      map[int]bool         // coordinates that stand, as they are, on the left of a density, as of a part of a mixture
	sums           []priors.SumPrior    // distributions of sums and differences
}

// mayGive notes the elements of a parameter as those that a prior can be given.
func (r *lowerer) registerElements(d *syntax.Decl, q *Parameter) {
	for _, x := range r.frame[d.Sym.Slot].X {
		var own []int
		for k := range r.B.Coordinates(x) {
			if k >= q.First && k < q.First+q.Free {
				own = append(own, k)
			}
		}
		if slices.Sort(own); len(own) > 1 && (d.Constraint == syntax.Ordered || d.Constraint == syntax.PositiveOrdered) {
			own = own[len(own)-1:]
		}
		r.stated.elements[x] = own
	}
}

// state notes the priors that the terms of a sum state.
func (r *lowerer) noteStatedPriors(e *syntax.Expr) {
	if len(r.stated.kinds) == 0 || r.dim == 0 || e == nil {
		return
	}
	alone, several := map[int]bool{}, false
	for _, term := range syntax.SumTerms(e) {
		family, ok := r.stated.kinds[term]
		_, _, density := lang.CutDensitySuffix(term.Name)
		density = density && len(term.Args) > 0 // a variable may have such a name
		switch {
		case !ok || priors.AddsToTarget(term): // a call notes its own
		case density:
			r.lowerBranch(nil, func() controlFlow { r.noteDensity(term, family); r.noteUserDensity(term); return flowNext }) // it has been added
		default:
			r.lowerBranch(nil, func() controlFlow {
				several = r.notePlainTerm(family, r.value(term), alone) || several
				return flowNext
			})
		}
	}
	if len(alone) > 0 || several {
		r.lowerBranch(nil, func() controlFlow {
			sum := r.value(e).X // with all signs
			if several {
				r.stated.sharedTerms = append(r.stated.sharedTerms, sum...)
			}
			for k := range alone {
				r.stated.soleTerms[k] = append(r.stated.soleTerms[k], sum...)
			}
			return flowNext
		})
	}
}

// joined notes a density of the program's own of several coordinates among the sums of such terms.
func (r *lowerer) noteUserDensity(e *syntax.Expr) {
	if e.User == nil {
		return
	}
	x := r.value(e).X
	if of := r.B.Coordinates(x...); len(of) > 1 {
		for k := range of {
			r.stated.inSharedTerm[k] = true
		}
		r.stated.sharedTerms = append(r.stated.sharedTerms, x...)
	}
}

// depends notes a prior of all that values depend on.
func (r *lowerer) givePriorToDependencies(family string, values ...lang.Value) {
	for _, v := range values {
		for k := range r.B.Coordinates(v.X...) {
			r.givePrior(k, family)
			r.stated.inJointDensity[k] = true
		}
	}
}

// onLeft notes the parameters that stand on the left of a density whose arguments do not depend on them, wherever its
// value goes: a density of which they are the variables is a prior, or a part of one.
func (r *lowerer) noteOutcomes(e *syntax.Expr, args []lang.Value) {
	if r.stated.isOutcome == nil || len(args) == 0 {
		return
	}
	if _, suffix, ok := lang.CutDensitySuffix(e.Name); !ok || suffix != "_lpdf" {
		return
	}
	others := map[int]bool{}
	for _, a := range args[1:] {
		for k := range r.B.Coordinates(a.X...) {
			others[k] = true
		}
	}
	for _, x := range args[0].X {
		own, ok := r.stated.elements.Coordinates(r.B, x)
		for _, k := range own {
			if ok && !others[k] {
				r.stated.isOutcome[k] = true
			}
		}
	}
}

// byHand notes the prior that a term without a distribution states of what it depends on. alone gets the coordinate of
// a term of one coordinate; several: it is of more.
func (r *lowerer) notePlainTerm(family string, term lang.Value, alone map[int]bool) (several bool) {
	of := r.B.Coordinates(term.X...)
	for k := range of {
		if r.givePrior(k, family); len(of) > 1 {
			r.stated.inSharedTerm[k] = true
		} else {
			alone[k] = true
		}
	}
	return len(of) > 1
}

// stateDensity notes the prior of elements of parameters, as they are or a constant away, that stand on the left of a
// density whose arguments do not depend on them.
func (r *lowerer) noteDensity(e *syntax.Expr, family string) {
	left := r.value(e.Args[0])
	var args []lang.Value
	for i, x := range left.X {
		own, ok := r.stated.elements.Coordinates(r.B, x)
		if !ok {
			for k := range r.B.Coordinates(x) { // a change of variables, perhaps
				r.stated.inSharedTerm[k], r.stated.inJointDensity[k] = true, true
			}
			if own = r.stated.elements.IsolatedTerms(r.B, x); len(own) == 0 {
				continue
			}
		}

		// The coordinates that the arguments depend on, element by element.
		if args == nil {
			for _, a := range e.Args[1:] {
				args = append(args, r.value(a))
			}
		}
		other := map[int]bool{}
		for _, a := range args {
			of := a.X
			if len(of) == len(left.X) && a.T.Base != lang.MatrixType && left.T.Base != lang.MatrixType {
				of = lang.ElementOf(of, i)
			}
			for k := range r.B.Coordinates(of...) {
				other[k] = true
			}
		}
		own = slices.DeleteFunc(slices.Clone(own), func(k int) bool { return other[k] })
		if !ok {
			r.stated.sums = append(r.stated.sums, priors.SumPrior{Family: family, Isolated: own, All: r.B.Coordinates(x)})
			continue
		}
		for _, k := range own {
			r.givePrior(k, family)
		}
	}
}

func (r *lowerer) givePrior(k int, family string) {
	if !slices.Contains(r.stated.families[k], family) {
		r.stated.families[k] = append(r.stated.families[k], family)
	}
}

// stated reports whether each coordinate of a parameter has a prior, and notes how they are stated.
func (r *lowerer) hasStatedPrior(q *Parameter) bool {
	all := true
	for i, by := range r.stated.families[q.First : q.First+q.Free] {
		all = all && (len(by) > 0 || r.stated.isOutcome[q.First+i])
		for _, family := range by {
			if !slices.Contains(q.Priors, family) {
				q.Priors = append(q.Priors, family)
			}
		}
	}
	return all
}

// tellPriors tells the priors of parameters, and which have none.
func (r *lowerer) reportPriors(p *Program, out *Compiled, jacobians lang.Scalars) {
	priors.ResolveSums(r.stated.sums, r.stated.families)
	for i, s := range p.Blocks[syntax.ParametersBlock] {
		q := &out.Parameters[i]
		stated := r.hasStatedPrior(q) && !r.hasInfiniteIntegral(s.Decl, q, jacobians)
		if !stated {
			r.noteUniform(s.Decl, q)
		}
		c := r.losses[s.Decl.Sym]
		none := !stated && !hasFiniteIntegral(s.Decl) || c != nil && c.mayDiverge
		if q.Improper = none && q.Free > 0; q.Improper {
			out.Notes = append(out.Notes, problem.New(
				"no statement of the program gives the parameter %s a prior of its own, so log Z may be defined only "+
					"up to a constant", q.Name))
		}
	}
}

// proper reports whether a flat density of a declared type is one.
func hasFiniteIntegral(d *syntax.Decl) bool {
	switch d.Constraint {
	case syntax.Simplex, syntax.RowStochastic, syntax.ColumnStochastic, syntax.UnitVector,
		syntax.CorrMatrix, syntax.CholeskyCorr:
		return true
	}
	return d.Lower != nil && d.Upper != nil
}

// mostEnds is how many elements of a parameter endless looks at: each takes a pass over the tape.
const maxTailChecks = 16

// endless reports whether an element has a prior only by terms without a distribution, and their integral is infinite,
// as that of target += -log(s) for a scale s. A bounded end, and matrices, are not looked at.
func (r *lowerer) hasInfiniteIntegral(d *syntax.Decl, q *Parameter, jacobians lang.Scalars) bool {
	if d.Constraint != syntax.NoConstraint || hasFiniteIntegral(d) {
		return false
	}
	if r.isShiftInvariant(q) {
		return true
	}
	for k := q.First; k < q.First+min(q.Free, maxTailChecks); k++ {
		terms := r.stated.soleTerms[k]
		if len(terms) == 0 || r.stated.inSharedTerm[k] || len(r.stated.families[k]) > 1 {
			continue
		}
		for _, j := range jacobians {
			if r.B.Coordinates(j)[k] {
				terms = append(terms, j)
			}
		}
		if t, err := r.B.Part(terms...); err == nil && !priors.TailsDecay(t, k, d.Lower != nil || d.Upper != nil) {
			return true
		}
	}
	return false
}

// shifts reports whether the elements have priors only by terms of several of them, by hand or by a density of the
// program's own, and these do not change where all elements move by one number, as those of differences do: their
// integral is infinite.
func (r *lowerer) isShiftInvariant(q *Parameter) bool {
	for k := q.First; k < q.First+q.Free; k++ {
		if !r.stated.inSharedTerm[k] || r.stated.inJointDensity[k] || len(r.stated.families[k]) != 1 || len(r.stated.soleTerms[k]) > 0 {
			return false
		}
	}
	t, err := r.B.Part(r.stated.sharedTerms...)
	return q.Free > 1 && err == nil && priors.IsShiftInvariant(t, q.First, q.Free)
}
