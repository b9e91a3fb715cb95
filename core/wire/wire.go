package wire

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// Writer appends values to the byte slice B. Integers are varints, floats are little-endian IEEE 754 bits, and slices
// and strings are preceded by their length.
type Writer struct{ B []byte }

// Uint appends an unsigned integer as a varint.
func (w *Writer) Uint(x uint64) { w.B = binary.AppendUvarint(w.B, x) }

// Int appends an integer as a varint.
func (w *Writer) Int(x int) { w.B = binary.AppendVarint(w.B, int64(x)) }

// Float appends the eight bytes of a float64.
func (w *Writer) Float(x float64) { w.B = binary.LittleEndian.AppendUint64(w.B, math.Float64bits(x)) }

// Float32 appends the four bytes of a float32.
func (w *Writer) Float32(x float32) {
	w.B = binary.LittleEndian.AppendUint32(w.B, math.Float32bits(x))
}

// Bool appends a boolean as the integer 0 or 1.
func (w *Writer) Bool(x bool) {
	if x {
		w.Uint(1)
	} else {
		w.Uint(0)
	}
}

// Bytes appends a byte slice.
func (w *Writer) Bytes(x []byte) { w.Uint(uint64(len(x))); w.B = append(w.B, x...) }

// String appends a string.
func (w *Writer) String(x string) { w.Uint(uint64(len(x))); w.B = append(w.B, x...) }

// Floats appends a slice of float64.
func (w *Writer) Floats(x []float64) {
	w.Uint(uint64(len(x)))
	n := len(w.B)
	w.B = slices.Grow(w.B, 8*len(x))[:n+8*len(x)]
	b := w.B[n:]
	for i, v := range x {
		binary.LittleEndian.PutUint64(b[8*i:], math.Float64bits(v))
	}
}

// Float32s appends a slice of float32.
func (w *Writer) Float32s(x []float32) {
	w.Uint(uint64(len(x)))
	for _, v := range x {
		w.Float32(v)
	}
}

// Int32s appends a slice of int32.
func (w *Writer) Int32s(x []int32) {
	w.Uint(uint64(len(x)))
	for _, v := range x {
		w.Int(int(v))
	}
}

// Bits packs values of 0 or 1, eight to a byte, without their count: the reader must know the count.
func (w *Writer) Bits(x []uint8) {
	for i := 0; i < len(x); i += 8 {
		var b byte
		for t, v := range x[i:min(i+8, len(x))] {
			b |= (v & 1) << t
		}
		w.B = append(w.B, b)
	}
}

// ErrDamaged is the error of a Reader that ran out of bytes, or found an impossible length or value.
var ErrDamaged = errors.New("message is truncated or damaged")

// Reader decodes the bytes of a Writer. After the first error every method returns a zero value and Err stays set, so
// callers check it once at the end. Lengths are checked against the bytes that remain before anything is allocated.
type Reader struct {
	B   []byte
	Err error
}

// Fail sets Err to ErrDamaged; callers use it for values that are out of range.
func (r *Reader) Fail() { r.Err, r.B = ErrDamaged, nil }

// Uint decodes an unsigned integer.
func (r *Reader) Uint() uint64 {
	x, n := binary.Uvarint(r.B)
	if n <= 0 {
		r.Fail()
		return 0
	}
	r.B = r.B[n:]
	return x
}

// Int decodes an integer.
func (r *Reader) Int() int {
	x, n := binary.Varint(r.B)
	if n <= 0 {
		r.Fail()
		return 0
	}
	r.B = r.B[n:]
	return int(x)
}

// IntWithin decodes an integer that must be in [lo, hi], such as an index or a count.
func (r *Reader) IntWithin(lo, hi int) int {
	x := r.Int()
	if x < lo || x > hi {
		r.Fail()
		return max(lo, 0)
	}
	return x
}

// take returns the next n bytes; if there are fewer, it sets Err and returns nil.
func (r *Reader) take(n uint64) []byte {
	if n > uint64(len(r.B)) {
		r.Fail()
		return nil
	}
	b := r.B[:n]
	r.B = r.B[n:]
	return b
}

// Float decodes a float64.
func (r *Reader) Float() float64 {
	if b := r.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

// Float32 decodes a float32.
func (r *Reader) Float32() float32 {
	if b := r.take(4); b != nil {
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// Bool decodes a boolean.
func (r *Reader) Bool() bool { return r.Uint() != 0 }

// Bytes decodes a byte slice. It is a view into the message, not a copy.
func (r *Reader) Bytes() []byte { return r.take(r.Uint()) }

// String decodes a string.
func (r *Reader) String() string { return string(r.take(r.Uint())) }

// Length decodes the number of elements that follow, each of at least minBytes bytes.
func (r *Reader) Length(minBytes uint64) int {
	n := r.Uint()
	if n > uint64(len(r.B))/minBytes {
		r.Fail()
		return 0
	}
	return int(n)
}

// Floats decodes a slice of float64.
func (r *Reader) Floats() []float64 {
	x := make([]float64, r.Length(8))
	b := r.take(8 * uint64(len(x))) // one call for the whole slice, which may have millions of entries
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x
}

// FloatsN decodes a slice of n float64; any other length is an error.
func (r *Reader) FloatsN(n int) []float64 {
	x := r.Floats()
	if len(x) != n {
		r.Fail()
		return make([]float64, n)
	}
	return x
}

// Float32s decodes a slice of float32.
func (r *Reader) Float32s() []float32 {
	x := make([]float32, r.Length(4))
	for i := range x {
		x[i] = r.Float32()
	}
	return x
}

// Int32s decodes a slice of int32.
func (r *Reader) Int32s() []int32 {
	x := make([]int32, r.Length(1))
	for i := range x {
		x[i] = int32(r.Int())
	}
	return x
}

// Bits fills x with values packed by Writer.Bits.
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
