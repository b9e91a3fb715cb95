package stan

import (
	"slices"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/priors"
	"logzlab/models/stan/syntax"
)

// given are the coordinates that statements which were run have given priors.
type given struct {
	of     priors.Elements // the coordinates that a prior of an element is one of
	states map[*syntax.Expr]string
	by     [][]string           // of each coordinate, how its priors are stated
	alone  map[int]lang.Numbers // sums with terms that no distribution states, of this coordinate alone
	shared map[int]bool         // coordinates with such terms of several
	mixed  map[int]bool         // coordinates about several of which a distribution says something
	joint  lang.Numbers         // sums with such terms of several
	left   map[int]bool         // coordinates that stand, as they are, on the left of a density, as of a part of a mixture
	moved  []priors.Moved       // distributions of sums and differences
}

// mayGive notes the elements of a parameter as those that a prior can be given.
func (r *run) mayGive(d *syntax.Decl, q *Parameter) {
	for _, x := range r.frame[d.Sym.Slot].X {
		var own []int
		for k := range r.B.Coordinates(x) {
			if k >= q.First && k < q.First+q.Free {
				own = append(own, k)
			}
		}
		if slices.Sort(own); len(own) > 1 && (d.Shape == syntax.OrderedShape || d.Shape == syntax.PositiveShape) {
			own = own[len(own)-1:]
		}
		r.given.of[x] = own
	}
}

// state notes the priors that the terms of a sum state.
func (r *run) state(e *syntax.Expr) {
	if len(r.given.states) == 0 || r.dim == 0 || e == nil {
		return
	}
	alone, several := map[int]bool{}, false
	for _, term := range syntax.Terms(e) {
		family, ok := r.given.states[term]
		_, _, density := lang.CutSuffix(term.Name)
		density = density && len(term.Args) > 0 // a variable may have such a name
		switch {
		case !ok || priors.Adds(term): // a call notes its own
		case density:
			r.side(nil, func() flow { r.stateDensity(term, family); r.joined(term); return onward }) // it has been added
		default:
			r.side(nil, func() flow { several = r.byHand(family, r.eval(term), alone) || several; return onward })
		}
	}
	if len(alone) > 0 || several {
		r.side(nil, func() flow {
			sum := r.eval(e).X // with all signs
			if several {
				r.given.joint = append(r.given.joint, sum...)
			}
			for k := range alone {
				r.given.alone[k] = append(r.given.alone[k], sum...)
			}
			return onward
		})
	}
}

// joined notes a density of the program's own of several coordinates among the sums of such terms.
func (r *run) joined(e *syntax.Expr) {
	if e.User == nil {
		return
	}
	x := r.eval(e).X
	if of := r.B.Coordinates(x...); len(of) > 1 {
		for k := range of {
			r.given.shared[k] = true
		}
		r.given.joint = append(r.given.joint, x...)
	}
}

// depends notes a prior of all that values depend on.
func (r *run) depends(family string, values ...lang.Value) {
	for _, v := range values {
		for k := range r.B.Coordinates(v.X...) {
			r.give(k, family)
			r.given.mixed[k] = true
		}
	}
}

// onLeft notes the parameters that stand on the left of a density whose arguments do not depend on them, wherever its
// value goes: a density of which they are the variables is a prior, or a part of one.
func (r *run) onLeft(e *syntax.Expr, args []lang.Value) {
	if r.given.left == nil || len(args) == 0 {
		return
	}
	if _, suffix, ok := lang.CutSuffix(e.Name); !ok || suffix != "_lpdf" {
		return
	}
	others := map[int]bool{}
	for _, a := range args[1:] {
		for k := range r.B.Coordinates(a.X...) {
			others[k] = true
		}
	}
	for _, x := range args[0].X {
		own, ok := r.given.of.Bare(r.B, x)
		for _, k := range own {
			if ok && !others[k] {
				r.given.left[k] = true
			}
		}
	}
}

// byHand notes the prior that a term without a distribution states of what it depends on. alone gets the coordinate of
// a term of one coordinate; several: it is of more.
func (r *run) byHand(family string, term lang.Value, alone map[int]bool) (several bool) {
	of := r.B.Coordinates(term.X...)
	for k := range of {
		if r.give(k, family); len(of) > 1 {
			r.given.shared[k] = true
		} else {
			alone[k] = true
		}
	}
	return len(of) > 1
}

// stateDensity notes the prior of elements of parameters, as they are or a constant away, that stand on the left of a
// density whose arguments do not depend on them.
func (r *run) stateDensity(e *syntax.Expr, family string) {
	left := r.eval(e.Args[0])
	var args []lang.Value
	for i, x := range left.X {
		own, ok := r.given.of.Bare(r.B, x)
		if !ok {
			for k := range r.B.Coordinates(x) { // a change of variables, perhaps
				r.given.shared[k], r.given.mixed[k] = true, true
			}
			if own = r.given.of.Apart(r.B, x); len(own) == 0 {
				continue
			}
		}

		// The coordinates that the arguments depend on, element by element.
		if args == nil {
			for _, a := range e.Args[1:] {
				args = append(args, r.eval(a))
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
			r.given.moved = append(r.given.moved, priors.Moved{Family: family, Of: own, All: r.B.Coordinates(x)})
			continue
		}
		for _, k := range own {
			r.give(k, family)
		}
	}
}

func (r *run) give(k int, family string) {
	if !slices.Contains(r.given.by[k], family) {
		r.given.by[k] = append(r.given.by[k], family)
	}
}

// stated reports whether each coordinate of a parameter has a prior, and notes how they are stated.
func (r *run) stated(q *Parameter) bool {
	all := true
	for i, by := range r.given.by[q.First : q.First+q.Free] {
		all = all && (len(by) > 0 || r.given.left[q.First+i])
		for _, family := range by {
			if !slices.Contains(q.Priors, family) {
				q.Priors = append(q.Priors, family)
			}
		}
	}
	return all
}

// tellPriors tells the priors of parameters, and which have none.
func (r *run) tellPriors(p *Program, out *Compiled, jacobians lang.Numbers) {
	priors.Settle(r.given.moved, r.given.by)
	for i, s := range p.Blocks[syntax.ParametersBlock] {
		q := &out.Parameters[i]
		stated := r.stated(q) && !r.endless(s.Decl, q, jacobians)
		if !stated {
			r.flat(s.Decl, q)
		}
		c := r.cut[s.Decl.Sym]
		none := !stated && !proper(s.Decl) || c != nil && c.open
		if q.Improper = none && q.Free > 0; q.Improper {
			out.Notes = append(out.Notes, problem.New(
				"no statement of the program gives the parameter %s a prior of its own, so log Z may be defined only "+
					"up to a constant", q.Name))
		}
	}
}

// proper reports whether a flat density of a declared type is one.
func proper(d *syntax.Decl) bool {
	switch d.Shape {
	case syntax.SimplexShape, syntax.RowSimplexShape, syntax.ColumnSimplexShape, syntax.UnitShape,
		syntax.CorrShape, syntax.CorrFactorShape:
		return true
	}
	return d.Lower != nil && d.Upper != nil
}

// mostEnds is how many elements of a parameter endless looks at: each takes a pass over the tape.
const mostEnds = 16

// endless reports whether an element has a prior only by terms without a distribution, and their integral is infinite,
// as that of target += -log(s) for a scale s. A bounded end, and matrices, are not looked at.
func (r *run) endless(d *syntax.Decl, q *Parameter, jacobians lang.Numbers) bool {
	if d.Shape != syntax.PlainShape || proper(d) {
		return false
	}
	if r.shifts(q) {
		return true
	}
	for k := q.First; k < q.First+min(q.Free, mostEnds); k++ {
		terms := r.given.alone[k]
		if len(terms) == 0 || r.given.shared[k] || len(r.given.by[k]) > 1 {
			continue
		}
		for _, j := range jacobians {
			if r.B.Coordinates(j)[k] {
				terms = append(terms, j)
			}
		}
		if t, err := r.B.Part(terms...); err == nil && !priors.Falls(t, k, d.Lower != nil || d.Upper != nil) {
			return true
		}
	}
	return false
}

// shifts reports whether the elements have priors only by terms of several of them, by hand or by a density of the
// program's own, and these do not change where all elements move by one number, as those of differences do: their
// integral is infinite.
func (r *run) shifts(q *Parameter) bool {
	for k := q.First; k < q.First+q.Free; k++ {
		if !r.given.shared[k] || r.given.mixed[k] || len(r.given.by[k]) != 1 || len(r.given.alone[k]) > 0 {
			return false
		}
	}
	t, err := r.B.Part(r.given.joint...)
	return q.Free > 1 && err == nil && priors.Shifts(t, q.First, q.Free)
}
