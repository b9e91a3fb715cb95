package rbm

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/internal/bound"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// TestRows checks that data rows are the same in every format, and that they give base rates and data only to a model
// whose parameter data selects them.
func TestRows(t *testing.T) {
	var want struct {
		Mean []float64 `json:"mean"`
		LogP float64   `json:"log_likelihood"`
	}
	if err := json.Unmarshal(field(t, "rows.json"), &want); err != nil {
		t.Fatal(err)
	}
	model, err := kinds.ReadFile(field(t, "sklearn.npz"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rows.npy", "rows.npz", "rows.csv", "rows.txt", "rows.idx", "rows.idx.gz",
		"rows.csv.gz"} {
		plain, gz := strings.CutSuffix(name, ".gz")
		b := field(t, plain)
		if gz {
			b = packed(b)
		}
		f, id, err := WithRows(model, b, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		with, err := models.FromFile("mine", f, map[string]string{"data": id}, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m, sum := with.(*Model), 0.0
		for _, v := range m.data.rows() {
			sum += logFOf(m, v)
		}
		tol := 1e-9 + 2*m.info.Diagnostics[DiagQuantisation]
		if got := sum/40 - exactLogZ(m); m.data.n != 40 || math.Abs(got-want.LogP) > tol || m.BaseBlocks() > 0 {
			t.Errorf("%s: %d rows, mean log-likelihood %v, want %v", name, m.data.n, got, want.LogP)
		}
		for i, x := range m.rates {
			if math.Abs(x-want.Mean[i]) > 1e-12 {
				t.Errorf("%s: base rate %d is %v, want %v", name, i, x, want.Mean[i])
			}
		}
		without, err := models.FromFile("mine", f, nil, nil)
		if err != nil || without.(*Model).DataCount() != 0 || len(without.Info().Flags) == 0 {
			t.Errorf("%s: rows are used without the parameter data: %v", name, err)
		}
		if _, err := models.FromFile("mine", f, map[string]string{"data": "0123456789ab"}, nil); err == nil ||
			!strings.Contains(err.Error(), "data=0123456789ab names a file") {
			t.Errorf("%s: rows with another id are accepted: %v", name, err)
		}
	}
	own := model.(Params) // base rates of the file take precedence
	own.P1 = slices.Repeat([]float64{.25}, 6)
	f, id, _ := WithRows(own, field(t, "rows.npy"), nil)
	if m, err := models.FromFile("mine", f, map[string]string{"data": id}, nil); err != nil ||
		m.(*Model).rates[0] != .25 ||
		m.(*Model).DataCount() != 40 {
		t.Error("base rates of the file are lost", err)
	}
	m, err := models.FromFile("mine", f, map[string]string{"data": id, "start": StartRates}, nil)
	if err != nil || math.Abs(num.Sigmoid(float64(m.(*Model).baseLogits[0])*m.(*Model).unit)-want.Mean[0]) > 1e-6 {
		t.Error("the start by rates does not use the rows", err)
	}
}

// packed returns b compressed by gzip.
func packed(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

// damaged returns b with one byte changed, at a position counted from the end if it is negative.
func damaged(b []byte, at int) []byte {
	b = slices.Clone(b)
	b[(at+len(b))%len(b)] ^= 0x55
	return b
}

// TestRowsWithLabels checks that columns with row numbers or labels are ignored by name, that numbers between 0 and 1
// are rounded, and that the summary mentions both.
func TestRowsWithLabels(t *testing.T) {
	model := Params{M: 3, J: 1, W: []float64{1, 0, -1}, C: []float64{0, 0, 0}, B: []float64{0}}
	for name, table := range map[string]string{"label": "label,a,b,c\n7,1,0,1\n2,0,0,1\n",
		"1":         ",a,b,c\n0,1,0,1\n1,0,0,1\n",
		"id, class": "id,a,b,c,class\n0,1,0,1,3\n1,0,0,1,4\n"} {
		f, id, err := WithRows(model, []byte(table), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m, err := models.FromFile("mine", f, map[string]string{"data": id}, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows := m.(*Model).data.rows()
		if said := m.Info().Understood.Error(); !strings.HasSuffix(said, "rows or are their labels: "+name) ||
			!slices.Equal(rows[0], []uint8{1, 0, 1}) || !slices.Equal(rows[1], []uint8{0, 0, 1}) {
			t.Errorf("%s: %s; rows %v", name, said, rows)
		}
	}
	for table, rounded := range map[string]bool{"0,255,255\n255,0,0\n": false, "0,200,255\n255,0,3\n": true,
		"0.25,1,0\n": true} {
		f, _, err := WithRows(model, []byte(table), nil)
		if err != nil {
			t.Fatal(err)
		}
		if said := f.(Params).Summary().Error(); strings.Contains(said, "rounded to 0 and 1") != rounded {
			t.Errorf("%q: %s", table, said)
		}
	}
	if _, _, err := WithRows(model, []byte("a,b,c,d\n1,0,1,1\n"), nil); err == nil {
		t.Error("rows with a fourth unit are accepted")
	}
}

// TestManyRows reads all 60,000 pictures of MNIST, which take one byte for each pixel in addition to their file: 47 MB.
// As float64 they would take 376 MB, more than one array may have.
func TestManyRows(t *testing.T) {
	if testing.Short() {
		t.Skip("47 MB")
	}
	const n, pixels = 60000, 784
	b := append([]byte{0, 0, 8, 3, 0, 0, n >> 8, n & 255, 0, 0, 0, 28, 0, 0, 0, 28}, make([]byte, n*pixels)...)
	for k := range n {
		b[16+k*pixels+k%pixels] = 255
	}
	model := Params{M: pixels, J: 1, W: make([]float64, pixels), C: make([]float64, pixels), B: []float64{0}}
	for name, limit := range map[string]float64{"": 160e6, "give fewer data": 60e6} {
		f, _, err := WithRows(model, packed(b), &meter.Meter{Limit: limit})
		if name != "" {
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("with %g MB: %v", limit/1e6, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		rows := f.(Params).dataRows
		if len(rows.bits) != n || rows.bits[785][1] != 1 || rows.bits[785][2] != 0 || rows.mean[0] != 77.5/(n+1) {
			t.Errorf("%d rows, mean %v", len(rows.bits), rows.mean[0])
		}
	}
}

// TestRowsByColumns checks that pictures stored in column-major order are read correctly.
func TestRowsByColumns(t *testing.T) {
	model := Params{M: 6, J: 1, W: make([]float64, 6), C: make([]float64, 6), B: []float64{0}}
	x := []float64{1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0} // two pictures of 2 x 3
	turned := make([]float64, len(x))
	for n := range 2 {
		for i := range 2 {
			for k := range 3 {
				turned[n+2*(i+2*k)] = x[6*n+3*i+k]
			}
		}
	}
	b := bytes.Replace(npy("<f8", false, turned, 2, 2, 3), []byte("False"), []byte("True "), 1)
	f, _, err := WithRows(model, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n, row := range f.(Params).dataRows.bits {
		for i, bit := range row {
			if float64(bit) != x[6*n+i] {
				t.Errorf("picture %d, pixel %d is %d", n, i, bit)
			}
		}
	}
}

// logFOf returns log f of a picture by its definition.
func logFOf(m *Model, v []uint8) float64 {
	sum := 0.0
	for j, b := range m.b {
		x := int64(b)
		for i, on := range v {
			x += int64(on) * int64(m.w[i*m.J+j])
		}
		sum += math.Log1p(math.Exp(float64(x) * m.unit))
	}
	for i, on := range v {
		sum += float64(on) * float64(m.c[i]) * m.unit
	}
	return sum
}

// TestBadRows checks that errors explain why a file has no rows for the model.
func TestBadRows(t *testing.T) {
	model, _ := kinds.ReadFile(field(t, "sklearn.npz"), nil)
	idx := field(t, "rows.idx")
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"model":     {field(t, "sklearn.npz"), "none of its arrays (components_, intercept_hidden_, intercept_visible_)"},
		"narrow":    {[]byte("0,1,1\n"), "line 1 has 3 numbers; rows must have 6"},
		"wide":      {npy("<f8", false, make([]float64, 8), 1, 8), "its shape is [1 8]; rows must have 6"},
		"flat":      {npy("<f8", false, make([]float64, 6), 6), "its shape is [6]"},
		"negative":  {[]byte("0 1 1 0 1 1\n0 1 -1 0 1 1\n"), "row 2, column 3 is -1; numbers must be from 0 to 1"},
		"NaN":       {npy("<f8", false, []float64{0, 0, math.NaN(), 0, 0, 0}, 1, 6), "row 1, column 3 is NaN"},
		"words":     {[]byte("0,1,1,0,1,1\n0,1,a,0,1,1\n"), `line 2, column 3: "a" is not a number`},
		"nothing":   {[]byte("a,b,c,d,e,f\n"), "there are no rows in it"},
		"none":      {npy("<f8", false, nil, 0, 6), "there are no rows in it"},
		"long line": {bytes.Repeat([]byte("0,"), 1000), "line 1 is too long"},
		"JSON":      {[]byte(goodRBM), "there are no rows in it"},
		"gzip":      {[]byte("\x1f\x8b\x08\x00"), "damaged or cut short"},
		"gzip 2":    {[]byte("\x1f\x8b"), "damaged or cut short"},
		"gzip 3":    {[]byte("\x1f\x8b\x08"), "damaged or cut short"},
		"gzip cut":  {packed(idx)[:40], "damaged or cut short"},
		"gzip sum":  {damaged(packed(idx), -6), "damaged or cut short"},
		"gzip size": {damaged(packed(idx), -4), "damaged or cut short"},
		"gzip large": {append(append([]byte("\x1f\x8b\x08"), make([]byte, 300000)...), 0, 0, 0, 0x12),
			"more than the limit of 256 MB"},
		"gzip idx":   {packed(idx[:9]), "damaged or cut short"},
		"gzip words": {packed([]byte("0,1,1,0,1,1\n1,1,a,1,1,1\n")), `line 2, column 3: "a" is not a number`},
		"idx cut":    {idx[:len(idx)-1], "damaged or cut short"},
		"idx header": {idx[:9], "damaged or cut short"},
		"npy cut":    {npy("<f8", false, make([]float64, 6), 1, 6)[:100], "data file: the header is cut short"},
	} {
		if f, _, err := WithRows(model, c.file, nil); err == nil || f != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that contains %q", name, err, c.says)
		}
	}
	if _, _, err := WithRows(otherFile{}, idx, nil); err == nil || !strings.Contains(err.Error(), "an RBM of your own") {
		t.Error(err)
	}
}

// otherFile is a file of another kind.
type otherFile struct{ models.File }

// FuzzRows checks that any bytes give an error or rows of 0 and 1.
func FuzzRows(f *testing.F) {
	for _, name := range []string{"rows.npy", "rows.npz", "rows.csv", "rows.txt", "rows.idx", "octave-v6.mat"} {
		f.Add(field(f, name))
	}
	f.Add(packed(field(f, "rows.idx")))
	model, err := kinds.ReadFile(field(f, "sklearn.npz"), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		x, _, err := WithRows(model, b, nil)
		if err != nil {
			return
		}
		p := x.(Params)
		for i, r := range p.dataRows.mean {
			if !(r > 0 && r < 1) {
				t.Errorf("base rate %d is %v", i, r)
			}
		}
		for _, v := range p.dataRows.bits {
			if len(v) != 6 || slices.Max(v) > 1 {
				t.Errorf("row %v", v)
			}
		}
	})
}

// TestMeanLogF compares mean log f and pseudo-log-likelihood of rows with the enumeration of all pictures. It fails if
// the sign of a flip is lost or units are counted twice.
func TestMeanLogF(t *testing.T) {
	p := randomRBM(6, 5, 4, 2)
	p.Data = [][]uint8{{1, 0, 1, 1, 0}, {0, 0, 0, 1, 1}, {1, 1, 1, 1, 1}}
	m := newRBM(t, p)
	logF := func(v []uint8) float64 { // as LogData
		pop := m.New(1, []float64{0, 1}).(*population)
		w, h, _, _ := pop.Row(0)
		copy(w, v)
		clear(h)
		pop.Rebuild(0)
		out := make([]float64, 1)
		pop.LogData(out)
		return out[0]
	}
	want, pseudo := 0.0, 0.0
	for _, v := range p.Data {
		f := logF(v)
		want += f / 3
		for i := range v {
			v := slices.Clone(v)
			v[i] = 1 - v[i]
			pseudo += (f - num.LogAddExp(f, logF(v))) / 3
		}
	}
	labtest.Near(t, "mean log f", models.MeanLogF(m, 0, 3), want, 1e-9)
	labtest.Near(t, "pseudo-log-likelihood", m.MeanLogPseudoLikelihood(func() bool { return true }), pseudo, 1e-6)
	if !math.IsNaN(m.MeanLogPseudoLikelihood(func() bool { return false })) {
		t.Error("MeanLogPseudoLikelihood returned a value although going stopped it")
	}
}
