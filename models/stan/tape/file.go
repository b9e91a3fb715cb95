package tape

import (
	"bytes"
	"encoding/binary"
	"math"

	"logzlab/core/problem"
)

// magic is the beginning of a tape file: name and version of the format.
const magic = "LOGZTAPE1\n"

// Bytes encodes the tape: magic, then integers (varints of encoding/binary, zigzag if they may be negative) and
// constants (8 bytes, IEEE 754, little endian). Lists and texts are preceded by their length:
//
//	number of coordinates; constants; indices of gather operations;
//	operations: code, number of elements of the result, p, q, r, and for each argument twice its slot, plus one if it
//	is a vector;
//	number of operations of the log density; its slot; outputs: name, slot;
//	notes: key, text.
//
// The results of operations have consecutive slots, in order, after those of the coordinates. A negative slot is a
// constant: -1 is the first one.
func (t *Tape) Bytes() []byte {
	w := writer{[]byte(magic)}
	w.count(int(t.dim))
	w.count(len(t.constants))
	for _, x := range t.constants {
		w.b = binary.LittleEndian.AppendUint64(w.b, math.Float64bits(x))
	}
	w.count(len(t.indices))
	for _, at := range t.indices {
		w.slot(at)
	}

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
			vector := int64(0)
			if a.vector {
				vector = 1
			}
			w.b = binary.AppendVarint(w.b, 2*int64(a.slot)+vector)
		}
	}

	// Log density, outputs and notes.
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

// writer encodes the numbers and texts of a tape file.
type writer struct{ b []byte }

func (w *writer) count(n int)  { w.b = binary.AppendUvarint(w.b, uint64(n)) }
func (w *writer) slot(n int32) { w.b = binary.AppendVarint(w.b, int64(n)) }

func (w *writer) text(s string) {
	w.count(len(s))
	w.b = append(w.b, s...)
}

// reader decodes the format of writer. After an error it returns zeros.
type reader struct {
	b   []byte
	err error
}

// fail records the first error and ends reading.
func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.b = nil
}

// maxName is the maximal length of a name.
const maxName = 1000

var errShort = problem.New("tape file: it ends too early")

// count reads an integer of at most most.
func (r *reader) count(limit int) int {
	v, n := binary.Uvarint(r.b)
	switch {
	case n <= 0:
		r.fail(errShort)
		return 0
	case v > uint64(limit):
		r.fail(problem.New("tape file: a number is %d, at most %d are possible", v, limit))
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

// signed reads an integer that may be negative.
func (r *reader) signed() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.fail(errShort)
		return 0
	}
	r.b = r.b[n:]
	return v
}

// take returns the next n bytes, or zeros after an error.
func (r *reader) take(n int) []byte {
	if len(r.b) < n {
		r.fail(errShort)
		return make([]byte, min(n, 8))
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

// size reads the length of a list whose elements take at least minBytes bytes.
func (r *reader) size(limit, minBytes int) int {
	n := r.count(limit)
	if n > len(r.b)/minBytes {
		r.fail(errShort)
		return 0
	}
	return n
}

// IsFile reports whether b begins like a tape file.
func IsFile(b []byte) bool { return bytes.HasPrefix(b, []byte(magic)) }

// Read decodes the result of Bytes. It checks every slot, so that an operation reads only values that exist.
func Read(b []byte) (*Tape, error) {
	if !IsFile(b) {
		return nil, problem.New("tape file: it does not begin with %q", magic[:len(magic)-1])
	}
	r := &reader{b: b[len(magic):]}
	t := &Tape{dim: int32(r.count(MaxDim))}
	t.constants = make([]float64, r.size(MaxNumbers, 8))
	for i := range t.constants {
		t.constants[i] = math.Float64frombits(binary.LittleEndian.Uint64(r.take(8)))
	}
	t.indices = make([]int32, r.size(MaxNumbers, 1))
	for i := range t.indices {
		t.indices[i] = r.slot()
	}

	t.slots = t.dim
	for range r.size(MaxOps, 6) {
		o := r.op(t)
		if r.err != nil {
			return nil, r.err
		}
		t.ops = append(t.ops, o)
	}

	// Log density, outputs and notes.
	t.targetOps = r.count(len(t.ops))
	computed := t.dim
	if t.targetOps > 0 {
		last := t.ops[t.targetOps-1]
		computed = last.out + last.n
	}
	if t.target = r.slot(); r.err == nil && !t.hasSlots(t.target, 1, computed) {
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

var errSlot = problem.New("tape file: an operation reads a value before it is computed")

// slot reads a slot.
func (r *reader) slot() int32 {
	v := r.signed()
	if v != int64(int32(v)) {
		r.fail(errSlot)
	}
	return int32(v)
}

// hasSlots reports whether n values from slot at on are constants, or slots below computed, the number of computed
// slots.
func (t *Tape) hasSlots(at, n, computed int32) bool {
	if at < 0 {
		return int64(^at)+int64(n) <= int64(len(t.constants))
	}
	return int64(at)+int64(n) <= int64(computed)
}

// op reads an operation.
func (r *reader) op(t *Tape) (o op) {
	o.code, o.out = Code(r.take(1)[0]), t.slots
	for _, n := range [...]*int32{&o.n, &o.p, &o.q, &o.r} {
		*n = int32(r.count(MaxSlots))
	}

	// Check the sizes.
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

	// Check the list of a gather operation.
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

// fits reports whether the sizes of an operation are consistent.
func (o *op) fits() bool {
	p, q, r := int64(o.p), int64(o.q), int64(o.r)
	size, smallest := int64(o.n), min(o.n, o.p)
	switch o.code {
	case Sum, LogSumExp, Dot:
		return o.n == 1 && smallest > 0 && q == 0 && r == 0
	case MatMul:
		return smallest > 0 && q > 0 && r > 0 && p*r == size && p*q < MaxSlots && q*r < MaxSlots
	case Cholesky:
		return smallest > 0 && q == 0 && r == 0 && p*p == size
	case Solve, SolveT:
		return smallest > 0 && q == 0 && r > 0 && p*r == size && p*p < MaxSlots
	}
	return o.code.elementwise() && o.n > 0 && q == 0 && r == 0 && (p == 0 || o.code == Copy)
}
