package modelfile

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"logzlab/core/meter"
	"logzlab/core/problem"
)

// A MATLAB file of level 5 is a header of 128 bytes and a row of elements, one for each variable, which may be packed
// by zlib. An element is its type, its size in bytes and its data: of a variable again elements, for its class, shape,
// name and numbers (MAT-File Format, The MathWorks). Numbers go by columns, in a type that may be smaller than the
// class.

// Types of elements, in addition to those of numbers in matTypes.
const (
	matMatrix = 14
	matPacked = 15
)

// matTypes are the number types, in NumPy's notation.
var matTypes = []string{1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8",
	14: ""}

// matClasses are the classes of variables, from 1; classes 6 to 15 are numeric matrices.
var matClasses = []string{"cell", "struct", "object", "text", "sparse", "double", "single", "int8", "uint8", "int16",
	"uint16", "int32", "uint32", "int64", "uint64", "function", "object"}

// maxVariables is the largest number of variables in a file.
const maxVariables = 2000

// matElement is the element of a variable in a file.
type matElement struct {
	data   []byte
	packed bool
	size   int // after decompression, with the tag
	order  binary.ByteOrder
}

// openMAT lists the variables. The sizes that elements declare are checked before decompression.
func openMAT(b []byte, m *meter.Meter) (*Arrays, error) {
	if len(b) < 128 {
		return nil, errMATCut
	}

	// The byte order.
	var order binary.ByteOrder = binary.LittleEndian
	switch string(b[126:128]) {
	case "MI":
		order = binary.BigEndian
	case "IM":
	default:
		return nil, errMATCut
	}
	a := &Arrays{Meter: m}

	// List the variables, within the limits.
	remaining, count := MaxInflated, 0
	for b = b[128:]; len(b) > 0; {
		if count++; count > maxVariables {
			return nil, problem.New("mat file: it has more than %d variables; save only those of the model", maxVariables)
		}
		if len(b) < 8 || uint64(order.Uint32(b[4:])) > uint64(len(b)-8) {
			return nil, errMATCut
		}
		n := 8 + int(order.Uint32(b[4:]))
		e := &matElement{data: b[:n], size: n, order: order}
		if e.packed = order.Uint32(b) == matPacked; e.packed {
			e.data = b[8:n]
		}
		b = b[n:]

		// The name, and the size after decompression.
		v, err := e.open(m)
		if err != nil {
			return nil, err
		}
		if remaining -= e.size; remaining < 0 {
			return nil, problem.New("mat file: it would inflate to more than the limit of 256 MB (variable %s)", v.name)
		}
		if v.name == "" { // MATLAB's internal data
			continue
		}
		if slices.Contains(a.names, v.name) {
			return nil, problem.New("mat file: the variable %s is there twice; leave one out", v.name)
		}
		a.add(v.name, func() (*Array, error) { return e.array(m) })
	}
	return a, nil
}

var errMATCut = problem.New("mat file: damaged or cut short; save it again with the option -v7")

// matVariable is a variable whose header has been read and whose numbers follow.
type matVariable struct {
	name    string
	class   int
	complex bool
	shape   []int

	r      *bufio.Reader
	order  binary.ByteOrder
	unread int // unread bytes of its element
}

// open reads the element up to its numbers.
func (e *matElement) open(m *meter.Meter) (*matVariable, error) {
	var r io.Reader = bytes.NewReader(e.data)
	ops := float64(numberOps)
	if e.packed {
		z, err := zlib.NewReader(r)
		if err != nil {
			return nil, errMATCut
		}
		r, ops = z, ops+inflateOps
	}

	// The tag, whose size must fit the element.
	v := &matVariable{r: bufio.NewReaderSize(m.Reader(r, ops), 1<<12), order: e.order, unread: 8}
	kind, n, err := v.tag()
	if err != nil {
		return nil, err
	}
	maxSize := len(e.data) - 8
	if e.packed {
		maxSize = 1032 * len(e.data) // zlib compresses at most by this factor
	}
	if kind != matMatrix || n > maxSize || !e.packed && n < maxSize {
		return nil, errMATCut
	}
	e.size, v.unread = n+8, n
	if n == 0 { // MATLAB writes empty variables this way
		return v, nil
	}

	// Flags, shape and name.
	flags, err := v.element(6, 8)
	if err != nil {
		return nil, err
	}
	bits := e.order.Uint32(flags)
	v.class, v.complex = int(bits&0xff), bits&0x800 != 0
	shape, err := v.element(5, 4*32)
	if err != nil {
		return nil, err
	}
	for ; len(shape) >= 4; shape = shape[4:] {
		v.shape = append(v.shape, int(int32(e.order.Uint32(shape))))
	}
	name, err := v.element(1, 1<<10)
	v.name = string(name)
	return v, err
}

// tag reads the type and the size of the next element.
func (v *matVariable) tag() (kind uint32, n int, err error) {
	b, err := v.take(4)
	if err != nil {
		return 0, 0, err
	}
	if kind = v.order.Uint32(b); kind>>16 != 0 { // a small element, with its data in the tag
		return kind & 0xffff, int(kind >> 16), nil
	}
	if b, err = v.take(4); err != nil {
		return 0, 0, err
	}
	return kind, int(v.order.Uint32(b)), nil
}

// take reads n bytes.
func (v *matVariable) take(n int) ([]byte, error) {
	if n > v.unread {
		return nil, errMATCut
	}
	v.unread -= n
	b := make([]byte, n)
	if _, err := io.ReadFull(v.r, b); err != nil {
		return nil, errMATCut
	}
	return b, nil
}

// element reads a short element of the given type, and skips the padding to 8 bytes, or to 4 within a tag.
func (v *matVariable) element(wantType uint32, maxSize int) ([]byte, error) {
	unreadBefore := v.unread
	kind, n, err := v.tag()
	if err != nil {
		return nil, err
	}
	paddedSize := (n + 7) &^ 7
	if v.unread == unreadBefore-4 {
		paddedSize = 4
	}
	if kind != wantType || n > min(maxSize, paddedSize) || kind == 6 && n != 8 {
		return nil, errMATCut
	}
	b, err := v.take(paddedSize)
	return b[:min(n, len(b))], err
}

// array reads the variable as a matrix by rows.
func (e *matElement) array(m *meter.Meter) (*Array, error) {
	v, err := e.open(m)
	if err != nil {
		return nil, err
	}

	// Structs and complex matrices are not supported.
	switch {
	case v.class == 2:
		return nil, problem.New("mat file: %s is a struct; save its fields, as in save('model.mat', '-struct', '%s')", v.name,
			v.name)
	case v.class < 6 || v.class > 15 || v.complex:
		class := fmt.Sprint(v.class)
		if 1 <= v.class && v.class <= len(matClasses) {
			class = matClasses[v.class-1]
		}
		if v.complex {
			class = "complex"
		}
		return nil, problem.New("mat file: %s is %s; save it as a full matrix of real numbers, double or single", v.name,
			class)
	}

	// The shape, and the type of the numbers.
	a, t := &Array{Shape: v.shape}, &elements{}
	var ok bool
	if t.count, ok = elementCount(v.shape); !ok || len(v.shape) < 2 {
		return nil, problem.New("mat file: %s: impossible shape %v", v.name, v.shape)
	}
	kind, n, err := v.tag()
	if err != nil {
		return nil, err
	}
	prefix := "<"
	if e.order == binary.BigEndian {
		prefix = ">"
	}
	t.name = prefix + matTypes[min(int(kind), len(matTypes)-1)]
	if t.get, t.size, err = numberType(t.name); err != nil || n != t.count*t.size || n > v.unread {
		return nil, errMATCut
	}

	// The numbers, column by column in the file.
	t.transposed = true
	m.Expect((inflateOps + numberOps) * float64(n))
	if err := a.fill(v.r, t, v.name, m); err != nil {
		return nil, err
	}
	rest := make([]byte, 9) // at most 7 bytes of padding; checksums are verified at the end
	if n, err := io.ReadFull(v.r, rest); n > 8 || err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, errMATCut
	}
	return a, nil
}
