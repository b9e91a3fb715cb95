package stan

import (
	"slices"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
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
func (r *run) Element(e *syntax.Expr) tape.Scalar {
	v := r.eval(e.Args[0])
	if len(e.Idx) != len(v.Dims) {
		return r.pick(v, e).X[0]
	}
	return v.X[r.offset(v.Dims, e)]
}

// offset is the place of one number.
func (r *run) offset(dims []int, e *syntax.Expr) int {
	at := 0
	for k := range e.Idx {
		at = at*dims[k] + r.inRange(r.Whole(e.Idx[k].Lo), dims[k], e, e.Idx[k].Lo)
	}
	return at
}

// inRange is an index from 0.
func (r *run) inRange(i, n int, e, idx *syntax.Expr) int {
	if i < 1 || i > n {
		at := e.At
		if idx != nil {
			at = idx.Start
		}
		lang.Fail(at, problem.New("the index %d is out of range 1 to %d%w", i, n, nameOf(e)))
	}
	return i - 1
}

// nameOf is a phrase of what is indexed.
func nameOf(e *syntax.Expr) error {
	if e = syntax.Root(e); e.Node != syntax.NameNode {
		return lang.ErrNothing{}
	}
	return problem.New(" of %s", e.Name)
}

// part is x[...], which is no number.
func (r *run) part(e *syntax.Expr) lang.Value { return r.pick(r.eval(e.Args[0]), e) }

// chosen are the places of each index, along sizes.
func (r *run) chosen(dims []int, e *syntax.Expr) []places {
	out := make([]places, len(e.Idx))
	for k, i := range e.Idx {
		n := dims[k]
		switch {
		case i.Slice || i.Lo == nil:
			lo, hi := 1, n
			if i.Lo != nil {
				lo = r.Whole(i.Lo)
			}
			if i.Hi != nil {
				hi = r.Whole(i.Hi)
			}
			if hi < lo {
				break // none
			}
			out[k] = places{first: r.inRange(lo, n, e, i.Lo), n: r.inRange(hi, n, e, i.Hi) - lo + 2}

		// A list of places.
		case i.Lo.Type.Depth > 0:
			at := r.eval(i.Lo)
			lang.WantKnown(i.Lo.Start, at)
			list := at.Ints()
			for j := range list {
				list[j] = r.inRange(list[j], n, e, i.Lo)
			}
			out[k] = places{n: len(list), list: list}

		// One place.
		default:
			out[k] = places{single: true, first: r.inRange(r.Whole(i.Lo), n, e, i.Lo), n: 1}
		}
	}
	return out
}

// pick takes the elements that an index chooses.
func (r *run) pick(v lang.Value, e *syntax.Expr) lang.Value {
	idx := r.chosen(v.Dims, e)
	r.At = e.At
	dims, blocks, size := layout(v, idx)
	n := r.RoomOf(e.Type, dims)
	out := lang.Value{T: e.Type, Dims: dims}
	if n == 0 {
		return out
	}
	if starts := blocks; len(starts) == 1 {
		out.X = v.X[starts[0] : starts[0]+size]
		return out
	}
	out.X = make([]tape.Scalar, 0, n)
	for _, at := range blocks {
		out.X = append(out.X, v.X[at:at+size]...)
	}
	return out
}

// layout is the sizes of what is chosen, and where its blocks of elements in a row begin.
func layout(v lang.Value, idx []places) (left, starts []int, size int) {
	dims, t := v.Dims, v.T
	t.Depth -= min(t.Depth, uint8(len(idx)))
	size = t.Count(dims[len(idx):])
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
func (r *run) assign(s *syntax.Stmt) {
	if s.Body != nil { // (a, b) = c
		v := r.eval(s.Right)
		r.Step(25 + len(v.X)/8)
		r.frame[s.Left.Sym.Slot] = lang.Value{T: s.Left.Type, Dims: v.Dims, X: slices.Clone(v.X)}
		r.body(s.Body)
		return
	}
	if s.Left.Node != syntax.IndexNode {
		v := r.target(s.Left)
		r.assignAll(s, &v)
		return
	}
	v, e := r.target(s.Left.Args[0]), s.Left

	// One number to one place.
	if s.Left.Type.Scalar() && s.Right.Type.Scalar() && len(e.Idx) == len(v.Dims) {
		x := r.num(s.Right)
		to := &v.X[r.offset(v.Dims, e)]
		if r.At = s.At; s.Op != "=" {
			x = r.Arithmetic(s.Op[:len(s.Op)-1], s.Left.Type.Base == lang.IntType, r.use(e, *to), x)
		}
		*to = x
		return
	}

	// Parts of a variable, of the same size.
	from := r.eval(s.Right)
	idx := r.chosen(v.Dims, e)
	r.At = s.At
	dims, starts, size := layout(v, idx)
	if s.Op != "=" {
		from = r.Binary(s.Op[:len(s.Op)-1], s.Left.Type, r.pick(v, e), from)
	}
	if !lang.SameDims(dims, from.Dims) {
		r.Fail(problem.New("%s has size %s, but the assigned value has size %s", "this part", lang.SpellDims(dims),
			lang.SpellDims(from.Dims)))
	}
	if s.Left.Type.Count(dims) == 0 {
		return
	}

	// The elements go to their places.
	x := append([]tape.Scalar(nil), from.X...) // kept, where both are parts of one variable
	for i, at := range starts {
		copy(v.X[at:at+size], x[i*size:])
	}
	r.Step(len(x) / 8)
}

func (r *run) assignAll(s *syntax.Stmt, v *lang.Value) {
	if v.T.Scalar() && s.Right.Type.Scalar() {
		x := r.num(s.Right)
		if r.At = s.At; s.Op != "=" {
			x = r.Arithmetic(s.Op[:len(s.Op)-1], v.T.Base == lang.IntType, r.use(s.Left, v.X[0]), x)
		}
		v.X[0] = x
		return
	}
	from := r.eval(s.Right)
	r.At = s.At
	if s.Op != "=" {
		from = r.Binary(s.Op[:len(s.Op)-1], v.T, r.useAll(s.Left, *v), from)
	}
	r.set(v, from, syntax.Root(s.Left).Sym.Name)
}

// target is a variable, or a part of one, that shares its memory.
func (r *run) target(e *syntax.Expr) lang.Value {
	switch e.Node {
	case syntax.NameNode:
		return r.frame[e.Sym.Slot]
	case syntax.PartNode:
		r.Step(25)
		return r.target(e.Args[0]).Part(int(e.Num) - 1)
	}
	v := r.target(e.Args[0])
	idx := r.chosen(v.Dims, e)
	for _, p := range idx {
		if !p.single {
			lang.Fail(e.At, problem.New("an element of a slice cannot be assigned to; combine the indices, as in x[1, 2:3]"))
		}
	}
	dims, starts, size := layout(v, idx)
	return lang.Value{T: e.Type, Dims: dims, X: v.X[starts[0] : starts[0]+size]}
}
