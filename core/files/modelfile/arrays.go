package modelfile

import (
	"archive/zip"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strings"

	"logzlab/core/meter"
	"logzlab/core/problem"
)

// Array is an array in C order, converted to float64.
type Array struct {
	Name  string // as spelled in the file
	Shape []int
	Data  []float64
}

// Arrays is a file of named arrays: a NumPy archive (.npz), a PyTorch file (.pt), a MATLAB file of level 5 (.mat) or
// .safetensors.
type Arrays struct {
	// Meter, which may be nil, limits memory and counts operations.
	Meter *meter.Meter
	// Notes are texts that the file stores in addition to the arrays, by name.
	Notes map[string]string

	names     []string // in file order
	readNames []string // names that were read
	read      []func() (*Array, error)
	members   map[string]*zip.File // of an .npz
}

// add lists an array, which is read only when it is requested.
func (a *Arrays) add(name string, read func() (*Array, error)) {
	a.names, a.read = append(a.names, name), append(a.read, read)
}

// Names returns the names of the arrays in file order.
func (a *Arrays) Names() []string { return a.names }

// baseName returns the last part of a dotted name, such as W of rbm.W.
func baseName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// Array returns the array with one of the given names, nil if there is none. Earlier lists of names take precedence.
// Names match by their last dotted part, as in rbm.W. If two arrays match the same list, the error calls the array
// what.
func (a *Arrays) Array(purpose string, names ...[]string) (*Array, error) {
	for _, list := range names {
		match := -1
		for i, name := range a.names {
			if !slices.Contains(list, baseName(name)) {
				continue
			}
			if match >= 0 {
				return nil, problem.New("model file: the %s are given twice (%s and %s); leave one out", purpose, a.names[match], name)
			}
			match = i
		}
		if match >= 0 {
			x, err := a.read[match]()
			if err == nil {
				x.Name = a.names[match]
			}
			a.readNames = append(a.readNames, a.names[match])
			return x, err
		}
	}
	for _, other := range a.names {
		for _, name := range slices.Concat(names...) {
			if strings.EqualFold(baseName(other), name) {
				return nil, problem.New("model file: the array %s must be written %s", other, name)
			}
		}
	}
	return nil, nil
}

// Unread returns a phrase that lists the arrays that were not read, nil if there are none.
func (a *Arrays) Unread() error {
	wasRead := func(name string) bool { return slices.Contains(a.readNames, name) }
	return unread(slices.DeleteFunc(slices.Clone(a.names), wasRead))
}

// Peek reads the i-th array of Names and returns its size and first number; the size is 0 if it cannot be read.
func (a *Arrays) Peek(i int) (count int, first float64) {
	x, err := a.read[i]()
	if err != nil || len(x.Data) == 0 {
		return 0, 0
	}
	a.Meter.Free(float64(8 * len(x.Data)))
	return len(x.Data), x.Data[0]
}

// Transposed returns a rows x columns matrix as columns x rows.
func Transposed(x []float64, rows, columns int, m *meter.Meter) ([]float64, error) {
	if err := reserve(m, "W.T", len(x), 0); err != nil {
		return nil, err
	}
	out := make([]float64, len(x))
	for i := range rows {
		if err := m.Did(numberOps * float64(columns)); err != nil {
			return nil, err
		}
		for j, v := range x[i*columns : (i+1)*columns] {
			out[j*rows+i] = v
		}
	}
	m.Free(float64(8 * len(x))) // the memory of x
	return out, nil
}

// elementCount returns the number of elements of a shape; ok is false if it is negative or too large.
func elementCount(shape []int) (n int, ok bool) {
	n = 1
	for _, k := range shape {
		if k < 0 || k > MaxInflated || n > MaxInflated/max(k, 1) {
			return 0, false
		}
		n *= k
	}
	return n, true
}

// elements describes the numbers of an array in its file.
type elements struct {
	name       string
	count      int
	size       int // bytes per number
	get        func([]byte) float64
	transposed bool // in Fortran order, by columns
}

// fill reads the numbers of an array in blocks, after reserving their memory. name is the array's name in errors.
func (a *Array) fill(r io.Reader, t *elements, name string, m *meter.Meter) error {
	if err := reserve(m, name, t.count, 0); err != nil {
		return err
	}
	a.Data = make([]float64, t.count)
	buffer, block := make([]byte, 1024*t.size), make([]float64, 1024)
	for i := 0; i < t.count; i += 1024 {
		chunk := block[:min(1024, t.count-i)]
		b := buffer[:len(chunk)*t.size]
		if _, err := io.ReadFull(r, b); err != nil {
			return problem.New("it is damaged or cut short: %v", err)
		}
		if t.name == "<f4" { // the type of most models: avoids a call for each number
			readFloats32(chunk, b)
		} else {
			readNumbers(chunk, b, t.get, t.size)
		}
		if t.transposed {
			for k, x := range chunk {
				a.Data[rowMajorIndex(i+k, t.count, a.Shape)] = x
			}
		} else {
			copy(a.Data[i:], chunk)
		}
	}
	return nil
}

// byRows converts position i in Fortran order, whose first index varies fastest, to the position in C order.
func rowMajorIndex(i, count int, shape []int) (index int) {
	for _, n := range shape {
		count /= n
		index += i % n * count
		i /= n
	}
	return index
}

// readFloats32 decodes numbers. It is a separate function because browsers switch to optimised code only between calls.
//
//go:noinline
func readFloats32(out []float64, b []byte) {
	for i := range out {
		out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
}

// readNumbers is readFloats32 for any type.
func readNumbers(out []float64, b []byte, get func([]byte) float64, size int) {
	for i := range out {
		out[i] = get(b[i*size:])
	}
}

// half decodes a 16-bit float: sign, 5 bits of exponent, 10 bits of fraction.
func float16(b uint16) float64 {
	fraction, exponent := float64(float64(b&0x3ff)/1024), int(b>>10&0x1f)
	x := math.Ldexp(1+fraction, exponent-15)
	switch {
	case exponent == 0:
		x = math.Ldexp(fraction, -14)
	case exponent == 31 && fraction == 0:
		x = math.Inf(1)
	case exponent == 31:
		x = math.NaN()
	}
	if b>>15 == 1 {
		return -x
	}
	return x
}

// numberType returns a decoder for a number type in NumPy's notation, and its size in bytes; bf16 is the upper half of
// a float32.
func numberType(descr string) (func([]byte) float64, int, error) {
	if descr == "bf16" {
		return func(b []byte) float64 {
			return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
		}, 2, nil
	}

	// NumPy types, after their byte order.
	if len(descr) == 3 || len(descr) == 2 {
		var order binary.ByteOrder = binary.LittleEndian
		d := descr
		switch d[0] {
		case '>':
			order, d = binary.BigEndian, d[1:]
		case '<', '|', '=':
			d = d[1:]
		}
		switch d {
		case "f8":
			return func(b []byte) float64 { return math.Float64frombits(order.Uint64(b)) }, 8, nil
		case "f4":
			return func(b []byte) float64 { return float64(math.Float32frombits(order.Uint32(b))) }, 4, nil
		case "f2":
			return func(b []byte) float64 { return float16(order.Uint16(b)) }, 2, nil

		// Whole numbers.
		case "i1":
			return func(b []byte) float64 { return float64(int8(b[0])) }, 1, nil
		case "u1", "b1":
			return func(b []byte) float64 { return float64(b[0]) }, 1, nil
		case "i2":
			return func(b []byte) float64 { return float64(int16(order.Uint16(b))) }, 2, nil
		case "u2":
			return func(b []byte) float64 { return float64(order.Uint16(b)) }, 2, nil
		case "i4":
			return func(b []byte) float64 { return float64(int32(order.Uint32(b))) }, 4, nil
		case "u4":
			return func(b []byte) float64 { return float64(order.Uint32(b)) }, 4, nil
		case "i8":
			return func(b []byte) float64 { return float64(int64(order.Uint64(b))) }, 8, nil
		case "u8":
			return func(b []byte) float64 { return float64(order.Uint64(b)) }, 8, nil
		}
	}
	return nil, 0, problem.New("unsupported type %s; save as float32 or float64", descr)
}
