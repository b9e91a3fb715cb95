package modelfile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// NPZ builds a NumPy .npz file in memory: a zip archive of little-endian .npy arrays and other members. Equal calls
// give equal bytes.
type NPZ struct {
	buf bytes.Buffer
	zip *zip.Writer
	err error
}

// NewNPZ returns an empty archive.
func NewNPZ() *NPZ {
	n := &NPZ{}
	n.zip = zip.NewWriter(&n.buf)
	return n
}

// Raw adds a member with the given content.
func (n *NPZ) Raw(name string, data []byte) { n.member(name, data, zip.Deflate) }

// member adds a member with the given compression method.
func (n *NPZ) member(name string, data []byte, method uint16) {
	if n.err != nil {
		return
	}
	// The earliest time that a zip archive can store, 1 January 1980, in its own format and in seconds since 1970.
	//lint:ignore SA1019 Modified needs package time, which is not for code that reaches digits
	w, err := n.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, ModifiedDate: 1<<5 | 1,
		Extra: []byte{'U', 'T', 5, 0, 1, 0x00, 0xa6, 0xce, 0x12}})
	if err == nil {
		_, err = w.Write(data)
	}
	n.err = err
}

// Array adds a .npy array (version 1.0, C order); data is []float32, []float64, []int32 or []int64.
func (n *NPZ) Array(name string, data any, shape ...int) {
	kind := "<f4"
	switch data.(type) {
	case []int32:
		kind = "<i4"
	case []int64:
		kind = "<i8"
	case []float64:
		kind = "<f8"
	}

	// The header has type and shape.
	dims := make([]string, len(shape))
	for i, d := range shape {
		dims[i] = fmt.Sprint(d)
	}
	tuple := strings.Join(dims, ", ")
	if len(shape) == 1 {
		tuple += ","
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, tuple)
	const prefix = 10 // magic, version and length; the whole header is a multiple of 64
	head += strings.Repeat(" ", 63-(prefix+len(head))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	b = append(b, head...)

	// The numbers follow the header.
	switch data := data.(type) {
	case []float32:
		for _, v := range data {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
	case []float64:
		for _, v := range data {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	case []int32:
		for _, v := range data {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
	case []int64:
		for _, v := range data {
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		}
	default:
		panic(fmt.Sprintf("an NPZ array of %T", data))
	}
	n.Raw(name+".npy", b)
}

// Bytes finishes the archive and returns it.
func (n *NPZ) Bytes() ([]byte, error) {
	if n.err == nil {
		n.err = n.zip.Close()
	}
	return n.buf.Bytes(), n.err
}
