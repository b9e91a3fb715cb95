package tape

import (
	"encoding/binary"
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// Limits of the size of a tape.
const (
	MaxOps     = 2_000_000  // operations of a Builder
	MaxSlots   = 20_000_000 // coordinates and results
	MaxNumbers = 20_000_000 // constants, and indices of gather operations
	MaxDim     = 10_000     // coordinates
)

// Scalar is a constant or a value that the tape computes. The zero value is the constant 0.
type Scalar struct {
	slot  int32 // 1 + the slot of the value; 0: a constant
	value float64
}

// Const returns a constant.
func Const(v float64) Scalar { return Scalar{value: v} }

// Consts returns constants.
func Consts(v ...float64) []Scalar {
	out := make([]Scalar, len(v))
	for i, x := range v {
		out[i].value = x
	}
	return out
}

// Const returns the value of a constant; ok is false for values that depend on the coordinates.
func (s Scalar) Const() (v float64, ok bool) { return s.value, s.slot == 0 }

// AllConst reports whether all scalars are constants.
func AllConst(x ...Scalar) bool {
	for _, s := range x {
		if s.slot != 0 {
			return false
		}
	}
	return true
}

// operand is an argument of an operation: a vector in consecutive slots, or one element used for every element of the
// result.
type operand struct {
	slot   int32 // first slot
	vector bool  // there is an element for each element of the result
}

// op is an operation. Its result has n elements in slots out, out+1, ...
type op struct {
	code    Code
	out, n  int32
	args    [3]operand
	p, q, r int32 // sizes of matrices; for a gather operation p is 1 + its first index in Tape.indices
}

// Builder builds a tape. Operations on constants are folded, and identical operations are shared. After an error, which
// Err returns, its methods may still be called.
type Builder struct {
	t           Tape
	results     map[op]int32     // slot of the result of each operation
	listAt      map[string]int32 // position in Tape.indices of each list of slots
	constantsAt map[string]int32 // position in Tape.constants of each list of constants
	target      []Scalar
	outputs     []namedOutput
	notes       []note
	err         error
}

// NewBuilder returns a Builder for dim coordinates.
func NewBuilder(dim int) *Builder {
	b := &Builder{results: map[op]int32{}, listAt: map[string]int32{}, constantsAt: map[string]int32{}}
	b.t.dim, b.t.slots = int32(dim), int32(dim)
	if dim > MaxDim {
		b.err = problem.New("the program has %d coordinates; at most %d are possible", dim, MaxDim)
	}
	return b
}

// Err returns the first error: a limit was exceeded, or a constant matrix is not positive definite.
func (b *Builder) Err() error { return b.err }

// Inputs returns the coordinates.
func (b *Builder) Inputs() []Scalar { return b.slotRange(0, int(b.t.dim)) }

// slotRange returns the values of n consecutive slots.
func (b *Builder) slotRange(at int32, n int) []Scalar {
	out := make([]Scalar, n)
	for i := range out {
		out[i].slot = at + int32(i) + 1
	}
	return out
}

// Map adds an elementwise operation and returns its result. Arguments have equal lengths, or length 1.
func (b *Builder) Map(code Code, args ...[]Scalar) []Scalar {
	n, allConst := 1, true
	for _, a := range args {
		if len(a) != 1 {
			n = len(a)
		}
		allConst = allConst && AllConst(a...)
	}
	if n == 0 {
		return nil
	}

	// Fold constants and trivial operations.
	if allConst {
		return b.fold(code, n, args)
	}
	if len(args) == 2 {
		if same := simplify(code, args[0], args[1], n); same != nil {
			return same
		}
	}

	o := op{code: code, n: int32(n)}
	vector := false
	for i, a := range args {
		o.args[i] = b.operand(a)
		vector = vector || o.args[i].vector
	}
	if !vector { // all elements are equal: compute one
		o.n = 1
		return slices.Repeat(b.add(o), n)
	}
	return b.add(o)
}

// simplify returns the result of x + 0, x - 0, x 1 and x/1, and nil for other operations.
func simplify(code Code, x, y []Scalar, n int) []Scalar {
	allEqual := func(a []Scalar, v float64) bool {
		for _, s := range a {
			if c, ok := s.Const(); !ok || c != v {
				return false
			}
		}
		return true
	}
	switch {
	case len(x) == n && ((code == Add || code == Sub) && allEqual(y, 0) || (code == Mul || code == Div) && allEqual(y, 1)):
		return x
	case len(y) == n && (code == Add && allEqual(x, 0) || code == Mul && allEqual(x, 1)):
		return y
	}
	return nil
}

// Do is Map for one element.
func (b *Builder) Do(code Code, args ...Scalar) Scalar {
	var lists [3][]Scalar
	for i := range args {
		lists[i] = args[i : i+1]
	}
	return b.Map(code, lists[:len(args)]...)[0]
}

// Sum returns the sum of the elements, 0 for none.
func (b *Builder) Sum(x []Scalar) Scalar { return b.reduce(Sum, x, 0) }

// LogSumExp returns the log of the sum of e^x, -Inf for none.
func (b *Builder) LogSumExp(x []Scalar) Scalar { return b.reduce(LogSumExp, x, math.Inf(-1)) }

// reduce adds a reduction of x to one element; none is the result for an empty x.
func (b *Builder) reduce(code Code, x []Scalar, ofEmpty float64) Scalar {
	switch len(x) {
	case 0:
		return Const(ofEmpty)
	case 1:
		return x[0]
	}
	return b.shaped(op{code: code, n: 1, p: int32(len(x))}, x)[0]
}

// Dot returns the sum of the products of two vectors of equal length.
func (b *Builder) Dot(x, y []Scalar) Scalar {
	if len(x) == 0 {
		return Scalar{}
	}
	return b.shaped(op{code: Dot, n: 1, p: int32(len(x))}, x, y)[0]
}

// MatMul returns the product of a (m x k) and c (k x n), all stored by rows.
func (b *Builder) MatMul(a, c []Scalar, m, k, n int) []Scalar {
	if k == 0 {
		return make([]Scalar, m*n)
	}
	return b.shaped(op{code: MatMul, n: int32(m * n), p: int32(m), q: int32(k), r: int32(n)}, a, c)
}

// Cholesky returns the lower Cholesky factor of a (n x n), of which only the lower triangle is read. The factor has
// NaNs if a is not positive definite.
func (b *Builder) Cholesky(a []Scalar, n int) []Scalar {
	l := b.shaped(op{code: Cholesky, n: int32(n * n), p: int32(n)}, a)
	if b.err == nil && n > 0 && l[n*n-1].isNaN() {
		b.err = problem.New("a matrix is not positive definite")
	}
	return l
}

// isNaN reports whether s is a constant NaN.
func (s Scalar) isNaN() bool { c, known := s.Const(); return known && !num.NotNaN(c) }

// Solve returns L^-1 c for a lower triangular L (n x n) and c (n x k).
func (b *Builder) Solve(l, c []Scalar, n, k int) []Scalar {
	return b.shaped(op{code: Solve, n: int32(n * k), p: int32(n), r: int32(k)}, l, c)
}

// SolveT returns L^-T c.
func (b *Builder) SolveT(l, c []Scalar, n, k int) []Scalar {
	return b.shaped(op{code: SolveT, n: int32(n * k), p: int32(n), r: int32(k)}, l, c)
}

// shaped adds an operation on vectors or matrices, or folds it if all arguments are constants.
func (b *Builder) shaped(o op, args ...[]Scalar) []Scalar {
	if o.n == 0 {
		return nil
	}
	allConst := true
	for _, a := range args {
		allConst = allConst && AllConst(a...)
	}
	for i, a := range args {
		o.args[i] = operand{b.contiguous(a), true}
	}
	if allConst {
		return b.foldShaped(o)
	}
	return b.add(o)
}

// Target adds terms to the log density.
func (b *Builder) Target(terms ...Scalar) { b.target = append(b.target, terms...) }

// add appends an operation, unless an identical one exists.
func (b *Builder) add(o op) []Scalar {
	n := int(o.n)
	if b.err != nil {
		return b.slotRange(0, n) // a placeholder: Finish will fail
	}
	if at, ok := b.results[o]; ok {
		return b.slotRange(at, n)
	}
	key := o
	o.out = b.t.slots
	if len(b.t.ops) >= MaxOps || int(b.t.slots)+n > MaxSlots {
		b.err = problem.New("the program is too long: more than %d operations or %d numbers when its loops are unrolled",
			MaxOps, MaxSlots)
		return b.slotRange(0, n)
	}
	b.t.slots += o.n
	b.t.ops = append(b.t.ops, o)
	b.results[key] = o.out
	return b.slotRange(o.out, n)
}

// operand returns the operand of elements; equal elements become one.
func (b *Builder) operand(x []Scalar) operand {
	if !slices.ContainsFunc(x, func(s Scalar) bool { return s != x[0] }) {
		return operand{b.contiguous(x[:1]), false}
	}
	return operand{b.contiguous(x), true}
}

// contiguous returns the first slot of elements in consecutive slots. It adds a gather operation if necessary.
func (b *Builder) contiguous(x []Scalar) int32 {
	if AllConst(x...) {
		return ^b.constants(x)
	}
	for i, s := range x {
		if s.slot == 0 || s.slot != x[0].slot+int32(i) {
			return b.Gather(x)[0].slot - 1
		}
	}
	return x[0].slot - 1
}

// Gather copies elements from any slots into consecutive slots.
func (b *Builder) Gather(x []Scalar) []Scalar {
	list := make([]int32, len(x))
	for i, s := range x {
		if list[i] = s.slot - 1; s.slot == 0 {
			list[i] = ^b.constants(x[i : i+1])
		}
	}
	key := string(appendInts(nil, list))
	at, ok := b.listAt[key]
	if !ok {
		at = int32(len(b.t.indices))
		if !b.checkSize(len(b.t.indices), len(list)) {
			return b.slotRange(0, len(x))
		}
		b.listAt[key], b.t.indices = at, append(b.t.indices, list...)
	}
	return b.add(op{code: Copy, n: int32(len(x)), p: at + 1})
}

// checkSize sets the error if adding added to size constants or indices exceeds MaxNumbers, and reports whether there
// is no error.
func (b *Builder) checkSize(size, added int) bool {
	if b.err == nil && size+added > MaxNumbers {
		b.err = problem.New("the program is too large: more than %d constants", MaxNumbers)
	}
	return b.err == nil
}

// constants returns the position of a list of constants, which it adds if it is new.
func (b *Builder) constants(x []Scalar) int32 {
	bytes := make([]byte, 0, 64)
	for _, s := range x {
		bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(s.value))
	}
	at, ok := b.constantsAt[string(bytes)]
	if !ok {
		at = int32(len(b.t.constants))
		if !b.checkSize(len(b.t.constants), len(x)) {
			return 0
		}
		for _, s := range x {
			b.t.constants = append(b.t.constants, s.value)
		}
		b.constantsAt[string(bytes)] = at
	}
	return at
}

// appendInts appends the bytes of x, little endian.
func appendInts(to []byte, x []int32) []byte {
	for _, v := range x {
		to = binary.LittleEndian.AppendUint32(to, uint32(v))
	}
	return to
}
