package stan

import (
	"math"

	"logzlab/core/problem"
	"logzlab/core/tape"
)

// run walks the tree of a program once.
type run struct {
	b     *tape.Builder
	going func() bool
	frame []value       // variables of the program, or of the function that is called
	terms []tape.Scalar // of the log density
	drawn []*drawn      // statements about parameters
	dim   int           // coordinates
	at    int           // what is worked on, for errors
	steps int
	pause int // steps at which going is asked
	outer int // the outermost loop that runs; -1: none
	live  int // elements of variables
	value value
	cut   map[*symbol]*cut // of priors that declarations cut
}

// Limits of a run: steps, and how many pass until going is asked.
const maxSteps, pauseSteps = 30_000_000, 100_000

// flow is how a statement ends.
type flow uint8

const (
	onward flow = iota
	broken
	continued
	returned
)

func (r *run) fail(err error) { fail(r.at, err) }

// step counts work.
func (r *run) step(n int) {
	if r.steps += n + 1; r.steps < r.pause {
		return
	}
	if r.steps > maxSteps {
		if r.outer >= 0 {
			r.at = r.outer
		}
		r.fail(problem.New("the program takes more than %d steps; its loops are too long", maxSteps))
	}
	if r.pause = r.steps + pauseSteps; r.going != nil && !r.going() {
		r.fail(errStopped)
	}
	if err := r.b.Err(); err != nil {
		r.fail(err)
	}
}

var errStopped = problem.New("the compiler was stopped")

func (r *run) body(list []*stmt) flow {
	for _, s := range list {
		if f := r.exec(s); f != onward {
			return f
		}
	}
	return onward
}

// exec runs a statement.
func (r *run) exec(s *stmt) flow {
	r.at = s.at
	r.step(0)
	switch s.action {
	case declareStmt:
		r.declare(s.decl)
	case assignStmt:
		r.assign(s)
	case tildeStmt:
		first := len(r.terms)
		r.tilde(s)
		r.record(s.text, s.left, s.args, s.trunc, first)
	case targetStmt:
		v := r.eval(s.right)
		r.at = s.at
		r.add(r.b.Sum(v.x))
		if family, end, ok := cutSuffix(s.right.name); ok && s.right.node == densityNode && end == "_lpdf" {
			r.record(family, s.right.args[0], s.right.args[1:], nil, len(r.terms)-1)
		}
	case callStmt:
		r.eval(s.left)
	case rejectStmt:
		r.reject(s)
	case ifStmt:
		if r.truth(s.left) {
			return r.body(s.body)
		}
		return r.body(s.other)
	case whileStmt, forStmt, eachStmt:
		outer := r.outer
		if outer < 0 {
			r.outer = s.at
		}
		f := r.turns(s)
		r.outer = outer
		return f
	case breakStmt:
		return broken
	case continueStmt:
		return continued
	case returnStmt:
		if r.value = (value{}); s.right != nil {
			r.value = r.eval(s.right)
		}
		return returned
	case blockStmt:
		return r.body(s.body)
	}
	return onward
}

// turns runs a loop.
func (r *run) turns(s *stmt) flow {
	switch s.action {
	case forStmt:
		return r.loop(s)
	case eachStmt:
		return r.each(s)
	}
	for r.truth(s.left) {
		r.step(0)
		if f := r.body(s.body); f == broken {
			break
		} else if f == returned {
			return f
		}
	}
	return onward
}

// loop runs for (n in lo:hi).
func (r *run) loop(s *stmt) flow {
	lo, hi := r.whole(s.lo), r.whole(s.hi)
	r.at = s.at
	if n := hi - lo + 1; n > maxSteps-r.steps {
		r.fail(problem.New("a loop of %d turns is too long; a program takes at most %d steps", n, maxSteps))
	}
	r.frame[s.sym.slot] = intValue(lo)
	turn := r.frame[s.sym.slot].x // nobody keeps it: what is assigned is copied
	for i := lo; i <= hi; i++ {
		turn[0] = tape.Const(float64(i))
		if f := r.body(s.body); f == broken {
			break
		} else if f == returned {
			return f
		}
		r.step(0)
	}
	return onward
}

// each runs for (x in xs): over elements of arrays and vectors, over the numbers of a matrix by columns.
func (r *run) each(s *stmt) flow {
	v := r.eval(s.left)
	var dims []int
	if v.t.depth > 0 {
		dims = v.dims[1:]
	}
	size := product(dims)
	x := append([]tape.Scalar(nil), v.columns()...) // kept, whatever the loop does
	n := len(x)
	if v.t.depth > 0 {
		n = v.dims[0]
	}
	for i := range n {
		r.frame[s.sym.slot] = value{s.sym.typ, dims, x[i*size : (i+1)*size]}
		if f := r.body(s.body); f == broken {
			break
		} else if f == returned {
			return f
		}
		r.step(0)
	}
	return onward
}

// truth is a condition.
func (r *run) truth(e *expr) bool {
	x := r.num(e)
	c, ok := x.Const()
	if !ok {
		fail(e.start, errDepends)
	}
	return c != 0
}

var errDepends = problem.New("this condition depends on a parameter; a program here takes the same path for all " +
	"parameters: write fmin, fmax, fabs, step, log_mix or log_sum_exp instead")

// whole is a whole number.
func (r *run) whole(e *expr) int {
	x := r.num(e)
	c, ok := x.Const()
	if !ok {
		fail(e.start, problem.New("%s depends on a parameter here; it must depend on data alone", "a whole number"))
	}
	if c != c || math.Abs(c) > math.MaxInt32+1 {
		fail(e.start, problem.New("the whole number %v is beyond 2147483647", c))
	}
	return int(c)
}

// add adds a term to the log density.
func (r *run) add(term tape.Scalar) {
	if c, ok := term.Const(); ok && (c != c || math.IsInf(c, 0)) {
		r.fail(problem.New("this adds %v to the log density, whatever the parameters are; is a value missing, or outside "+
			"of what is possible?", c))
	}
	r.step(25)
	r.terms = append(r.terms, term)
}

// reject runs reject(...).
func (r *run) reject(s *stmt) {
	what := ""
	for _, a := range s.args {
		if a.node == textNode {
			what += a.name
			continue
		}
		for i, x := range r.eval(a).x {
			if i > 0 {
				what += " "
			}
			what += spellNumber(x)
		}
	}
	r.at = s.at
	r.fail(problem.New("the program rejects its data: %s", what))
}

// declare makes a variable, without a value or with its first.
func (r *run) declare(d *decl) {
	t, dims := r.sizes(d)
	n := product(dims)
	v := &r.frame[d.sym.slot]
	if len(v.x) != n { // else the memory of the turn before
		r.live += n - len(v.x)
		v.x = make([]tape.Scalar, n)
	}
	if r.live > maxElements {
		r.fail(problem.New("%.0f numbers are too many; at most %d are possible", float64(r.live), maxElements))
	}
	v.t, v.dims = t, dims
	if d.init != nil {
		if t.scalar() && d.init.typ.scalar() {
			v.x[0] = r.num(d.init)
			return
		}
		from := r.eval(d.init)
		r.at = d.at
		r.set(v, from, d.name)
		return
	}
	none := tape.Const(math.NaN())
	if t.base == intType {
		none = tape.Const(math.MinInt32)
	}
	for i := range v.x {
		v.x[i] = none
	}
}

// sizes are those of a declaration.
func (r *run) sizes(d *decl) (typ, []int) {
	var dims []int
	for _, list := range [][]*expr{d.dims, d.sizes} {
		for _, e := range list {
			n := r.whole(e)
			if n < 0 {
				fail(e.start, problem.New("a size cannot be %d", n))
			}
			dims = append(dims, n)
			r.at = list[0].start
		}
	}
	r.room(dims...)
	r.at = d.at
	return d.typ, dims
}

// set copies a value into a variable of the same sizes.
func (r *run) set(v *value, from value, name string) {
	if !sameDims(v.dims, from.dims) && len(v.x)+len(from.x) > 0 {
		r.fail(problem.New("%s has the size %s, what is assigned has the size %s", name, spellDims(v.dims),
			spellDims(from.dims)))
	}
	copy(v.x, from.x)
	r.step(len(v.x) / 8)
}

// invoke calls a function of the program's own.
func (r *run) invoke(e *expr) value {
	f := e.user
	frame := make([]value, f.slots)
	for i, a := range e.args {
		v := r.eval(a)
		if f.params[i].data && !tape.Known(v.x...) {
			fail(a.start, problem.New("%s depends on a parameter here; it must depend on data alone", f.params[i].name))
		}
		v.t = f.params[i].typ
		frame[f.params[i].sym.slot] = v
	}
	outer, live := r.frame, r.live
	r.frame = frame
	end := r.body(f.body)
	r.frame, r.live, r.at = outer, live, e.at
	if f.result == (typ{}) {
		return value{}
	}
	if end != returned {
		r.fail(problem.New("the function %s ends without a return here", f.name))
	}
	v := r.value
	v.t = f.result
	return v
}
