package stan

import (
	"logzlab/core/problem"
	"logzlab/core/tape"
)

// places are the elements that an index chooses, from 0.
type places struct {
	single bool
	first  int
	n      int
	list   []int // nil: n in a row from first
}

func (p places) at(i int) int {
	if p.list != nil {
		return p.list[i]
	}
	return p.first + i
}

// element is x[i, j], one number.
func (r *run) element(e *expr) tape.Scalar {
	v := r.eval(e.args[0])
	if len(e.idx) != len(v.dims) {
		return r.pick(v, e).x[0]
	}
	return v.x[r.offset(v.dims, e)]
}

// offset is the place of one number.
func (r *run) offset(dims []int, e *expr) int {
	at := 0
	for k := range e.idx {
		at = at*dims[k] + r.inRange(r.whole(e.idx[k].lo), dims[k], e, e.idx[k].lo)
	}
	return at
}

// inRange is an index from 0.
func (r *run) inRange(i, n int, e, idx *expr) int {
	if i < 1 || i > n {
		at := e.at
		if idx != nil {
			at = idx.start
		}
		fail(at, problem.New("the index %d is outside of 1 to %d%w", i, n, nameOf(e)))
	}
	return i - 1
}

// nameOf is a phrase of what is indexed.
func nameOf(e *expr) error {
	for e.node == indexNode {
		e = e.args[0]
	}
	if e.node != nameNode {
		return errNothing{}
	}
	return problem.New(" of %s", e.name)
}

// part is x[...], which is no number.
func (r *run) part(e *expr) value { return r.pick(r.eval(e.args[0]), e) }

// chosen are the places of each index, along sizes.
func (r *run) chosen(dims []int, e *expr) []places {
	out := make([]places, len(e.idx))
	for k, i := range e.idx {
		n := dims[k]
		switch {
		case i.slice || i.lo == nil:
			lo, hi := 1, n
			if i.lo != nil {
				lo = r.whole(i.lo)
			}
			if i.hi != nil {
				hi = r.whole(i.hi)
			}
			if hi < lo {
				break // none
			}
			out[k] = places{first: r.inRange(lo, n, e, i.lo), n: r.inRange(hi, n, e, i.hi) - lo + 2}
		case i.lo.typ.depth > 0:
			list := r.eval(i.lo).ints()
			for j := range list {
				list[j] = r.inRange(list[j], n, e, i.lo)
			}
			out[k] = places{n: len(list), list: list}
		default:
			out[k] = places{single: true, first: r.inRange(r.whole(i.lo), n, e, i.lo), n: 1}
		}
	}
	return out
}

// pick takes the elements that an index chooses.
func (r *run) pick(v value, e *expr) value {
	idx := r.chosen(v.dims, e)
	r.at = e.at
	dims, blocks, size := layout(v.dims, idx)
	n := r.room(dims...)
	out := value{t: e.typ, dims: dims}
	if n == 0 {
		return out
	}
	if starts := blocks; len(starts) == 1 {
		out.x = v.x[starts[0] : starts[0]+size]
		return out
	}
	out.x = make([]tape.Scalar, 0, n)
	for _, at := range blocks {
		out.x = append(out.x, v.x[at:at+size]...)
	}
	return out
}

// layout is the sizes of what is chosen, and where its blocks of elements in a row begin.
func layout(dims []int, idx []places) (left, starts []int, size int) {
	size = product(dims[len(idx):])
	starts = []int{0}
	for k, p := range idx {
		if !p.single {
			left = append(left, p.n)
		}
		if p.list == nil && k == len(idx)-1 { // elements in a row are one block
			for i := range starts {
				starts[i] = (starts[i]*dims[k] + p.first) * size
			}
			return append(left, dims[len(idx):]...), starts, size * p.n
		}
		next := make([]int, 0, len(starts)*p.n)
		for _, s := range starts {
			for i := range p.n {
				next = append(next, s*dims[k]+p.at(i))
			}
		}
		starts = next
	}
	for i := range starts {
		starts[i] *= size
	}
	return append(left, dims[len(idx):]...), starts, size
}

// assign runs a = b, a[i] += b and the like.
func (r *run) assign(s *stmt) {
	if s.left.node == nameNode {
		r.assignAll(s, &r.frame[s.left.sym.slot])
		return
	}
	v, e := r.target(s.left)
	if s.left.typ.scalar() && s.right.typ.scalar() && len(e.idx) == len(v.dims) {
		x := r.num(s.right)
		to := &v.x[r.offset(v.dims, e)]
		if r.at = s.at; s.op != "=" {
			x = r.arithmetic(s.op[:len(s.op)-1], s.left.typ.base == intType, *to, x)
		}
		*to = x
		return
	}
	from := r.eval(s.right)
	idx := r.chosen(v.dims, e)
	r.at = s.at
	dims, starts, size := layout(v.dims, idx)
	if s.op != "=" {
		from = r.binary(s.op[:len(s.op)-1], s.left.typ, r.pick(v, e), from)
	}
	if !sameDims(dims, from.dims) {
		r.fail(problem.New("%s has the size %s, what is assigned has the size %s", "this part", spellDims(dims),
			spellDims(from.dims)))
	}
	if product(dims) == 0 {
		return
	}
	x := append([]tape.Scalar(nil), from.x...) // kept, where both are parts of one variable
	for i, at := range starts {
		copy(v.x[at:at+size], x[i*size:])
	}
	r.step(len(x) / 8)
}

func (r *run) assignAll(s *stmt, v *value) {
	if v.t.scalar() && s.right.typ.scalar() {
		x := r.num(s.right)
		if r.at = s.at; s.op != "=" {
			x = r.arithmetic(s.op[:len(s.op)-1], v.t.base == intType, v.x[0], x)
		}
		v.x[0] = x
		return
	}
	from := r.eval(s.right)
	r.at = s.at
	if s.op != "=" {
		from = r.binary(s.op[:len(s.op)-1], v.t, *v, from)
	}
	r.set(v, from, s.left.name)
}

// target is the variable, or the block of it, that an index of an assignment is about: of x[1][2:3] the block x[1].
func (r *run) target(e *expr) (value, *expr) {
	inner := e.args[0]
	if inner.node == nameNode {
		return r.frame[inner.sym.slot], e
	}
	v, at := r.target(inner)
	idx := r.chosen(v.dims, at)
	for _, p := range idx {
		if !p.single {
			fail(inner.at, problem.New("nothing can be assigned to a part of a slice; write one index, as x[1, 2:3]"))
		}
	}
	dims, starts, size := layout(v.dims, idx)
	return value{inner.typ, dims, v.x[starts[0] : starts[0]+size]}, e
}
