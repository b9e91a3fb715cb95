package engine_test

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"logzlab/core/meter"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models"
)

// squareNPZ returns an archive of an RBM of n x n units whose numbers, bytes, are all 0, deflated.
func squareNPZ(t *testing.T, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, a := range []struct {
		name, shape string
		size        int
	}{{"W", fmt.Sprintf("(%d, %d)", n, n), n * n}, {"c_visible", fmt.Sprintf("(%d,)", n), n},
		{"b_hidden", fmt.Sprintf("(%d,)", n), n}} {
		w, err := z.Create(a.name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		head := "{'descr': '|i1', 'fortran_order': False, 'shape': " + a.shape + ", }\n"
		_, _ = w.Write(binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head))))
		_, _ = io.WriteString(w, head)
		if _, err := io.CopyN(w, zeros{}, int64(a.size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// table returns rows of the given number of cells, the last one a label.
func table(rows, cells int) []byte {
	var b bytes.Buffer
	for i := range rows {
		for j := range cells - 1 {
			fmt.Fprintf(&b, "%d,", (i*j+i)%10)
		}
		fmt.Fprintln(&b, i%2)
	}
	return b.Bytes()
}

// list returns rows and columns of zeros in JSON.
func list(rows, columns int) string {
	row := "[" + strings.Repeat("0,", columns-1) + "0]"
	return "[" + strings.Repeat(row+",", rows-1) + row + "]"
}

// take opens a model file as the page does, and counts the memory.
func take(b []byte) (counted float64, err error) {
	m := &meter.Meter{Limit: 1.5e9}
	f, err := catalog.Kinds.ReadFile(b, m)
	if err == nil {
		_, err = models.FromFile("own", f, spec.Values{}, m)
	}
	return m.Taken(), err
}

// squareMAT returns a compressed file of a variable W of n x n zeros.
func squareMAT(t *testing.T, n int) []byte {
	t.Helper()
	words := func(b []byte, w ...uint32) []byte {
		for _, x := range w {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	size := uint32(8 * n * n) // flags of a matrix of doubles, shape, name in its tag, numbers
	head := words(nil, 14, 16+16+8+8+size, 6, 8, 6, 0, 5, 8, uint32(n), uint32(n), 1<<16|1, 'W', 9, size)
	_, err := z.Write(head)
	for left := size; left > 0 && err == nil; left -= uint32(8 * n) {
		_, err = z.Write(make([]byte, 8*n))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	b := fmt.Appendf(nil, "%-124s\x00\x01IM", "MATLAB 5.0 MAT-file")
	return append(words(b, 15, uint32(packed.Len())), packed.Bytes()...)
}

// Files that would inflate in memory are refused at once, before their numbers are read. Detects limits on the bytes of
// files only.
func TestInflatingFilesAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("files of hundreds of megabytes")
	}
	for name, b := range map[string]func() []byte{
		"npz":      func() []byte { return squareNPZ(t, 16000) },
		"mat":      func() []byte { return squareMAT(t, 6000) },
		"json":     func() []byte { return []byte(`{"kind": "rbm", "W": ` + list(1, 115e6) + `}`) },
		"json X":   func() []byte { return []byte(`{"kind": "gpc", "y": [1], "X": ` + list(1, 50e6) + `}`) },
		"csv":      func() []byte { return bytes.Repeat([]byte(strings.Repeat("0,", 60000)+"1\n"), 2000) },
		"csv tall": func() []byte { return bytes.Repeat([]byte("0,1\n"), 60e6) },
	} {
		file := b()
		start := time.Now()
		var err error
		taken := peak(func() { _, err = take(file) })
		if err == nil || !strings.Contains(err.Error(), "at most") && !strings.Contains(err.Error(), "limit") {
			t.Errorf("%s: error %v", name, err)
		}
		if took := time.Since(start); taken > 50e6 || took > 20*time.Second {
			t.Errorf("%s: %.0f MB and %v until %v", name, taken/1e6, took, err)
		}
	}
}

// A file takes the memory that is counted: the true need is at most 30 % and 3 MB above it.
func TestFilesAreCounted(t *testing.T) {
	line := "[" + strings.Repeat("0,", 1999) + "0]"
	for name, b := range map[string][]byte{
		"npz": squareNPZ(t, 2000),
		"json": []byte(`{"kind": "rbm", "W": ` + list(1000, 2000) + `, "c_visible": [` + strings.Repeat("0,", 999) +
			`0], "b_hidden": ` + line + `}`),
		"bmm": []byte(`{"kind": "bmm", "weights": [` + strings.Repeat("1,", 499) + `1], "probabilities": ` +
			list(500, 2000) + `}`),
		"csv": table(300, 1000),
	} {
		counted := 0.0
		var err error
		truth := peak(func() { counted, err = take(b) })
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if truth > 1.3*counted+3e6 {
			t.Errorf("%s: %.1f MB were counted, %.1f MB were taken", name, counted/1e6, truth/1e6)
		}
		t.Logf("%s: counted %.1f MB, taken %.1f MB", name, counted/1e6, truth/1e6)
	}
}
