package rbm

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/models"
)

func init() { // so that archives can name an unknown method
	zip.RegisterCompressor(12, func(w io.Writer) (io.WriteCloser, error) { return nopCloser{w}, nil })
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// readArray reads one array of an archive.
func readArray(b []byte, name string) (*modelfile.Array, error) {
	return modelfile.Read(b, []modelfile.Reader[*modelfile.Array]{{Arrays: func(a *modelfile.Arrays) (*modelfile.Array,
		error) {
		return a.Array("arrays", []string{name})
	}}}, nil)
}

type member struct {
	name string
	data []byte
}

var pack = func(h *zip.FileHeader) { h.Method = zip.Deflate }

// npz writes an archive; edit changes each header, nil means stored.
func npz(edit func(*zip.FileHeader), members ...member) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Store}
		if edit != nil {
			edit(h)
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			panic(err)
		}
		if _, err := w.Write(m.data); err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// npy writes an array as NumPy does: x is in C order, whatever the file's.
func npy(descr string, fortran bool, x []float64, shape ...int) []byte {
	if fortran && len(shape) == 2 {
		t := make([]float64, len(x))
		for i := range shape[0] {
			for j := range shape[1] {
				t[j*shape[0]+i] = x[i*shape[1]+j]
			}
		}
		x = t
	}
	dims := ""
	for _, d := range shape {
		dims += fmt.Sprintf("%d, ", d)
	}
	if len(shape) > 1 {
		dims = strings.TrimSuffix(dims, ", ")
	}
	var order binary.AppendByteOrder = binary.LittleEndian
	title := "False"
	if descr[0] == '>' {
		order = binary.BigEndian
	}
	if fortran {
		title = "True"
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", descr, title, strings.TrimSpace(dims))
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	b := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head)))
	b = append(b, head...)
	for _, v := range x {
		switch descr[1:] {
		case "f8":
			b = order.AppendUint64(b, math.Float64bits(v))
		case "f4":
			b = order.AppendUint32(b, math.Float32bits(float32(v)))
		case "f2": // of whole numbers up to 8 in size, all that the tests have
			b = order.AppendUint16(b, f16(v))
		case "i8", "u8":
			b = order.AppendUint64(b, uint64(int64(v)))
		case "i4", "u4":
			b = order.AppendUint32(b, uint32(int64(v)))
		case "i2", "u2":
			b = order.AppendUint16(b, uint16(int64(v)))
		case "i1", "u1", "b1":
			b = append(b, byte(int8(v)))
		default:
			panic(descr)
		}
	}
	return b
}

// f16 returns the bits of a number that float16 represents exactly.
func f16(v float64) uint16 {
	sign := uint16(math.Float64bits(v) >> 48 & 0x8000)
	if v == 0 {
		return sign
	}
	fraction, exponent := math.Frexp(math.Abs(v))
	return sign | uint16(exponent+14)<<10 | uint16((2*fraction-1)*1024)
}

// unread returns a file without the record of how it was read.
func unread(f models.File) models.File {
	p := f.(Params)
	p.read = nil
	return p
}

var (
	w32 = []float64{1, -2, 3, 4, -5, 6} // 3 x 2
	c3  = []float64{7, -8, 9}
	b2  = []float64{-1, 2}
)

func npyMembers() []member {
	return []member{{"W.npy", npy("<f8", false, w32, 3, 2)}, {"a.npy", npy("<f8", false, c3, 3)},
		{"b.npy", npy("<f8", false, b2, 2)}}
}

func TestNPZTypes(t *testing.T) {
	want := Params{M: 3, J: 2, W: w32, C: c3, B: b2}
	for _, descr := range []string{"<f4", "<f8", ">f4", ">f8", "<i8", ">i8", "<i4", ">i4", "<i2", ">i2", "|i1", "=f8",
		"<f2", ">f2"} {
		for _, fortran := range []bool{false, true} {
			for _, edit := range []func(*zip.FileHeader){nil, pack} {
				m, err := kinds.ReadFile(npz(edit, member{"W.npy", npy(descr, fortran, w32, 3, 2)},
					member{"a.npy", npy(descr, fortran, c3, 3)}, member{"b.npy", npy(descr, false, b2, 2)}), nil)
				if err != nil {
					t.Errorf("%s, fortran %v: %v", descr, fortran, err)
				} else if !reflect.DeepEqual(unread(m), want) {
					t.Errorf("%s, fortran %v: %+v, want %+v", descr, fortran, m, want)
				}
			}
		}
	}
	// Unsigned and boolean arrays.
	for descr, x := range map[string]float64{"<u2": 65535, "|u1": 255, "<u4": 4294967295, "|b1": 1, "<i4": math.MinInt32} {
		a, err := readArray(npz(nil, member{"x.npy", npy(descr, false, []float64{x}, 1)}), "x")
		if err != nil || a.Data[0] != x {
			t.Errorf("%s %v: %v, %v", descr, x, a, err)
		}
	}
}

// TestNPZNames checks that visible biases may be called a, c or c_visible and hidden biases b or b_hidden, and that the
// summary names arrays that are not read.
func TestNPZNames(t *testing.T) {
	for _, c := range []string{"a", "c", "c_visible"} {
		for _, b := range []string{"b", "b_hidden"} {
			m, err := kinds.ReadFile(npz(nil, member{"extra.npy", []byte("junk")}, member{b + ".npy",
				npy("<f8", false, b2, 2)},
				member{"p1.npy", npy("<f8", false, []float64{.1, .2, 1}, 3)}, member{c + ".npy", npy("<f8", false, c3, 3)},
				member{"W.npy", npy("<f8", false, w32, 3, 2)}, member{"provenance.json", []byte("{}")}), nil)
			if err != nil {
				t.Errorf("%s, %s: %v", c, b, err)
				continue
			}
			got := unread(m).(Params)
			if got.unread == nil || got.unread.Error() != "fields that are not read: extra" {
				t.Errorf("%s, %s: unread = %v", c, b, got.unread)
			}
			got.unread = nil
			if want := (Params{M: 3, J: 2, W: w32, C: c3, B: b2, P1: []float64{.1, .2, 1},
				Provenance: []byte("{}")}); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: %+v", c, b, m)
			}
		}
	}
}

func TestBadNPZ(t *testing.T) {
	with := func(name string, data []byte) []byte { // replaces or adds a member
		ms := npyMembers()
		for i := range ms {
			if ms[i].name == name {
				ms[i].data = data
				return npz(nil, ms...)
			}
		}
		return npz(nil, append(ms, member{name, data})...)
	}
	good := npy("<f8", false, w32, 3, 2)
	header := func(old, new string) []byte { // same length, so only the text is wrong
		return bytes.Replace(good, []byte(old), []byte(new), 1)
	}
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"no W": {npz(nil, npyMembers()[1:]...), "no array for the weights"},
		"no a": {npz(nil, npyMembers()[0], npyMembers()[2]), "visible biases: it must be called c_visible, intercept_"},
		"no b": {npz(nil, npyMembers()[:2]...), "bias, hidden_biases, b; the file has W, a"},
		"a and c": {npz(nil, append(npyMembers(), member{"c.npy", npy("<f8", false, []float64{1, 2, 3}, 3)})...),
			"the visible biases are given twice (a and c)"},
		"vbias and c_visible": {npz(nil, npyMembers()[0], member{"vbias.npy", npyMembers()[1].data},
			member{"c_visible.npy", npyMembers()[1].data}, npyMembers()[2]),
			"the visible biases are given twice (vbias and c_visible)"},
		"W twice": {npz(nil, append(npyMembers(), npyMembers()[0])...), "W.npy is there twice"},
		"nothing": {npz(nil), "no array for the weights"},
		"weight and vishid": {npz(nil, append(npyMembers()[1:], member{"weight.npy", nil}, member{"rbm.vishid.npy", nil})...),
			"several matrices of weights (weight, rbm.vishid)"},
		"matrix of biases": {with("a.npy", npy("<f8", false, w32, 3, 2)), "a is no list: it has the shape [3 2]"},
		"1-D W":            {with("W.npy", npy("<f8", false, w32, 6)), "W has 1 dimensions"},
		"3-D W":            {with("W.npy", npy("<f8", false, w32, 3, 1, 2)), "W has 3 dimensions"},
		"zero hidden":      {with("W.npy", npy("<f8", false, nil, 3, 0)), "at least one visible and one hidden unit"},
		"zero visible":     {with("W.npy", npy("<f8", false, nil, 0, 2)), "at least one visible and one hidden unit"},
		"zero of both": {npz(nil, member{"W.npy", npy("<f8", false, nil, 0, 0)}, member{"a.npy", npy("<f8", false, nil, 0)},
			member{"b.npy", npy("<f8", false, nil, 0)}), "at least one visible and one hidden unit"},
		"short b":    {with("b.npy", npy("<f8", false, b2[:1], 1)), "b_hidden has 1 values"},
		"short p1":   {with("p1.npy", npy("<f8", false, []float64{.5}, 1)), "p1 has 1 values"},
		"p1 above 1": {with("p1.npy", npy("<f8", false, []float64{.5, .5, 2}, 3)), "p1[2] = 2"},
		"P1":         {with("P1.npy", npy("<f8", false, []float64{.5, .5, .5}, 3)), "the array P1 must be written p1"},
		"workbook":   {with("[Content_Types].xml", nil), "it is an office document; save its table as CSV"},
		"NaN in W": {with("W.npy", npy("<f8", false, []float64{1, 2, 3, math.NaN(), 5, 6}, 3, 2)),
			"W[1][1] is not finite"},
		"Inf in a": {with("a.npy", npy("<f4", false, []float64{1, 2, math.Inf(-1)}, 3)),
			"c_visible[2] is not finite"},
		"not npy":          {with("W.npy", []byte("hello, this is text")), "member W.npy: not a .npy array"},
		"empty":            {with("W.npy", nil), "not a .npy array"},
		"header cut":       {with("W.npy", good[:40]), "header is cut short"},
		"data cut":         {with("W.npy", good[:len(good)-1]), "47 bytes of data"},
		"data too long":    {with("W.npy", append(bytes.Clone(good), 0)), "49 bytes of data"},
		"strings":          {with("W.npy", header("<f8", "<U2")), "unsupported type"},
		"complex":          {with("W.npy", header("<f8", "<c8")), "unsupported type"},
		"half":             {with("W.npy", header("<f8", "<f2")), "needs 12"},
		"negative shape":   {with("W.npy", header("(3, 2)", "(3,-2)")), "impossible shape"},
		"shape of words":   {with("W.npy", header("(3, 2)", "(a, b)")), "impossible shape"},
		"no descr":         {with("W.npy", header("'descr'", "'dexcr'")), "no 'descr'"},
		"open parenthesis": {with("W.npy", header("(3, 2)", "(3, 2 ")), "damaged at 'shape'"},
		"huge shape":       {with("W.npy", npy("<f8", false, w32, 1<<20, 1<<20)), "impossible shape"},
		"wrapping shape":   {with("W.npy", npy("<f8", false, w32, 1<<32, 1<<32)), "impossible shape"},
		"unknown method":   {npz(func(h *zip.FileHeader) { h.Method = 12 }, npyMembers()...), "W.npy is packed by method 12"},
		"damaged zip":      {append([]byte("PK"), make([]byte, 100)...), "damaged or cut short"},
	} {
		m, err := kinds.ReadFile(c.file, nil)
		if err == nil {
			t.Errorf("%s: accepted as %+v", name, m)
		} else if m != nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q, want one line that contains %q", name, err, c.says)
		}
	}
}

// TestNPZTruncated checks that a file that is truncated anywhere, or has a changed byte in a stream, is an error.
func TestNPZTruncated(t *testing.T) {
	for _, edit := range []func(*zip.FileHeader){nil, pack} {
		b := npz(edit, npyMembers()...)
		for n := range b {
			if m, err := kinds.ReadFile(b[:n], nil); err == nil || m != nil {
				t.Fatalf("%d of %d bytes are accepted", n, len(b))
			}
		}
	}
	b := npz(nil, npyMembers()...)
	at := bytes.Index(b, []byte("NUMPY")) + 130 // in the data of W
	b[at] ^= 1
	if _, err := kinds.ReadFile(b, nil); err == nil || !strings.Contains(err.Error(), "W.npy") {
		t.Errorf("a flipped bit is not detected: %v", err)
	}
}

// bomb returns an archive whose W declares and has the given sizes, of zeros.
func bomb(t *testing.T, declared uint64, held int) []byte {
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	w, err := z.Create("W.npy")
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<16)
	crc := crc32.NewIEEE()
	for n := held; n > 0; n -= len(zeros) {
		w.Write(zeros[:min(n, len(zeros))])
		crc.Write(zeros[:min(n, len(zeros))])
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	off, err := r.File[0].DataOffset()
	if err != nil {
		t.Fatal(err)
	}
	size := r.File[0].CompressedSize64
	var out bytes.Buffer
	z = zip.NewWriter(&out)
	raw, err := z.CreateRaw(&zip.FileHeader{Name: "W.npy", Method: zip.Deflate, CRC32: crc.Sum32(),
		CompressedSize64: size, UncompressedSize64: declared})
	if err != nil {
		t.Fatal(err)
	}
	raw.Write(packed.Bytes()[off : off+int64(size)])
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestZipBombs checks that zip bombs are refused without inflating them: members that declare 10 GB, members that
// declare a small size and contain 16 MB, and many members with a large total size.
func TestZipBombs(t *testing.T) {
	var many []member
	for i := range 5 {
		many = append(many, member{fmt.Sprintf("x%d.npy", i), nil})
	}
	sum := npz(nil, many...)
	for i := 0; ; { // declare 60 MB in each entry of the directory
		k := bytes.Index(sum[i:], []byte("PK\x01\x02"))
		if k < 0 {
			break
		}
		binary.LittleEndian.PutUint32(sum[i+k+24:], 60<<20)
		i += k + 4
	}
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"honest 10 GB":  {bomb(t, 10<<30, 1<<20), "more than the limit of 256 MB"},
		"2^63":          {bomb(t, 1<<63, 1000), "more than the limit of 256 MB"},
		"lying small":   {bomb(t, 1000, 16<<20), "W.npy"},
		"lying large":   {bomb(t, 200<<20, 1000), "W.npy"},
		"many together": {sum, "more than the limit of 256 MB"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := kinds.ReadFile(c.file, nil)
		runtime.ReadMemStats(&after)
		if err == nil || m != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that contains %q", name, err, c.says)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
			t.Errorf("%s: %d MB allocated", name, grown>>20)
		}
	}
	if testing.Short() {
		return // 256 MB are too much for a browser
	}
	_, err := kinds.ReadFile(make([]byte, modelfile.MaxInflated+1), nil)
	if err == nil || !strings.Contains(err.Error(), "256 MB") {
		t.Errorf("a file of 256 MB: %v", err)
	}
}
