package wire

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// Writer appends values to a byte slice. It is the only binary codec of the project: for
// frames, for units of work sent to workers, and for lane states.
// Integers are varints, floats the little-endian IEEE bits, slices and strings
// are preceded by their length.
type Writer struct{ B []byte }

func (w *Writer) Uint(x uint64)   { w.B = binary.AppendUvarint(w.B, x) }
func (w *Writer) Int(x int)       { w.B = binary.AppendVarint(w.B, int64(x)) }
func (w *Writer) Float(x float64) { w.B = binary.LittleEndian.AppendUint64(w.B, math.Float64bits(x)) }
func (w *Writer) Float32(x float32) {
	w.B = binary.LittleEndian.AppendUint32(w.B, math.Float32bits(x))
}
func (w *Writer) Bool(x bool) {
	if x {
		w.Uint(1)
	} else {
		w.Uint(0)
	}
}
func (w *Writer) Bytes(x []byte)  { w.Uint(uint64(len(x))); w.B = append(w.B, x...) }
func (w *Writer) String(x string) { w.Uint(uint64(len(x))); w.B = append(w.B, x...) }
func (w *Writer) Floats(x []float64) {
	w.Uint(uint64(len(x)))
	n := len(w.B)
	w.B = slices.Grow(w.B, 8*len(x))[:n+8*len(x)]
	b := w.B[n:]
	for i, v := range x {
		binary.LittleEndian.PutUint64(b[8*i:], math.Float64bits(v))
	}
}
func (w *Writer) Float32s(x []float32) {
	w.Uint(uint64(len(x)))
	for _, v := range x {
		w.Float32(v)
	}
}
func (w *Writer) Ints(x []int32) {
	w.Uint(uint64(len(x)))
	for _, v := range x {
		w.Int(int(v))
	}
}

// Bits packs units that are 0 or 1, eight to a byte; the reader knows how many.
func (w *Writer) Bits(x []uint8) {
	for i := 0; i < len(x); i += 8 {
		var b byte
		for t, v := range x[i:min(i+8, len(x))] {
			b |= (v & 1) << t
		}
		w.B = append(w.B, b)
	}
}

// ErrShort is the error of a Reader that ran out of bytes or met an impossible
// length.
var ErrShort = errors.New("message is truncated or damaged")

// Reader reads what a Writer wrote. After the first error every read returns a
// zero value and Err stays set, so callers check once at the end. Lengths are
// checked against the bytes that are left before anything is allocated.
type Reader struct {
	B   []byte
	Err error
}

func (r *Reader) Fail() { r.Err, r.B = ErrShort, nil }

func (r *Reader) Uint() uint64 {
	x, n := binary.Uvarint(r.B)
	if n <= 0 {
		r.Fail()
		return 0
	}
	r.B = r.B[n:]
	return x
}

func (r *Reader) Int() int {
	x, n := binary.Varint(r.B)
	if n <= 0 {
		r.Fail()
		return 0
	}
	r.B = r.B[n:]
	return int(x)
}

// Within reads an integer that must be one from least to most: an index, or a count.
func (r *Reader) Within(least, most int) int {
	x := r.Int()
	if x < least || x > most {
		r.Fail()
		return max(least, 0)
	}
	return x
}

func (r *Reader) take(n uint64) []byte {
	if n > uint64(len(r.B)) {
		r.Fail()
		return nil
	}
	b := r.B[:n]
	r.B = r.B[n:]
	return b
}

func (r *Reader) Float() float64 {
	if b := r.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (r *Reader) Float32() float32 {
	if b := r.take(4); b != nil {
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (r *Reader) Bool() bool { return r.Uint() != 0 }

// Bytes returns a view into the message, not a copy.
func (r *Reader) Bytes() []byte  { return r.take(r.Uint()) }
func (r *Reader) String() string { return string(r.take(r.Uint())) }

// Length reads a count of items of at least size bytes each.
func (r *Reader) Length(size uint64) int {
	n := r.Uint()
	if n > uint64(len(r.B))/size {
		r.Fail()
		return 0
	}
	return int(n)
}

func (r *Reader) Floats() []float64 {
	x := make([]float64, r.Length(8))
	b := r.take(8 * uint64(len(x))) // at once: AIS may record millions
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x
}

// Exactly reads floats that must be n.
func (r *Reader) Exactly(n int) []float64 {
	x := r.Floats()
	if len(x) != n {
		r.Fail()
		return make([]float64, n)
	}
	return x
}

func (r *Reader) Float32s() []float32 {
	x := make([]float32, r.Length(4))
	for i := range x {
		x[i] = r.Float32()
	}
	return x
}

func (r *Reader) Ints() []int32 {
	x := make([]int32, r.Length(1))
	for i := range x {
		x[i] = int32(r.Int())
	}
	return x
}

// Bits fills x with units packed by Writer.Bits.
func (r *Reader) Bits(x []uint8) {
	b := r.take(uint64(len(x)+7) / 8)
	for i := range x {
		if b == nil {
			x[i] = 0
		} else {
			x[i] = b[i/8] >> (i % 8) & 1
		}
	}
}
