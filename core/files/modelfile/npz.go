package modelfile

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"strconv"
	"strings"

	"logzlab/core/meter"
	"logzlab/core/problem"
)

// OpenNPZ lists the members of an .npz file. Their declared sizes are checked against MaxInflated before anything is
// decompressed, and reading is limited to these sizes.
func OpenNPZ(b []byte, m *meter.Meter) (*Arrays, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, problem.New("npz or pt file: damaged or cut short (%v); save it again", err)
	}
	a := &Arrays{Meter: m, members: map[string]*zip.File{}}
	left := uint64(MaxInflated)
	for _, f := range z.File {
		if f.UncompressedSize64 > left {
			return nil, problem.New("npz or pt file: it would inflate to more than the limit of 256 MB (member %s)", f.Name)
		}
		if left -= f.UncompressedSize64; a.members[f.Name] != nil {
			return nil, problem.New("npz or pt file: the member %s is there twice; leave one out", f.Name)
		}
		a.members[f.Name] = f
		if name, ok := strings.CutSuffix(f.Name, ".npy"); ok {
			a.add(name, func() (*Array, error) { return a.readMember(f, name) })
		}
	}
	if a.members["[Content_Types].xml"] != nil || a.members["content.xml"] != nil {
		return nil, problem.New("model file: it is an office document; save its table as CSV")
	}
	for _, f := range z.File {
		if base, ok := strings.CutSuffix(f.Name, torchPickle); ok && (base == "" || strings.HasSuffix(base, "/")) {
			return a, a.openTorch(base)
		}
	}
	return a, nil
}

// Operations per byte for decompressing, and per number for converting or copying.
const (
	inflateOps = 6
	numberOps  = 4
)

// open begins to read a member; each byte counts as ops operations.
func (a *Arrays) open(f *zip.File, ops float64) (io.Reader, error) {
	if f.Method != zip.Store && f.Method != zip.Deflate {
		return nil, problem.New("npz or pt file: member %s is packed by method %d of zip; only stored and deflated members "+
			"can be read", f.Name, f.Method)
	}
	if f.UncompressedSize64 > 1032*f.CompressedSize64+64 { // deflate compresses at most by a factor of 1032
		return nil, problem.New("npz or pt file: member %s has another size than the archive says", f.Name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, problem.New("npz or pt file: member %s is damaged or cut short: %v", f.Name, err)
	}
	a.Meter.Expect(ops * float64(f.UncompressedSize64))
	return a.Meter.Reader(r, ops), nil
}

// Bytes returns the content of a small member, nil if there is none of this name.
func (a *Arrays) Bytes(name string) ([]byte, error) {
	f := a.members[name]
	if f == nil {
		return nil, nil
	}
	r, err := a.open(f, inflateOps)
	if err != nil {
		return nil, err
	}
	if err := a.Meter.Take(float64(f.UncompressedSize64), problem.New("npz or pt file: member %s", name),
		problem.New("give a smaller model")); err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(r, int64(f.UncompressedSize64)+1))
	if err != nil {
		return nil, problem.New("npz or pt file: member %s is damaged or cut short: %v", name, err)
	}
	if uint64(len(b)) != f.UncompressedSize64 {
		return nil, problem.New("npz or pt file: member %s has another size than the archive says", name)
	}
	return b, nil
}

// readMember reads an array.
func (a *Arrays) readMember(f *zip.File, name string) (*Array, error) {
	r, err := a.open(f, inflateOps+numberOps)
	if err != nil {
		return nil, err
	}
	x, err := readNPY(bufio.NewReaderSize(r, 1<<16), int(f.UncompressedSize64), name, a.Meter)
	if err != nil {
		return nil, problem.New("npz or pt file: member %s: %v", f.Name, err)
	}
	return x, nil
}

// ReadNPY decodes a file with a single array; name is its name in errors.
func ReadNPY(b []byte, name string, m *meter.Meter) (*Array, error) {
	return readNPY(bufio.NewReader(bytes.NewReader(b)), len(b), name, m)
}

// readNPY decodes an array of size bytes, including its header: version 1 to 3, C or Fortran order, and the types of
// numberType. It reads the numbers in blocks, after reserving their memory.
func readNPY(r *bufio.Reader, size int, name string, m *meter.Meter) (*Array, error) {
	a, t, err := readHeader(r, size)
	if err != nil {
		return nil, err
	}
	if err := a.fill(r, t, name, m); err != nil {
		return nil, err
	}
	if _, err := r.ReadByte(); err == nil {
		return nil, problem.New("it has another size than the archive says")
	} else if err != io.EOF { // checksums are verified at the end
		return nil, problem.New("it is damaged or cut short: %v", err)
	}
	return a, nil
}

// readHeader reads the header of an array of size bytes.
func readHeader(r *bufio.Reader, size int) (*Array, *elements, error) {
	start, _ := r.Peek(12)
	if len(start) < 10 || string(start[:6]) != "\x93NUMPY" {
		return nil, nil, problem.New("not a .npy array")
	}
	n, off := int(binary.LittleEndian.Uint16(start[8:])), 10
	if start[6] > 1 {
		if len(start) < 12 {
			return nil, nil, problem.New("the header is cut short")
		}
		n, off = int(binary.LittleEndian.Uint32(start[8:])), 12
	}
	if n < 0 || n > size-off || n > 1<<16 {
		return nil, nil, problem.New("the header is cut short")
	}
	head := make([]byte, off+n)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, nil, problem.New("the header is cut short")
	}
	return parseHeader(string(head[off:]), size-off-n)
}

// parseHeader parses the header of an array whose numbers have size bytes.
func parseHeader(head string, size int) (*Array, *elements, error) {
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

	// The shape.
	a, t := &Array{}, &elements{name: strings.Trim(descr, "'\" ")}
	for _, d := range strings.Split(strings.Trim(dims, "() "), ",") {
		if d = strings.TrimSpace(d); d == "" {
			continue
		}
		k, err := strconv.Atoi(d)
		if err != nil {
			k = -1
		}
		a.Shape = append(a.Shape, k)
	}
	var ok bool
	if t.count, ok = elementCount(a.Shape); !ok {
		return nil, nil, problem.New("impossible shape %s", dims)
	}

	// The type; the numbers must fill the data.
	if t.get, t.size, err = numberType(t.name); err != nil {
		return nil, nil, err
	}
	if size != t.count*t.size {
		return nil, nil, problem.New("%d bytes of data, shape %s of %s needs %d", size, dims, descr, t.count*t.size)
	}
	t.transposed = strings.HasPrefix(fortran, "True")
	return a, t, nil
}

// npyField returns the value of a key in the header, which is a Python dictionary.
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
