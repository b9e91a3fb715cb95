package rbm

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"logzlab/internal/bound"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// field reads a file of testdata/field (see its README).
func field(t testing.TB, name string) []byte {
	b, err := os.ReadFile(filepath.Join(labtest.Root(t), "models/testdata/field", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestFieldFiles checks that files of other programs have the log Z that NumPy computes from the same parameters,
// within the bound of quantisation.
func TestFieldFiles(t *testing.T) {
	want := map[string]float64{}
	if err := json.Unmarshal(field(t, "logz.json"), &want); err != nil || len(want) < 12 {
		t.Fatal(len(want), err)
	}
	for name, logZ := range want {
		f, err := kinds.ReadFile(field(t, name), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m, err := models.FromFile(name, f, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r := m.(*Model)
		if r.M != 6 || r.J != 4 {
			t.Errorf("%s: %d x %d", name, r.M, r.J)
		}
		got := exactLogZ(r)
		if tol := 1e-9 + r.Info().Diagnostics[DiagQuantisation]; math.Abs(got-logZ) > tol || tol > 1e-5 {
			t.Errorf("%s: log Z = %v, want %v within %v", name, got, logZ, tol)
		}
	}
}

// exactLogZ returns log Z by enumeration.
func exactLogZ(m models.Sum) float64 {
	n, _ := m.Blocks(models.MaxExactUnits)
	out := make([]float64, n)
	m.LogBlocks(0, out)
	top, sum := math.Inf(-1), 0.0
	for _, x := range out {
		top = max(top, x)
	}
	for _, x := range out {
		sum += math.Exp(x - top)
	}
	return top + math.Log(sum)
}

// TestSummary checks that the summary reveals a swapped bias: sizes, names, orientation of W, and means.
func TestSummary(t *testing.T) {
	for name, want := range map[string]string{
		"sklearn.npz": "6 visible and 4 hidden units; weights components_, transposed, from -0.4 to 0.31; visible " +
			"biases intercept_visible_, mean -0.0367; hidden biases intercept_hidden_, mean 0.0498; no base rates (p1)",
		"scipy.mat":       "weights vishid from",
		"theano.npz":      "weights W from -2.04 to 2.69; visible biases b, mean",
		"f32.safetensors": "weights rbm.W, transposed, from",
	} {
		f, err := kinds.ReadFile(field(t, name), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.(Params).Summary().Error(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
	f, _ := kinds.ReadFile([]byte(goodRBM), nil)
	if got := f.(Params).Summary().Error(); !strings.Contains(got, "weights W from -4.5 to 3; visible biases "+
		"c_visible, mean 2; hidden biases b_hidden, mean -0.25; base rates p1, mean 0.5") {
		t.Error(got)
	}
	// Unknown fields and fields of other kinds are ignored, and named.
	f, err := kinds.ReadFile([]byte(`{"kind":"rbm","W":[[1]],"c_visible":[0],"b_hidden":[0],"J":"one","beta":[1,2],`+
		`"d":{},"logZ":null,"betas":[null],"weights":7}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := unread(f).(Params)
	if p.unread == nil || p.unread.Error() != "fields that are not read: J, beta, betas, d, weights" {
		t.Errorf("fields of other kinds: %v", p.unread)
	}
	two := `{"kind":"rbm","W":[[1]],"c_visible":[0],"b_hidden":[0],"vbias":[1]}`
	if _, err = kinds.ReadFile([]byte(two), nil); err == nil ||
		!strings.Contains(err.Error(), "visible biases are given twice (c_visible and vbias)") {
		t.Errorf("two biases: %v", err)
	}
	p.unread = nil
	if want := (Params{M: 1, J: 1, W: []float64{1}, C: []float64{0}, B: []float64{0}}); !reflect.DeepEqual(p, want) {
		t.Errorf("fields of other kinds: %+v", p)
	}
}

// TestNamesInContract checks that the contract lists the names of each part, in order.
func TestNamesInContract(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(labtest.Root(t), "site", "docs", "contract.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range arrayParts {
		var groups []string
		for _, names := range part.names {
			groups = append(groups, "`"+strings.Join(names, "`, `")+"`")
		}
		if row := "| " + part.label + " | " + strings.Join(groups, "; ") + " |"; !strings.Contains(string(text), row) {
			t.Errorf("the contract does not list %s", row)
		}
	}
}

// TestTransposed checks that the lengths of the biases determine the orientation of W, or its name if both layers have
// the same size.
func TestTransposed(t *testing.T) {
	square, two := []float64{1, 2, 3, 4}, []float64{5, 6}
	for name, c := range map[string]struct {
		shape []int
		want  []float64
	}{
		"W":           {[]int{3, 2}, w32},
		"rbm.weights": {[]int{2, 3}, []float64{1, 4, -2, -5, 3, 6}},
		"components_": {[]int{3, 2}, w32}, // the lengths take precedence over the name
		"vishid":      {[]int{2, 2}, square},
		"net.weight":  {[]int{2, 2}, []float64{1, 3, 2, 4}},
	} {
		x, visible := w32, c3
		if len(c.want) == 4 {
			x, visible = square, two
		}
		f, err := kinds.ReadFile(npz(nil, member{name + ".npy", npy("<f8", false, x, c.shape...)},
			member{"vb.npy", npy("<f8", false, visible, len(visible), 1)}, member{"hb.npy", npy("<f8", false, b2, 1, 2)}), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if p := f.(Params); !reflect.DeepEqual(p.W, c.want) || p.M != len(visible) || p.J != 2 {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// matFile writes a MATLAB file of level 5: its elements, compressed or not, in a byte order.
func matFile(order binary.AppendByteOrder, packed bool, elements ...[]byte) []byte {
	b := fmt.Appendf(nil, "%-124s\x01\x00MI", "MATLAB 5.0 MAT-file")
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		copy(b[124:], "\x00\x01IM")
	}
	for _, e := range elements {
		if packed {
			var z bytes.Buffer
			w := zlib.NewWriter(&z)
			w.Write(e)
			w.Close()
			e = append(order.AppendUint32(order.AppendUint32(nil, 15), uint32(z.Len())), z.Bytes()...)
		}
		b = append(b, e...)
	}
	return b
}

// matVar returns the MAT element of a matrix of doubles with a class number.
func matVar(order binary.AppendByteOrder, class uint32, name string, rows, columns int, x []float64) []byte {
	var e []byte
	put := func(kind uint32, data []byte) {
		e = append(order.AppendUint32(order.AppendUint32(e, kind), uint32(len(data))), data...)
		e = append(e, make([]byte, -len(data)&7)...)
	}
	put(6, order.AppendUint32(order.AppendUint32(nil, class), 0))
	put(5, order.AppendUint32(order.AppendUint32(nil, uint32(rows)), uint32(columns)))
	put(1, []byte(name))
	var data []byte
	for j := range columns {
		for i := range rows {
			data = order.AppendUint64(data, math.Float64bits(x[i*columns+j]))
		}
	}
	put(9, data)
	return append(order.AppendUint32(order.AppendUint32(nil, 14), uint32(len(e))), e...)
}

func matRBM(order binary.AppendByteOrder, packed bool) []byte {
	return matFile(order, packed, matVar(order, 6, "vishid", 3, 2, w32), matVar(order, 6, "visbiases", 3, 1, c3),
		matVar(order, 6, "hidbiases", 1, 2, b2))
}

// TestMAT checks that both byte orders, compressed and not, give the same model, and that truncated files and
// compressed files with a changed byte are refused.
func TestMAT(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, packed := range []bool{false, true} {
			b := matRBM(order, packed)
			f, err := kinds.ReadFile(b, nil)
			want := models.File(Params{M: 3, J: 2, W: w32, C: c3, B: b2})
			if err != nil || !reflect.DeepEqual(unread(f), want) {
				t.Errorf("%v, packed %v: %+v, %v", order, packed, f, err)
			}
			for n := range b {
				if f, err := kinds.ReadFile(b[:n], nil); err == nil || f != nil {
					t.Fatalf("%v, packed %v: %d of %d bytes are accepted", order, packed, n, len(b))
				}
			}
			for n := 128; n < len(b) && packed; n++ {
				b[n] ^= 0x10
				f, err := kinds.ReadFile(b, nil) // a few compressed bits have no meaning
				if err == nil && !reflect.DeepEqual(unread(f), want) {
					t.Errorf("%v: a file with byte %d changed is accepted", order, n)
				}
				b[n] ^= 0x10
			}
		}
	}
}

// TestBadMAT checks that errors state what to do.
func TestBadMAT(t *testing.T) {
	le := binary.LittleEndian
	w, c := matVar(le, 6, "vishid", 3, 2, w32), matVar(le, 6, "visbiases", 3, 1, c3)
	h := matVar(le, 6, "hidbiases", 1, 2, b2)
	file := func(elements ...[]byte) []byte { return matFile(le, false, elements...) }
	edit := func(b []byte, at int, to byte) []byte {
		b = bytes.Clone(b)
		b[at] = to
		return b
	}
	var many [][]byte
	for range 2001 {
		many = append(many, matVar(le, 6, "", 1, 1, b2))
	}
	level73 := append(fmt.Appendf(nil, "%-512s", "MATLAB 7.3 MAT-file"), field(t, "octave-hdf5.mat")...)
	for name, bad := range map[string]struct {
		file []byte
		says string
	}{
		"hdf5":         {field(t, "octave-hdf5.mat"), "an HDF5 file (.h5 of Keras, rbms or h5py, or Octave's -hdf5), which"},
		"level 7.3":    {level73, "-v7, or -v6"},
		"Octave text":  {field(t, "octave-text.mat"), "Octave's own text; save it again as save -v7"},
		"struct":       {field(t, "scipy-struct.mat"), "weight_matrix, am_weights, w; the file has rbm"},
		"struct of W":  {file(matVar(le, 2, "W", 3, 2, w32), c, h), "save('model.mat', '-struct', 'W')"},
		"swapped":      {file(w, matVar(le, 6, "visbiases", 4, 1, append(c3, 1)), h), "c_visible has 4 values, W has"},
		"no hidden":    {file(w, c, matVar(le, 6, "bias", 1, 2, b2)), "hidden biases: it must be called b_hidden,"},
		"twice":        {file(w, c, h, w), "vishid is there twice"},
		"two names":    {file(w, c, h, matVar(le, 6, "weights", 3, 2, w32)), "several matrices of weights (vishid, weights)"},
		"capitals":     {file(w, matVar(le, 6, "VisBiases", 3, 1, c3), h), "VisBiases must be written visbiases"},
		"complex":      {file(edit(w, 17, 8), c, h), "vishid is complex"},
		"sparse":       {file(edit(w, 16, 5), c, h), "vishid is sparse; save it as a full matrix"},
		"unknown":      {file(edit(w, 16, 99), c, h), "vishid is 99"},
		"of another":   {file(edit(w, 32, 200), c, h), "mat file: damaged or cut short"},
		"negative":     {file(edit(w, 35, 255), c, h), "impossible shape"},
		"order":        {edit(file(w, c, h), 126, 'X'), "mat file: damaged or cut short"},
		"variables":    {file(many...), "more than 2000 variables"},
		"empty":        {file(), "the file has -"},
		"matrix of vb": {file(w, matVar(le, 6, "vb", 3, 2, w32), h), "vb is no list: it has the shape [3 2]"},
	} {
		f, err := kinds.ReadFile(bad.file, nil)
		if err == nil || f != nil || !strings.Contains(err.Error(), bad.says) {
			t.Errorf("%s: %v, does not say %q", name, err, bad.says)
		}
	}
}

// TestMATBomb checks that an element which declares more bytes than the file has is refused before memory is allocated.
func TestMATBomb(t *testing.T) {
	le := binary.LittleEndian
	huge := matVar(le, 6, "vishid", 3, 2, w32)
	le.PutUint32(huge[4:], 200<<20)
	for _, packed := range []bool{false, true} {
		check := bound.Check(t)
		f, err := kinds.ReadFile(matFile(le, packed, huge), nil)
		if check(); err == nil || f != nil {
			t.Error("accepted")
		}
	}
	noise := make([]float64, 20000) // numbers that hardly compress
	for i := range noise {
		noise[i] = math.Sqrt(float64(i))
	}
	x, y := matVar(le, 6, "x", 1, len(noise), noise), matVar(le, 6, "y", 1, len(noise), noise)
	le.PutUint32(x[4:], 130<<20)
	le.PutUint32(y[4:], 130<<20)
	f, err := kinds.ReadFile(matFile(le, true, x, y), nil)
	if err == nil || f != nil || !strings.Contains(err.Error(), "more than the limit of 256 MB (variable y)") {
		t.Error(err)
	}
}

// tensors writes a .safetensors file with a header.
func tensors(header string, data int) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), make([]byte, data)...)
}

// TestBadSafetensors checks that a header is refused unless it describes the whole file, without gaps and overlaps.
func TestBadSafetensors(t *testing.T) {
	const c = `"c":{"dtype":"F32","shape":[3],"data_offsets":[24,36]}`
	const b = `"b":{"dtype":"F32","shape":[2],"data_offsets":[36,44]}`
	w := func(kind, shape, place string) string {
		return `{"W":{"dtype":"` + kind + `","shape":` + shape + `,"data_offsets":` + place + `},` + c + `,` + b + `}`
	}
	good := w("F32", "[3,2]", "[0,24]")
	if f, err := kinds.ReadFile(tensors(good, 44), nil); err != nil || f.(Params).M != 3 {
		t.Fatal(f, err)
	}
	for n := range tensors(good, 44) {
		if f, err := kinds.ReadFile(tensors(good, 44)[:n], nil); err == nil || f != nil {
			t.Fatalf("%d bytes are accepted", n)
		}
	}
	long := tensors(good, 44)
	long[3] = 2
	for name, bad := range map[string]struct {
		file []byte
		says string
	}{
		"long header":   {long, "a header of 33554"},
		"bytes behind":  {tensors(good, 45), "1 bytes after its last tensor"},
		"overlap":       {tensors(w("F64", "[3,2]", "[0,48]"), 92), "no tensor begins at byte 48, where the last one ends"},
		"gap":           {tensors(w("F16", "[3,2]", "[0,12]"), 44), "no tensor begins at byte 12, where the last one ends"},
		"same place":    {tensors(w("F16", "[3,2]", "[24,36]"), 44), "two tensors begin at byte 24"},
		"short":         {tensors(w("F64", "[3,2]", "[0,24]"), 44), "24 bytes of data, shape [3 2] of F64 needs 48"},
		"negative":      {tensors(w("F32", "[-3,-2]", "[0,24]"), 44), "impossible shape [-3 -2]"},
		"fraction":      {tensors(w("F32", "[1.5,4]", "[0,24]"), 44), "impossible shape [1.5 4]"},
		"huge":          {tensors(w("F32", "[1e300,4]", "[0,24]"), 44), "impossible shape"},
		"wraps":         {tensors(w("F32", "[4294967296,4294967296]", "[0,24]"), 44), "impossible shape"},
		"backwards":     {tensors(w("F32", "[3,2]", "[24,0]"), 44), "impossible data_offsets [24 0]"},
		"three offsets": {tensors(w("F32", "[3,2]", "[0,24,30]"), 44), "must have dtype, shape and two data_offsets"},
		"no shape":      {tensors(w("F32", "null", "[0,24]"), 44), "must have dtype, shape and two data_offsets"},
		"type":          {tensors(w("F8_E4M3", "[3,2]", "[0,24]"), 44), "unsupported type F8_E4M3"},
		"three of W":    {tensors(w("F32", "[3,2,1]", "[0,24]"), 44), "W has 3 dimensions"},
		"no object":     {tensors(`{"W":3}`, 0), "tensor W: 3 is not an object"},
		"no JSON":       {tensors(`{"W":`, 0), "its header"},
		"Gaussian": {tensors(strings.Replace(good, "{", `{"__metadata__":{"format":"pt","visible_type":"gaussian"},`, 1),
			44), `visible_type is "gaussian"`},
		"layers": {tensors(`{"rbms.0.W":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"rbms.1.W":{"dtype":"F32",`+
			`"shape":[1,2],"data_offsets":[8,16]}}`, 16), "several matrices of weights (rbms.0.W, rbms.1.W)"},
	} {
		f, err := kinds.ReadFile(bad.file, nil)
		if err == nil || f != nil || !strings.Contains(err.Error(), bad.says) {
			t.Errorf("%s: %v, does not say %q", name, err, bad.says)
		}
	}
}

// FuzzMAT checks that any bytes after the header of a .mat file give an error or a model with consistent shapes.
func FuzzMAT(f *testing.F) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		f.Add(matRBM(order, false))
		f.Add(matRBM(order, true))
	}
	for _, name := range []string{"octave-v6.mat", "octave-mixed.mat", "scipy-integers.mat", "scipy-struct.mat"} {
		f.Add(field(f, name))
	}
	fuzzRBM(f)
}

// FuzzSafetensors checks that any bytes of a .safetensors file give an error or a model with consistent shapes.
func FuzzSafetensors(f *testing.F) {
	for _, name := range []string{"f64.safetensors", "f32.safetensors", "f16.safetensors", "bf16.safetensors"} {
		f.Add(field(f, name))
	}
	fuzzRBM(f)
}

func fuzzRBM(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		m, err := kinds.ReadFile(b, nil)
		if r, ok := m.(Params); err == nil && ok && (len(r.W) != r.M*r.J || len(r.C) != r.M || len(r.B) != r.J) {
			t.Errorf("rbm of %d x %d with %d weights", r.M, r.J, len(r.W))
		}
	})
}
