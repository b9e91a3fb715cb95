package stan

import (
	"slices"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// selection is the list of elements that one index selects, counted from 0.
type selection struct {
	single  bool
	first   int
	n       int
	indices []int // nil: n consecutive elements from first
}

// at returns the index of selected element i.
func (p selection) at(i int) int {
	if p.indices != nil {
		return p.indices[i]
	}
	return p.first + i
}

// element lowers x[i, j], one number.
func (r *lowerer) element(e *syntax.Expr) tape.Scalar {
	v := r.value(e.Args[0])
	if len(e.Indices) != len(v.Dims) {
		return r.selectElements(v, e).X[0]
	}
	return v.X[r.offset(v.Dims, e)]
}

// offset returns the index of one number in the elements of a value.
func (r *lowerer) offset(dims []int, e *syntax.Expr) int {
	at := 0
	for k := range e.Indices {
		at = at*dims[k] + r.inRange(r.constantInt(e.Indices[k].Lo), dims[k], e, e.Indices[k].Lo)
	}
	return at
}

// inRange checks an index and returns it counted from 0.
func (r *lowerer) inRange(i, n int, e, idx *syntax.Expr) int {
	if i < 1 || i > n {
		at := e.Pos
		if idx != nil {
			at = idx.Start
		}
		lang.Fail(at, problem.New("the index %d is out of range 1 to %d%w", i, n, variablePhrase(e)))
	}
	return i - 1
}

// variablePhrase returns a phrase that names the indexed variable.
func variablePhrase(e *syntax.Expr) error {
	if e = syntax.Root(e); e.Kind != syntax.NameNode {
		return problem.Empty{}
	}
	return problem.New(" of %s", e.Name)
}

// slice lowers x[...] if it is not one number.
func (r *lowerer) slice(e *syntax.Expr) lang.Value { return r.selectElements(r.value(e.Args[0]), e) }

// selections evaluates the indices for the sizes dims.
func (r *lowerer) selections(dims []int, e *syntax.Expr) []selection {
	out := make([]selection, len(e.Indices))
	for k, i := range e.Indices {
		n := dims[k]
		switch {
		case i.Slice || i.Lo == nil:
			lo, hi := 1, n
			if i.Lo != nil {
				lo = r.constantInt(i.Lo)
			}
			if i.Hi != nil {
				hi = r.constantInt(i.Hi)
			}
			if hi < lo {
				break // none
			}
			out[k] = selection{first: r.inRange(lo, n, e, i.Lo), n: r.inRange(hi, n, e, i.Hi) - lo + 2}

		// A list of indices.
		case i.Lo.Type.Depth > 0:
			at := r.value(i.Lo)
			lang.RequireConstantInts(i.Lo.Start, at)
			list := at.Ints()
			for j := range list {
				list[j] = r.inRange(list[j], n, e, i.Lo)
			}
			out[k] = selection{n: len(list), indices: list}

		// A single index.
		default:
			out[k] = selection{single: true, first: r.inRange(r.constantInt(i.Lo), n, e, i.Lo), n: 1}
		}
	}
	return out
}

// selectElements copies the selected elements.
func (r *lowerer) selectElements(v lang.Value, e *syntax.Expr) lang.Value {
	idx := r.selections(v.Dims, e)
	r.Pos = e.Pos
	dims, blocks, size := selectionLayout(v, idx)
	n := r.CheckSizeOf(e.Type, dims)
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

// selectionLayout returns the sizes of a selection, and the starts and the size of its contiguous blocks.
func selectionLayout(v lang.Value, idx []selection) (remaining, starts []int, size int) {
	dims, t := v.Dims, v.T
	t.Depth -= min(t.Depth, uint8(len(idx)))
	size = t.ElementCount(dims[len(idx):])
	starts = []int{0}
	for k, p := range idx {
		if !p.single {
			remaining = append(remaining, p.n)
		}
		if p.indices == nil && k == len(idx)-1 { // elements in a row are one block
			for i := range starts {
				starts[i] = (starts[i]*dims[k] + p.first) * size
			}
			return append(remaining, dims[len(idx):]...), starts, size * p.n
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
	return append(remaining, dims[len(idx):]...), starts, size
}

// assign lowers a = b, a[i] += b and the like.
func (r *lowerer) assign(s *syntax.Stmt) {
	if s.Body != nil { // (a, b) = c
		v := r.value(s.Right)
		r.CountSteps(25 + len(v.X)/8)
		r.frame[s.Left.Sym.Slot] = lang.Value{T: s.Left.Type, Dims: v.Dims, X: slices.Clone(v.X)}
		r.lowerBody(s.Body)
		return
	}
	if s.Left.Kind != syntax.IndexNode {
		v := r.assignmentTarget(s.Left)
		r.assignAll(s, &v)
		return
	}
	v, e := r.assignmentTarget(s.Left.Args[0]), s.Left

	// A number is assigned to one element.
	if s.Left.Type.IsScalar() && s.Right.Type.IsScalar() && len(e.Indices) == len(v.Dims) {
		x := r.scalar(s.Right)
		to := &v.X[r.offset(v.Dims, e)]
		if r.Pos = s.Pos; s.Op != "=" {
			x = r.Arithmetic(s.Op[:len(s.Op)-1], s.Left.Type.Base == lang.IntType, r.checkInitialised(e, *to), x)
		}
		*to = x
		return
	}

	// A value is assigned to a part of a variable of the same size.
	from := r.value(s.Right)
	idx := r.selections(v.Dims, e)
	r.Pos = s.Pos
	dims, starts, size := selectionLayout(v, idx)
	if s.Op != "=" {
		from = r.Binary(s.Op[:len(s.Op)-1], s.Left.Type, r.selectElements(v, e), from)
	}
	if !lang.SameDims(dims, from.Dims) {
		r.Fail(problem.New("%s has size %s, but the assigned value has size %s", "this part", lang.FormatDims(dims),
			lang.FormatDims(from.Dims)))
	}
	if s.Left.Type.ElementCount(dims) == 0 {
		return
	}

	// The elements go to their places.
	x := append([]tape.Scalar(nil), from.X...) // a copy, because both may be parts of one variable
	for i, at := range starts {
		copy(v.X[at:at+size], x[i*size:])
	}
	r.CountSteps(len(x) / 8)
}

// assignAll lowers an assignment to a whole variable v.
func (r *lowerer) assignAll(s *syntax.Stmt, v *lang.Value) {
	if v.T.IsScalar() && s.Right.Type.IsScalar() {
		x := r.scalar(s.Right)
		if r.Pos = s.Pos; s.Op != "=" {
			x = r.Arithmetic(s.Op[:len(s.Op)-1], v.T.Base == lang.IntType, r.checkInitialised(s.Left, v.X[0]), x)
		}
		v.X[0] = x
		return
	}
	from := r.value(s.Right)
	r.Pos = s.Pos
	if s.Op != "=" {
		from = r.Binary(s.Op[:len(s.Op)-1], v.T, r.checkAllInitialised(s.Left, *v), from)
	}
	r.assignWhole(v, from, syntax.Root(s.Left).Sym.Name)
}

// assignmentTarget returns a variable, or a part of one that shares its memory.
func (r *lowerer) assignmentTarget(e *syntax.Expr) lang.Value {
	switch e.Kind {
	case syntax.NameNode:
		return r.frame[e.Sym.Slot]
	case syntax.TuplePartNode:
		r.CountSteps(25)
		return r.assignmentTarget(e.Args[0]).Part(int(e.Num) - 1)
	}
	v := r.assignmentTarget(e.Args[0])
	idx := r.selections(v.Dims, e)
	for _, p := range idx {
		if !p.single {
			lang.Fail(e.Pos, problem.New("an element of a slice cannot be assigned to; combine the indices, as in x[1, 2:3]"))
		}
	}
	dims, starts, size := selectionLayout(v, idx)
	return lang.Value{T: e.Type, Dims: dims, X: v.X[starts[0] : starts[0]+size]}
}
