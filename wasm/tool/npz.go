package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
)

// npz builds a NumPy .npz file in memory: a zip of .npy arrays, little endian,
// and other members. The same calls make the same bytes.
type npz struct {
	buf bytes.Buffer
	zip *zip.Writer
	err error
}

func newNPZ() *npz {
	n := &npz{}
	n.zip = zip.NewWriter(&n.buf)
	return n
}

// raw adds a member as it is.
func (n *npz) raw(name string, data []byte) {
	if n.err != nil {
		return
	}
	w, err := n.zip.CreateHeader(&zip.FileHeader{
		Name: name, Method: zip.Deflate,
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), // the earliest a zip can hold
	})
	if err == nil {
		_, err = w.Write(data)
	}
	n.err = err
}

// array adds a .npy array (version 1.0, C order); data is []float32 or []int32.
func (n *npz) array(name string, data any, shape ...int) {
	kind := "<f4"
	if _, ok := data.([]int32); ok {
		kind = "<i4"
	}
	dims := make([]string, len(shape))
	for i, d := range shape {
		dims[i] = fmt.Sprint(d)
	}
	tuple := strings.Join(dims, ", ")
	if len(shape) == 1 {
		tuple += ","
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, tuple)
	const prefix = 10 // magic, version and length; all of the header is a multiple of 64
	head += strings.Repeat(" ", 63-(prefix+len(head))%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	binary.Write(&b, binary.LittleEndian, uint16(len(head)))
	b.WriteString(head)
	binary.Write(&b, binary.LittleEndian, data)
	n.raw(name+".npy", b.Bytes())
}

// bytes ends the file.
func (n *npz) bytes() ([]byte, error) {
	if n.err == nil {
		n.err = n.zip.Close()
	}
	return n.buf.Bytes(), n.err
}
