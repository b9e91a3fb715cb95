package tape

import (
	"encoding/binary"
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// Limits of what a tape may be.
const (
	MaxOps     = 2_000_000  // operations while it is built
	MaxSlots   = 20_000_000 // numbers that operations compute
	MaxNumbers = 20_000_000 // constants and places in lists
	MaxDim     = 10_000     // coordinates
)

// Scalar is a constant or a number that the tape computes. The zero value is the constant 0.
type Scalar struct {
	slot  int32 // 1 + its place; 0: a constant
	value float64
}

// Const is a constant.
func Const(v float64) Scalar { return Scalar{value: v} }

// Consts are constants.
func Consts(v ...float64) []Scalar {
	out := make([]Scalar, len(v))
	for i, x := range v {
		out[i].value = x
	}
	return out
}

// Const is the value of a constant; ok is false for what depends on the parameters.
func (s Scalar) Const() (v float64, ok bool) { return s.value, s.slot == 0 }

// Known reports whether all are constants.
func AllConst(x ...Scalar) bool {
	for _, s := range x {
		if s.slot != 0 {
			return false
		}
	}
	return true
}

// operand is what an operation reads: elements from one place on, or one element for all.
type operand struct {
	slot   int32 // a place among the numbers computed; below zero, of constant ^at
	vector bool  // an element for each element of the result
}

// op is an operation. Its result has n elements from out on.
type op struct {
	code    Code
	out, n  int32
	args    [3]operand
	p, q, r int32 // shapes of matrices; of Copy, where its list begins, plus 1; 0: an operand
}

// Builder makes a tape. Operations on constants are done at once; an operation that was there before is not repeated.
// Methods may be called after a limit was passed; Err says so.
type Builder struct {
	t           Tape
	results     map[op]int32     // where the result of an operation is
	listAt      map[string]int32 // where lists are
	constantsAt map[string]int32 // where constants are
	target      []Scalar
	outputs     []namedOutput
	notes       []note
	err         error
}

// NewBuilder starts a tape of so many coordinates.
func NewBuilder(dim int) *Builder {
	b := &Builder{results: map[op]int32{}, listAt: map[string]int32{}, constantsAt: map[string]int32{}}
	b.t.dim, b.t.slots = int32(dim), int32(dim)
	if dim > MaxDim {
		b.err = problem.New("the program has %d coordinates; at most %d are possible", dim, MaxDim)
	}
	return b
}

// Err is the limit that was passed, or says that a known matrix has no factor; nil while there is none.
func (b *Builder) Err() error { return b.err }

// Inputs are the coordinates.
func (b *Builder) Inputs() []Scalar { return b.slotRange(0, int(b.t.dim)) }

func (b *Builder) slotRange(at int32, n int) []Scalar {
	out := make([]Scalar, n)
	for i := range out {
		out[i].slot = at + int32(i) + 1
	}
	return out
}

// Map does an operation by element. Arguments have equal lengths, or one element for all.
func (b *Builder) Map(code Code, args ...[]Scalar) []Scalar {
	n, known := 1, true
	for _, a := range args {
		if len(a) != 1 {
			n = len(a)
		}
		known = known && AllConst(a...)
	}
	if n == 0 {
		return nil
	}

	// Known or plain results need no operation.
	if known {
		return b.fold(code, n, args)
	}
	if len(args) == 2 {
		if same := simplify(code, args[0], args[1], n); same != nil {
			return same
		}
	}

	// The operation.
	o := op{code: code, n: int32(n)}
	wide := false
	for i, a := range args {
		o.args[i] = b.operand(a)
		wide = wide || o.args[i].vector
	}
	if !wide { // of equal elements: one number, n times
		o.n = 1
		return slices.Repeat(b.add(o), n)
	}
	return b.add(o)
}

// plain is what x + 0, x - 0, x 1 and x/1 are, nil for others.
func simplify(code Code, x, y []Scalar, n int) []Scalar {
	all := func(a []Scalar, v float64) bool {
		for _, s := range a {
			if c, ok := s.Const(); !ok || c != v {
				return false
			}
		}
		return true
	}
	switch {
	case len(x) == n && ((code == Add || code == Sub) && all(y, 0) || (code == Mul || code == Div) && all(y, 1)):
		return x
	case len(y) == n && (code == Add && all(x, 0) || code == Mul && all(x, 1)):
		return y
	}
	return nil
}

// Do is Map of one element.
func (b *Builder) Do(code Code, args ...Scalar) Scalar {
	var room [3][]Scalar
	for i := range args {
		room[i] = args[i : i+1]
	}
	return b.Map(code, room[:len(args)]...)[0]
}

// Sum is the sum of elements, 0 of none.
func (b *Builder) Sum(x []Scalar) Scalar { return b.reduce(Sum, x, 0) }

// LogSumExp is the log of the sum of e^x, -Inf of none.
func (b *Builder) LogSumExp(x []Scalar) Scalar { return b.reduce(LogSumExp, x, math.Inf(-1)) }

func (b *Builder) reduce(code Code, x []Scalar, none float64) Scalar {
	switch len(x) {
	case 0:
		return Const(none)
	case 1:
		return x[0]
	}
	return b.shaped(op{code: code, n: 1, p: int32(len(x))}, x)[0]
}

// Dot is the sum of products of as many elements.
func (b *Builder) Dot(x, y []Scalar) Scalar {
	if len(x) == 0 {
		return Scalar{}
	}
	return b.shaped(op{code: Dot, n: 1, p: int32(len(x))}, x, y)[0]
}

// MatMul is the product of a, of m x k, and c, of k x n, all by rows.
func (b *Builder) MatMul(a, c []Scalar, m, k, n int) []Scalar {
	if k == 0 {
		return make([]Scalar, m*n)
	}
	return b.shaped(op{code: MatMul, n: int32(m * n), p: int32(m), q: int32(k), r: int32(n)}, a, c)
}

// Cholesky is the lower factor of a, of n x n, of which the lower triangle is read; what is no positive definite matrix
// has NaN.
func (b *Builder) Cholesky(a []Scalar, n int) []Scalar {
	l := b.shaped(op{code: Cholesky, n: int32(n * n), p: int32(n)}, a)
	if b.err == nil && n > 0 && l[n*n-1].isNaN() {
		b.err = problem.New("a matrix is not positive definite")
	}
	return l
}

// isNaN reports whether a number is known and none.
func (s Scalar) isNaN() bool { c, known := s.Const(); return known && !num.Known(c) }

// Solve is L^-1 c for a lower L of n x n and c of n x k.
func (b *Builder) Solve(l, c []Scalar, n, k int) []Scalar {
	return b.shaped(op{code: Solve, n: int32(n * k), p: int32(n), r: int32(k)}, l, c)
}

// SolveT is L^-T c.
func (b *Builder) SolveT(l, c []Scalar, n, k int) []Scalar {
	return b.shaped(op{code: SolveT, n: int32(n * k), p: int32(n), r: int32(k)}, l, c)
}

// shaped adds an operation on vectors or matrices, or does it where all is known.
func (b *Builder) shaped(o op, args ...[]Scalar) []Scalar {
	if o.n == 0 {
		return nil
	}
	known := true
	for _, a := range args {
		known = known && AllConst(a...)
	}
	for i, a := range args {
		o.args[i] = operand{b.contiguous(a), true}
	}
	if known {
		return b.foldShaped(o)
	}
	return b.add(o)
}

// Target adds terms to the log density.
func (b *Builder) Target(terms ...Scalar) { b.target = append(b.target, terms...) }

// add appends an operation, unless it was there before.
func (b *Builder) add(o op) []Scalar {
	n := int(o.n)
	if b.err != nil {
		return b.slotRange(0, n) // anything: Finish fails
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

// operand finds where elements are; equal ones become one.
func (b *Builder) operand(x []Scalar) operand {
	if !slices.ContainsFunc(x, func(s Scalar) bool { return s != x[0] }) {
		return operand{b.contiguous(x[:1]), false}
	}
	return operand{b.contiguous(x), true}
}

// row is the first place of elements in a row: numbers that stand so, constants, or what is gathered from anywhere.
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

// Gather puts elements from anywhere in a row.
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

func (b *Builder) checkSize(have, more int) bool {
	if b.err == nil && have+more > MaxNumbers {
		b.err = problem.New("the program is too large: more than %d constants", MaxNumbers)
	}
	return b.err == nil
}

// constants finds constants in a row, or adds them.
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

func appendInts(to []byte, x []int32) []byte {
	for _, v := range x {
		to = binary.LittleEndian.AppendUint32(to, uint32(v))
	}
	return to
}
