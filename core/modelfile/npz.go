package modelfile

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"strconv"
	"strings"

	"logzlab/core/meter"
	"logzlab/core/problem"
)

// Array is a NumPy array in C order, as float64.
type Array struct {
	Shape []int
	Data  []float64
}

// Arrays is a NumPy archive (.npz): a zip archive of .npy arrays, and perhaps others.
type Arrays struct {
	// Meter, which may be nil, watches memory and time.
	Meter *meter.Meter

	members map[string]*zip.File
}

// openArrays lists the members. Their declared sizes are checked against MaxInflated
// before anything is inflated, and reading them is limited to those sizes.
func openArrays(b []byte, m *meter.Meter) (*Arrays, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, problem.New("npz file: damaged or cut short (%v); save it again", err)
	}
	a := &Arrays{Meter: m, members: map[string]*zip.File{}}
	left := uint64(MaxInflated)
	for _, f := range z.File {
		if f.UncompressedSize64 > left {
			return nil, problem.New("npz file: it would inflate to more than the limit of 256 MB (member %s)", f.Name)
		}
		if left -= f.UncompressedSize64; a.members[f.Name] != nil {
			return nil, problem.New("npz file: the member %s is there twice; leave one out", f.Name)
		}
		a.members[f.Name] = f
	}
	if a.members["[Content_Types].xml"] != nil || a.members["content.xml"] != nil {
		return nil, problem.New("model file: it is an office document; save its table as CSV")
	}
	return a, nil
}

// Operations of inflating a byte, and of converting or moving a number.
const (
	inflateOps = 6
	numberOps  = 4
)

// open starts to read a member, whose bytes count as so many operations each.
func (a *Arrays) open(f *zip.File, ops float64) (io.Reader, error) {
	if f.Method != zip.Store && f.Method != zip.Deflate {
		return nil, problem.New("npz file: member %s is packed by method %d of zip; only stored and deflated members can be "+
			"read", f.Name, f.Method)
	}
	if f.UncompressedSize64 > 1032*f.CompressedSize64+64 { // deflate packs at most 1032 bytes into one
		return nil, problem.New("npz file: member %s has another size than the archive says", f.Name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, problem.New("npz file: member %s is damaged or cut short: %v", f.Name, err)
	}
	a.Meter.Expect(ops * float64(f.UncompressedSize64))
	return metered{r, a.Meter, ops}, nil
}

// Bytes is a small member as it is, nil where there is none of this name.
func (a *Arrays) Bytes(name string) ([]byte, error) {
	f := a.members[name]
	if f == nil {
		return nil, nil
	}
	r, err := a.open(f, inflateOps)
	if err != nil {
		return nil, err
	}
	if err := a.Meter.Take(float64(f.UncompressedSize64), problem.New("npz file: member %s", name),
		problem.New("give a smaller model")); err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(r, int64(f.UncompressedSize64)+1))
	if err != nil {
		return nil, problem.New("npz file: member %s is damaged or cut short: %v", name, err)
	}
	if uint64(len(b)) != f.UncompressedSize64 {
		return nil, problem.New("npz file: member %s has another size than the archive says", name)
	}
	return b, nil
}

// Array is the array of the first of the names that the archive has, nil where it has
// none of them. what is how errors call an array that is there under two names.
func (a *Arrays) Array(what string, names ...string) (*Array, error) {
	found := ""
	for _, name := range names {
		if a.members[name+".npy"] == nil {
			continue
		}
		if found != "" {
			return nil, problem.New("npz file: the %s are given twice (%s and %s); leave one out", what, found, name)
		}
		found = name
	}
	if found == "" {
		for other := range a.members {
			for _, name := range names {
				if strings.EqualFold(other, name+".npy") {
					return nil, problem.New("npz file: the member %s must be written %s", other, name+".npy")
				}
			}
		}
		return nil, nil
	}
	f := a.members[found+".npy"]
	r, err := a.open(f, inflateOps+numberOps)
	if err != nil {
		return nil, err
	}
	x, err := readNPY(bufio.NewReaderSize(r, 1<<16), int(f.UncompressedSize64), found, a.Meter)
	if err != nil {
		return nil, problem.New("npz file: member %s: %v", f.Name, err)
	}
	return x, nil
}

// readNPY decodes one array of size bytes with its header: version 1 to 3, C or Fortran order, <f4 <f8 >f4 >f8
// and integers of 1 to 8 bytes. It reads some numbers at a time, when what they take has been counted.
func readNPY(r *bufio.Reader, size int, name string, m *meter.Meter) (*Array, error) {
	start, _ := r.Peek(12)
	if len(start) < 10 || string(start[:6]) != "\x93NUMPY" {
		return nil, problem.New("not a .npy array")
	}
	n, off := int(binary.LittleEndian.Uint16(start[8:])), 10
	if start[6] > 1 {
		if len(start) < 12 {
			return nil, problem.New("the header is cut short")
		}
		n, off = int(binary.LittleEndian.Uint32(start[8:])), 12
	}
	if n < 0 || n > size-off || n > 1<<16 {
		return nil, problem.New("the header is cut short")
	}
	head := make([]byte, off+n)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, problem.New("the header is cut short")
	}
	a, t, err := layout(string(head[off:]), size-off-n)
	if err != nil {
		return nil, err
	}
	if err := take(m, name, t.count, 0); err != nil {
		return nil, err
	}
	a.Data = make([]float64, t.count)
	room, numbers := make([]byte, 1024*t.size), make([]float64, 1024)
	for i := 0; i < t.count; i += 1024 {
		some := numbers[:min(1024, t.count-i)]
		b := room[:len(some)*t.size]
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, problem.New("it is damaged or cut short: %v", err)
		}
		if t.name == "<f4" { // most models: without a call a number
			readFloats32(some, b)
		} else {
			readNumbers(some, b, t.get, t.size)
		}
		if t.transposed {
			for k, x := range some { // column by column
				a.Data[(i+k)%a.Shape[0]*a.Shape[1]+(i+k)/a.Shape[0]] = x
			}
		} else {
			copy(a.Data[i:], some)
		}
	}
	if _, err := r.ReadByte(); err == nil {
		return nil, problem.New("it has another size than the archive says")
	} else if err != io.EOF { // at the end, checksums are compared
		return nil, problem.New("it is damaged or cut short: %v", err)
	}
	return a, nil
}

// layout is what the header of an array of so many bytes says.
func layout(head string, size int) (*Array, *elements, error) {
	descr, err := npyField(head, "'descr':")
	if err != nil {
		return nil, nil, err
	}
	fortran, err := npyField(head, "'fortran_order':")
	if err != nil {
		return nil, nil, err
	}
	dims, err := npyField(head, "'shape':")
	if err != nil {
		return nil, nil, err
	}
	a, t := &Array{}, &elements{name: strings.Trim(descr, "'\" "), count: 1}
	for _, d := range strings.Split(strings.Trim(dims, "() "), ",") {
		if d = strings.TrimSpace(d); d == "" {
			continue
		}
		k, err := strconv.Atoi(d)
		if err != nil || k < 0 || k > MaxInflated || t.count > MaxInflated/max(k, 1) {
			return nil, nil, problem.New("impossible shape %s", dims)
		}
		a.Shape = append(a.Shape, k)
		t.count *= k
	}
	if t.get, t.size, err = npyType(t.name); err != nil {
		return nil, nil, err
	}
	if size != t.count*t.size {
		return nil, nil, problem.New("%d bytes of data, shape %s of %s needs %d", size, dims, descr, t.count*t.size)
	}
	t.transposed = strings.HasPrefix(fortran, "True") && len(a.Shape) == 2
	return a, t, nil
}

// elements are the numbers of an array as its file has them.
type elements struct {
	name       string
	count      int
	size       int // bytes of each
	get        func([]byte) float64
	transposed bool // in Fortran order
}

// readFloats32 reads some numbers. It is a function of its own because browsers switch to
// optimised code only between calls.
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

// npyField cuts the value after a key of the header's Python dictionary.
func npyField(head, key string) (string, error) {
	_, v, ok := strings.Cut(head, key)
	if !ok {
		return "", problem.New("the header has no %s", key)
	}
	v = strings.TrimSpace(v)
	end := strings.IndexAny(v, ",}")
	if strings.HasPrefix(v, "(") {
		if end = strings.Index(v, ")"); end >= 0 {
			end++
		}
	}
	if end < 0 {
		return "", problem.New("the header is damaged at %s", key)
	}
	return v[:end], nil
}

func npyType(descr string) (func([]byte) float64, int, error) {
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
