package modelfile

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"logzlab/core/files/json"
	"logzlab/core/meter"
	"logzlab/core/problem"
)

// A .safetensors file consists of the size of the header in 8 bytes, the header, a JSON object with type, shape and
// offsets of each tensor, and the numbers of all tensors in turn, by rows and little-endian.

// maxHeader is the largest size of a header, in bytes.
const maxHeader = 16 << 20

// tensorTypes are pairs of a tensor type and its notation in numberType.
var tensorTypes = []string{"F64", "<f8", "F32", "<f4", "F16", "<f2", "BF16", "bf16", "I64", "<i8", "I32", "<i4",
	"I16", "<i2", "I8", "<i1", "U64", "<u8", "U32", "<u4", "U16", "<u2", "U8", "<u1", "BOOL", "<b1"}

var errTensorsCut = problem.New("safetensors file: it is cut short; save it again")

// tensor describes a tensor of a file; begin and end are byte offsets from the end of the header.
type tensor struct {
	name       string
	kind       string
	shape      []int
	begin, end int
}

// openSafetensors lists the tensors. As the format requires, they must be contiguous and fill the file.
func openSafetensors(b []byte, m *meter.Meter) (*Arrays, error) {
	size := binary.LittleEndian.Uint64(b)
	if size > maxHeader {
		return nil, problem.New("safetensors file: a header of %d bytes; at most %d are read", size, maxHeader)
	}
	if size > uint64(len(b)-8) {
		return nil, errTensorsCut
	}

	// The header is a JSON object.
	header, err := json.ReadObject(b[8:8+size], m)
	if err != nil {
		return nil, problem.New("safetensors file: its header: %w", err)
	}
	b = b[8+size:]

	// Collect notes, and tensors by their first byte.
	a, at := &Arrays{Meter: m, Notes: map[string]string{}}, 0
	from := map[int]tensor{} // by begin, without empty tensors
	for name, v := range header {
		if name == "__metadata__" {
			texts, _ := v.Object()
			for note, text := range texts {
				a.Notes[note], _ = text.Text()
			}
			continue
		}
		t, err := readTensor(name, v)
		if err != nil {
			return nil, problem.New("safetensors file: tensor %s: %w", name, err)
		}
		if t.begin == t.end {
			continue
		}
		if from[t.begin].end > 0 {
			return nil, problem.New("safetensors file: two tensors begin at byte %d", t.begin)
		}
		from[t.begin] = t
	}

	// Follow the tensors through the file.
	for range len(from) {
		t := from[at]
		if t.end == 0 {
			return nil, problem.New("safetensors file: no tensor begins at byte %d, where the last one ends", at)
		}
		if at = t.end; at > len(b) {
			return nil, errTensorsCut
		}
		a.add(t.name, func() (*Array, error) { return t.read(b, m) })
	}
	if at != len(b) {
		return nil, problem.New("safetensors file: %d bytes after its last tensor", len(b)-at)
	}
	return a, nil
}

// readTensor checks the header's entry of a tensor.
func readTensor(name string, v json.Value) (t tensor, err error) {
	o, err := v.Object()
	if err != nil {
		return t, err
	}
	t.name = name
	t.kind, err = o["dtype"].Text()
	shape, bad := o["shape"].Numbers()
	place, worse := o["data_offsets"].Numbers()
	if err != nil || bad != nil || worse != nil || len(place) != 2 {
		return t, problem.New("it must have dtype, shape and two data_offsets")
	}
	for _, x := range shape {
		t.shape = append(t.shape, asSize(x))
	}
	n, ok := elementCount(t.shape)
	if !ok {
		return t, problem.New("impossible shape %s", fmt.Sprint(shape))
	}
	if t.begin, t.end = asSize(place[0]), asSize(place[1]); t.begin < 0 || t.end < t.begin {
		return t, problem.New("impossible data_offsets %v", place)
	}
	if _, size, err := numberType(t.numbers()); err == nil && t.end-t.begin != n*size {
		return t, problem.New("%d bytes of data, shape %s of %s needs %d", t.end-t.begin, fmt.Sprint(shape), t.kind, n*size)
	}
	return t, nil
}

// numbers returns the type in the notation of numberType, "" if it is unknown.
func (t tensor) numbers() string {
	for i := 0; i < len(tensorTypes); i += 2 {
		if tensorTypes[i] == t.kind {
			return tensorTypes[i+1]
		}
	}
	return ""
}

// asSize converts x to an int if it is an integer in [0, MaxInflated], and returns -1 otherwise.
func asSize(x float64) int {
	if x >= 0 && x <= MaxInflated && x == float64(int(x)) {
		return int(x)
	}
	return -1
}

// read reads the numbers of the tensor; b holds the numbers of all tensors.
func (t tensor) read(b []byte, m *meter.Meter) (*Array, error) {
	a, e := &Array{Shape: t.shape}, &elements{name: t.numbers()}
	var err error
	if e.get, e.size, err = numberType(e.name); err != nil {
		return nil, problem.New("safetensors file: tensor %s: %w", t.name,
			problem.New("unsupported type %s; save as float32 or float64", t.kind))
	}
	e.count = (t.end - t.begin) / e.size
	m.Expect(numberOps * float64(t.end-t.begin))
	err = a.fill(m.Reader(bytes.NewReader(b[t.begin:t.end]), numberOps), e, t.name, m)
	return a, err
}
