package tape

import (
	"bytes"
	"encoding/binary"
	"math"

	"logzlab/core/problem"
)

// Magic begins the bytes of a tape: name and version of the format.
const Magic = "LOGZTAPE1\n"

// Bytes of a tape are Magic, then whole numbers (varints of encoding/binary, zigzag where they may be negative) and
// constants (8 bytes, IEEE 754, little endian), each list and text after its length:
//
//	coordinates; the constants; the list of places;
//	operations: code, elements of the result, p, q, r, and for each argument its place times two, plus one where it is
//	wide;
//	how many operations the log density needs; its place; what is shown: name, place;
//	notes: key, text.
//
// The result of an operation stands behind those before it, the first behind the coordinates. A place below zero is a
// constant: -1 the first.
func (t *Tape) Bytes() []byte {
	w := writer{[]byte(Magic)}
	w.count(int(t.dim))
	w.count(len(t.constants))
	for _, x := range t.constants {
		w.b = binary.LittleEndian.AppendUint64(w.b, math.Float64bits(x))
	}
	w.count(len(t.indices))
	for _, at := range t.indices {
		w.slot(at)
	}

	// The operations.
	w.count(len(t.ops))
	for _, o := range t.ops {
		w.b = append(w.b, byte(o.code))
		for _, n := range [...]int32{o.n, o.p, o.q, o.r} {
			w.count(int(n))
		}
		if o.isGather() {
			continue
		}
		for _, a := range o.args[:o.code.arity()] {
			wide := int64(0)
			if a.vector {
				wide = 1
			}
			w.b = binary.AppendVarint(w.b, 2*int64(a.slot)+wide)
		}
	}

	// The log density, the numbers shown, and the notes.
	w.count(t.targetOps)
	w.slot(t.target)
	w.count(len(t.outputs))
	for _, s := range t.outputs {
		w.text(s.name)
		w.slot(s.slot)
	}
	w.count(len(t.notes))
	for _, n := range t.notes {
		w.text(n.key)
		w.text(n.text)
	}
	return w.b
}

type writer struct{ b []byte }

func (w *writer) count(n int)  { w.b = binary.AppendUvarint(w.b, uint64(n)) }
func (w *writer) slot(n int32) { w.b = binary.AppendVarint(w.b, int64(n)) }

func (w *writer) text(s string) {
	w.count(len(s))
	w.b = append(w.b, s...)
}

// reader reads what writer wrote. After an error everything is 0.
type reader struct {
	b   []byte
	err error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.b = nil
}

// maxName is the length of a name, at most.
const maxName = 1000

var errShort = problem.New("tape file: it ends too early")

// count is a whole number up to most.
func (r *reader) count(most int) int {
	v, n := binary.Uvarint(r.b)
	switch {
	case n <= 0:
		r.fail(errShort)
		return 0
	case v > uint64(most):
		r.fail(problem.New("tape file: a number is %d, at most %d are possible", v, most))
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

func (r *reader) signed() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.fail(errShort)
		return 0
	}
	r.b = r.b[n:]
	return v
}

// take are the next bytes, zeros after an error.
func (r *reader) take(n int) []byte {
	if len(r.b) < n {
		r.fail(errShort)
		return make([]byte, min(n, 8))
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

// size is the length of a list whose entries take at least so many bytes.
func (r *reader) size(most, each int) int {
	n := r.count(most)
	if n > len(r.b)/each {
		r.fail(errShort)
		return 0
	}
	return n
}

// IsFile reports whether bytes begin as those of a tape do.
func IsFile(b []byte) bool { return bytes.HasPrefix(b, []byte(Magic)) }

// Read is the tape of Bytes. Every place is checked, so that no tape reads what is not there.
func Read(b []byte) (*Tape, error) {
	if !IsFile(b) {
		return nil, problem.New("tape file: it does not begin with %q", Magic[:len(Magic)-1])
	}
	r := &reader{b: b[len(Magic):]}
	t := &Tape{dim: int32(r.count(MaxDim))}
	t.constants = make([]float64, r.size(MaxNumbers, 8))
	for i := range t.constants {
		t.constants[i] = math.Float64frombits(binary.LittleEndian.Uint64(r.take(8)))
	}
	t.indices = make([]int32, r.size(MaxNumbers, 1))
	for i := range t.indices {
		t.indices[i] = r.slot()
	}

	// The operations.
	t.slots = t.dim
	for range r.size(MaxOps, 6) {
		o := r.op(t)
		if r.err != nil {
			return nil, r.err
		}
		t.ops = append(t.ops, o)
	}

	// The log density, the numbers shown, and the notes.
	t.targetOps = r.count(len(t.ops))
	made := t.dim
	if t.targetOps > 0 {
		last := t.ops[t.targetOps-1]
		made = last.out + last.n
	}
	if t.target = r.slot(); r.err == nil && !t.hasSlots(t.target, 1, made) {
		r.fail(errSlot)
	}
	for range r.size(MaxNumbers, 2) {
		s := output{name: string(r.take(r.count(maxName)))}
		if s.slot = r.slot(); r.err == nil && !t.hasSlots(s.slot, 1, t.slots) {
			r.fail(errSlot)
		}
		t.outputs = append(t.outputs, s)
	}
	for range r.size(100, 2) {
		t.notes = append(t.notes, note{string(r.take(r.count(maxName))), string(r.take(r.count(MaxNumbers)))})
	}

	// Damage.
	switch {
	case r.err != nil:
		return nil, r.err
	case len(r.b) > 0:
		return nil, problem.New("tape file: %d bytes follow its end", len(r.b))
	case t.dim == 0:
		return nil, problem.New("tape file: it has no coordinates")
	}
	t.findOutputOps()
	return t, nil
}

var errSlot = problem.New("tape file: a place is read before a number is there")

// int32 is a place, one that is nowhere where it does not fit.
func (r *reader) slot() int32 {
	v := r.signed()
	if v != int64(int32(v)) {
		r.fail(errSlot)
	}
	return int32(v)
}

// has reports whether n numbers stand from a place on, where so many are made.
func (t *Tape) hasSlots(at, n, made int32) bool {
	if at < 0 {
		return int64(^at)+int64(n) <= int64(len(t.constants))
	}
	return int64(at)+int64(n) <= int64(made)
}

// op reads an operation that comes next.
func (r *reader) op(t *Tape) (o op) {
	o.code, o.out = Code(r.take(1)[0]), t.slots
	for _, n := range [...]*int32{&o.n, &o.p, &o.q, &o.r} {
		*n = int32(r.count(MaxSlots))
	}

	// Sizes, within the limits.
	if r.err == nil && !o.fits() {
		r.fail(problem.New("tape file: operation %d has code %d and sizes that do not fit", len(t.ops)+1, o.code))
	}
	if r.err == nil && int(t.slots)+int(o.n) > MaxSlots {
		r.fail(problem.New("tape file: more than %d numbers are computed", MaxSlots))
	}
	if r.err != nil {
		return o
	}
	t.slots += o.n

	// A list of places.
	if o.isGather() {
		if int64(o.p-1)+int64(o.n) > int64(len(t.indices)) {
			r.fail(errSlot)
			return o
		}
		for _, at := range t.indices[o.p-1 : o.p-1+o.n] {
			if !t.hasSlots(at, 1, o.out) {
				r.fail(errSlot)
			}
		}
		return o
	}

	// The arguments.
	for i := range o.code.arity() {
		v := r.signed()
		a := operand{int32(v >> 1), v&1 == 1}
		n := int32(1)
		if a.vector {
			n = o.length(i)
		}
		if v>>1 != int64(a.slot) || !t.hasSlots(a.slot, n, o.out) || !o.code.elementwise() && !a.vector {
			r.fail(errSlot)
			return o
		}
		o.args[i] = a
	}
	return o
}

// fits reports whether the sizes of an operation agree.
func (o *op) fits() bool {
	p, q, r := int64(o.p), int64(o.q), int64(o.r)
	size, least := int64(o.n), min(o.n, o.p)
	switch o.code {
	case Sum, LogSumExp, Dot:
		return o.n == 1 && least > 0 && q == 0 && r == 0
	case MatMul:
		return least > 0 && q > 0 && r > 0 && p*r == size && p*q < MaxSlots && q*r < MaxSlots
	case Cholesky:
		return least > 0 && q == 0 && r == 0 && p*p == size
	case Solve, SolveT:
		return least > 0 && q == 0 && r > 0 && p*r == size && p*p < MaxSlots
	}
	return o.code.elementwise() && o.n > 0 && q == 0 && r == 0 && (p == 0 || o.code == Copy)
}
