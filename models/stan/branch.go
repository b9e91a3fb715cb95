package stan

import (
	"slices"

	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// A tape does the same operations whatever the parameters are. So both sides of a condition on parameters run, and
// Select takes each variable, and each term of the log density, from the side that holds.

// ended is a return under a condition on parameters: the condition, the value that was returned, and the first term of
// the density that was added after the return.
type ended struct {
	when  tape.Scalar
	value lang.Value
	from  int
}

// sideRun is what one side of a condition has done.
type sideRun struct {
	flow  flow
	value lang.Value     // that it returned
	vars  []lang.Numbers // variables after it
	ended []ended
	term  tape.Scalar // that it adds to the log density
}

// condition runs if (...) ... else ....
func (r *run) condition(s *syntax.Stmt) flow {
	x := r.num(s.Left)
	if c, known := x.Const(); known {
		if c != 0 {
			return r.body(s.Body)
		}
		return r.body(s.Other)
	}

	// The condition depends on parameters: both sides run.
	vars := r.changed(s)
	yes := r.side(vars, func() flow { return r.body(s.Body) })
	no := r.side(vars, func() flow { return r.body(s.Other) })
	r.At = s.Left.Start
	for _, f := range []flow{yes.flow, no.flow} {
		if f == broken || f == continued {
			r.Fail(lang.ErrDepends)
		}
	}

	// The sides are joined by the condition.
	r.join(x, yes, no)
	switch {
	case yes.flow == onward && no.flow == onward:
		for i, v := range vars {
			if a, b := yes.vars[i], no.vars[i]; len(a) == len(b) && len(a) == len(v.X) {
				copy(v.X, r.Choose(x, v.With(a), v.With(b)).X)
			}
		}
		return onward
	case yes.flow == returned && no.flow == returned:
		r.value = r.Choose(x, yes.value, no.value)
		return returned
	case yes.flow == returned && no.flow == onward:
		r.ended = append(r.ended, ended{x, yes.value, len(r.terms)})
	case yes.flow == onward && no.flow == returned:
		r.ended = append(r.ended, ended{r.Not(x), no.value, len(r.terms)})
	}

	// One side returned, so the variables have the values of the other.
	last := no // the side that goes on where the other one ends
	if no.flow > yes.flow {
		last = yes
	}
	for i, v := range vars {
		copy(v.X, last.vars[i])
	}
	r.value = last.value
	return last.flow
}

// changed are the variables that a condition's sides may change.
func (r *run) changed(s *syntax.Stmt) (out []*lang.Value) {
	for _, list := range [][]*syntax.Stmt{s.Body, s.Other} {
		syntax.Walk(list, func(s *syntax.Stmt) {
			if s.Action != syntax.AssignStmt {
				return
			}
			if v := &r.frame[syntax.Root(s.Left).Sym.Slot]; !slices.Contains(out, v) {
				out = append(out, v)
			}
		})
	}
	return out
}

// side runs one side of a condition, and leaves variables and terms as they were.
func (r *run) side(vars []*lang.Value, run func() flow) (out sideRun) {
	from, before := len(r.terms), len(r.ended)
	old := numbersOf(vars)
	r.sides++
	out.flow = run()
	r.sides--
	out.ended = append(out.ended, r.ended[before:]...)
	r.gate(out.ended)
	out.value, out.term, out.vars = r.value, r.B.Sum(r.terms[from:]), numbersOf(vars)
	r.terms, r.ended = r.terms[:from], r.ended[:before]
	for i, v := range vars {
		copy(v.X, old[i])
	}
	return out
}

func numbersOf(vars []*lang.Value) (out []lang.Numbers) {
	for _, v := range vars {
		out = append(out, slices.Clone(v.X))
	}
	return out
}

// join adds the term of the side that holds, and notes where the sides have returned.
func (r *run) join(x tape.Scalar, yes, no sideRun) {
	none := tape.Const(0)
	switch {
	case yes.term != no.term:
		r.add(r.B.Do(tape.Select, x, yes.term, no.term))
	case yes.term != none:
		r.add(yes.term)
	}
	for _, e := range yes.ended {
		r.ended = append(r.ended, ended{r.B.Do(tape.Select, x, e.when, none), e.value, len(r.terms)})
	}
	for _, e := range no.ended {
		r.ended = append(r.ended, ended{r.B.Do(tape.Select, x, none, e.when), e.value, len(r.terms)})
	}
}

// gate leaves out the terms that were added after returns, where these hold.
func (r *run) gate(list []ended) {
	for _, e := range slices.Backward(list) {
		if sum := r.B.Sum(r.terms[e.from:]); len(r.terms) > e.from {
			r.terms = append(r.terms[:e.from], r.B.Do(tape.Select, e.when, tape.Const(0), sum))
		}
	}
}
