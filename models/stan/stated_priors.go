package stan

import (
	"slices"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/priors"
	"logzlab/models/stan/syntax"
)

// statedPriors records the priors that executed statements give to coordinates.
type statedPriors struct {
	elements       priors.Elements // elements of parameters
	kinds          map[*syntax.Expr]string
	families       [][]string           // names of the priors, by coordinate
	soleTerms      map[int]lang.Scalars // sums with plain terms of this coordinate only
	inSharedTerm   map[int]bool         // coordinates in plain terms of several coordinates
	inJointDensity map[int]bool         // coordinates in densities of several coordinates
	sharedTerms    lang.Scalars         // sums with plain terms of several coordinates
	isOutcome      map[int]bool         // coordinates that are the outcome of a density, such as a mixture component
	sums           []priors.SumPrior    // densities of sums and differences
}

// registerElements records, for each element of a parameter, the coordinates of the parameter on which it depends. For
// an ordered vector only the last of them counts, because the others belong to earlier elements.
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

// noteStatedPriors records the priors that the terms of a sum state.
func (r *lowerer) noteStatedPriors(e *syntax.Expr) {
	if len(r.stated.kinds) == 0 || r.dim == 0 || e == nil {
		return
	}
	soleCoordinates, isShared := map[int]bool{}, false
	for _, term := range syntax.SumTerms(e) {
		family, ok := r.stated.kinds[term]
		_, _, density := lang.CutDensitySuffix(term.Name)
		density = density && len(term.Args) > 0 // a variable may have such a name
		switch {
		case !ok || priors.AddsToTarget(term): // invoke records the priors of such a call
		case density:
			// lowerBranch discards the terms that are added here, because the caller has already added them.
			r.lowerBranch(nil, func() controlFlow { r.noteDensity(term, family); r.noteUserDensity(term); return flowNext })
		default:
			r.lowerBranch(nil, func() controlFlow {
				isShared = r.notePlainTerm(family, r.value(term), soleCoordinates) || isShared
				return flowNext
			})
		}
	}
	if len(soleCoordinates) > 0 || isShared {
		r.lowerBranch(nil, func() controlFlow {
			sum := r.value(e).X // the whole sum, so that each term has its sign
			if isShared {
				r.stated.sharedTerms = append(r.stated.sharedTerms, sum...)
			}
			for k := range soleCoordinates {
				r.stated.soleTerms[k] = append(r.stated.soleTerms[k], sum...)
			}
			return flowNext
		})
	}
}

// noteUserDensity records a user-defined density of several coordinates among the shared terms.
func (r *lowerer) noteUserDensity(e *syntax.Expr) {
	if e.User == nil {
		return
	}
	x := r.value(e).X
	if coordinates := r.B.Coordinates(x...); len(coordinates) > 1 {
		for k := range coordinates {
			r.stated.inSharedTerm[k] = true
		}
		r.stated.sharedTerms = append(r.stated.sharedTerms, x...)
	}
}

// givePriorToDependencies records a prior for all coordinates on which the values depend.
func (r *lowerer) givePriorToDependencies(family string, values ...lang.Value) {
	for _, v := range values {
		for k := range r.B.Coordinates(v.X...) {
			r.givePrior(k, family)
			r.stated.inJointDensity[k] = true
		}
	}
}

// noteOutcomes records parameters that are the outcome of a density whose arguments do not depend on them: the density
// is a prior or a part of one, wherever its value is used.
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

// notePlainTerm records a term that is not a density as a prior of the coordinates on which it depends. If the term
// depends on one coordinate only, this coordinate is added to soleCoordinates; if on several, the result is true.
func (r *lowerer) notePlainTerm(family string, term lang.Value, soleCoordinates map[int]bool) (isShared bool) {
	coordinates := r.B.Coordinates(term.X...)
	for k := range coordinates {
		if r.givePrior(k, family); len(coordinates) > 1 {
			r.stated.inSharedTerm[k] = true
		} else {
			soleCoordinates[k] = true
		}
	}
	return len(coordinates) > 1
}

// noteDensity records the prior of elements of parameters, possibly shifted by a constant, that are the outcome of a
// density whose arguments do not depend on them.
func (r *lowerer) noteDensity(e *syntax.Expr, family string) {
	left := r.value(e.Args[0])
	var args []lang.Value
	for i, x := range left.X {
		own, ok := r.stated.elements.Coordinates(r.B, x)
		if !ok {
			for k := range r.B.Coordinates(x) { // x may be a change of variables
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
			values := a.X
			if len(values) == len(left.X) && a.T.Base != lang.MatrixType && left.T.Base != lang.MatrixType {
				values = lang.ElementOf(values, i)
			}
			for k := range r.B.Coordinates(values...) {
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

// givePrior adds a family to the priors of coordinate k.
func (r *lowerer) givePrior(k int, family string) {
	if !slices.Contains(r.stated.families[k], family) {
		r.stated.families[k] = append(r.stated.families[k], family)
	}
}

// hasStatedPrior reports whether each coordinate of a parameter has a prior, and collects the names of the priors.
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

// reportPriors sets the priors of the parameters, and adds notes on parameters without a prior.
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

// hasFiniteIntegral reports whether the density 1 over a declared type has a finite integral.
func hasFiniteIntegral(d *syntax.Decl) bool {
	switch d.Constraint {
	case syntax.Simplex, syntax.RowStochastic, syntax.ColumnStochastic, syntax.UnitVector,
		syntax.CorrMatrix, syntax.CholeskyCorr:
		return true
	}
	return d.Lower != nil && d.Upper != nil
}

// maxTailChecks is the largest number of elements of a parameter whose tails are checked; each check evaluates the
// tape.
const maxTailChecks = 16

// hasInfiniteIntegral reports whether an element has a prior only from plain terms, and their integral is infinite, as
// with target += -log(s) for a scale s. Bounded ends and matrices are not checked.
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

// isShiftInvariant reports whether the elements of a parameter have priors only from shared plain terms or user-defined
// densities, and these do not change if all elements are shifted, as with differences. Their integral is then infinite.
func (r *lowerer) isShiftInvariant(q *Parameter) bool {
	for k := q.First; k < q.First+q.Free; k++ {
		if !r.stated.inSharedTerm[k] || r.stated.inJointDensity[k] || len(r.stated.families[k]) != 1 || len(r.stated.soleTerms[k]) > 0 {
			return false
		}
	}
	t, err := r.B.Part(r.stated.sharedTerms...)
	return q.Free > 1 && err == nil && priors.IsShiftInvariant(t, q.First, q.Free)
}
