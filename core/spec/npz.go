package spec

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// array is a decoded .npy: C order, float64.
type array struct {
	shape []int
	data  []float64
}

// readNPZ reads an RBM from a NumPy archive: W (M x J), visible biases a, c or
// c_visible, hidden biases b or b_hidden, optionally p1. Sizes are checked
// against MaxInflated before anything is inflated.
func readNPZ(b []byte) (*RBMFile, error) {
	members, err := readZip(b)
	if err != nil {
		return nil, fmt.Errorf("npz file: damaged or cut short (%v); save it again", err)
	}
	arrays := map[string]*array{}
	var provenance []byte
	var total uint64
	for _, f := range members {
		// Declared sizes first, then the true stream is limited to them.
		if total += f.size; total > MaxInflated {
			return nil, fmt.Errorf("npz file: it would inflate to more than the limit of 256 MB (member %s)", f.name)
		}
		name, isArray := strings.CutSuffix(f.name, ".npy")
		if !isArray && f.name != "provenance.json" || isArray && !wanted[name] {
			continue
		}
		if arrays[name] != nil {
			return nil, fmt.Errorf("npz file: the member %s is there twice; leave one out", f.name)
		}
		if f.method != stored && f.method != deflated {
			return nil, fmt.Errorf("npz file: member %s is packed by method %d of zip; only stored and deflated members can be read", f.name, f.method)
		}
		data, err := f.unpack()
		if err != nil {
			return nil, fmt.Errorf("npz file: member %s is damaged or cut short: %v", f.name, err)
		}
		if uint64(len(data)) != f.size {
			return nil, fmt.Errorf("npz file: member %s has another size than the archive says", f.name)
		}
		if !isArray {
			provenance = data
			continue
		}
		if arrays[name], err = readNPY(data); err != nil {
			return nil, fmt.Errorf("npz file: member %s: %v", f.name, err)
		}
	}
	r := &RBMFile{Provenance: provenance}
	w := arrays["W"]
	if w == nil {
		return nil, fmt.Errorf("npz file: there is no array W (visible x hidden weights)")
	}
	if len(w.shape) != 2 {
		return nil, fmt.Errorf("npz file: W has %d dimensions; it must be a matrix, visible x hidden", len(w.shape))
	}
	r.M, r.J, r.W = w.shape[0], w.shape[1], w.data
	for _, v := range []struct {
		names []string
		to    *[]float64
		what  string
	}{{[]string{"c_visible", "a", "c"}, &r.C, "visible biases"}, {[]string{"b_hidden", "b"}, &r.B, "hidden biases"}, {[]string{"p1"}, &r.P1, ""}} {
		found := ""
		for _, n := range v.names {
			if a := arrays[n]; a != nil {
				if found != "" {
					return nil, fmt.Errorf("npz file: the %s are given twice (%s and %s); leave one out", v.what, found, n)
				}
				*v.to, found = a.data, n
			}
		}
		if *v.to == nil && v.what != "" {
			return nil, fmt.Errorf("npz file: there is no array for the %s (%s)", v.what, strings.Join(v.names, ", "))
		}
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	r.Order = permutation(arrays["order"], r.M)
	return r, nil
}

// permutation is an array of 0..n-1 in some order, nil if it is anything else.
func permutation(a *array, n int) []int32 {
	if a == nil || len(a.data) != n {
		return nil
	}
	out, seen := make([]int32, n), make([]bool, n)
	for i, x := range a.data {
		if !(x >= 0 && x < float64(n)) || x != math.Floor(x) || seen[int(x)] {
			return nil
		}
		out[i], seen[int(x)] = int32(x), true
	}
	return out
}

var wanted = map[string]bool{"order": true, "W": true, "a": true, "c": true, "c_visible": true, "b": true, "b_hidden": true, "p1": true}

// readNPY decodes one array: version 1 to 3, C or Fortran order, <f4 <f8 >f4 >f8
// and integers of 1 to 8 bytes.
func readNPY(b []byte) (*array, error) {
	if len(b) < 10 || string(b[:6]) != "\x93NUMPY" {
		return nil, fmt.Errorf("not a .npy array")
	}
	n, off := int(binary.LittleEndian.Uint16(b[8:])), 10
	if b[6] > 1 {
		if len(b) < 12 {
			return nil, fmt.Errorf("the header is cut short")
		}
		n, off = int(binary.LittleEndian.Uint32(b[8:])), 12
	}
	if n < 0 || n > len(b)-off || n > 1<<16 {
		return nil, fmt.Errorf("the header is cut short")
	}
	head := string(b[off : off+n])
	data := b[off+n:]
	descr, err := npyField(head, "'descr':")
	if err != nil {
		return nil, err
	}
	fortran, err := npyField(head, "'fortran_order':")
	if err != nil {
		return nil, err
	}
	dims, err := npyField(head, "'shape':")
	if err != nil {
		return nil, err
	}
	a := &array{}
	count := 1
	for _, d := range strings.Split(strings.Trim(dims, "() "), ",") {
		if d = strings.TrimSpace(d); d == "" {
			continue
		}
		k, err := strconv.Atoi(d)
		if err != nil || k < 0 || k > MaxInflated || count > MaxInflated/max(k, 1) {
			return nil, fmt.Errorf("impossible shape %s", dims)
		}
		a.shape = append(a.shape, k)
		count *= k
	}
	get, size, err := npyType(strings.Trim(descr, "'\" "))
	if err != nil {
		return nil, err
	}
	if len(data) != count*size {
		return nil, fmt.Errorf("%d bytes of data, shape %s of %s needs %d", len(data), dims, descr, count*size)
	}
	a.data = make([]float64, count)
	if descr = strings.Trim(descr, "'\" "); descr == "<f4" { // most models: without a call a number
		for i := 0; i < count; i += 1024 {
			readFloats32(a.data[i:min(i+1024, count)], data[4*i:])
		}
	} else {
		for i := range a.data {
			a.data[i] = get(data[i*size:])
		}
	}
	if strings.HasPrefix(fortran, "True") && len(a.shape) == 2 {
		t := make([]float64, count)
		for i := 0; i < a.shape[0]; i++ {
			for j := 0; j < a.shape[1]; j++ {
				t[i*a.shape[1]+j] = a.data[j*a.shape[0]+i]
			}
		}
		a.data = t
	}
	return a, nil
}

// readFloats32 reads some numbers: a browser compiles what runs long well only from call to call.
//
//go:noinline
func readFloats32(out []float64, b []byte) {
	for i := range out {
		out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
}

// npyField cuts the value after a key of the header's Python dictionary.
func npyField(head, key string) (string, error) {
	_, v, ok := strings.Cut(head, key)
	if !ok {
		return "", fmt.Errorf("the header has no %s", key)
	}
	v = strings.TrimSpace(v)
	end := strings.IndexAny(v, ",}")
	if strings.HasPrefix(v, "(") {
		if end = strings.Index(v, ")"); end >= 0 {
			end++
		}
	}
	if end < 0 {
		return "", fmt.Errorf("the header is damaged at %s", key)
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
	return nil, 0, fmt.Errorf("unsupported type %s; save as float32 or float64", descr)
}
