package samples

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"logzlab/core/problem"
)

// FuzzRead checks that no file makes the readers panic or hang, and that errors are problems, which can be translated.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{revBayes, newXVG(0, "300", 0, 1), "time,fep-lambda,0.0,1.0\n0,0.0,0,1\n0,1.0,-1,0\n",
		"logL,logL_birth\n-9,-inf\n-8,-9\n", ".5 -9 -1e30\n.5 -8 -9\n", ".5 .1 -9 -1e90 -1.2 1\n.5 .1 -8.5 -9 -1.4 1\n",
		"Step\tPower\trun1\n1\t.5\t-3\n", "Sample\tlikelihood\n0\t-5\n", "<x PathSamplingStep beta='0.4'>", "PK", "BZh9",
		"\x93NUMPY\x01\x00"} {
		f.Add(seed, seed)
		f.Add(seed, "beta,loglik\n0,-1\n1,-2\n")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		readAny(t, Options{}, File{Name: "step0/a", Data: []byte(a)}, File{Name: "step1/b", Data: []byte(b)})
	})
}

// readAny reads files and fails if an error is no problem.Error or if the chains have inconsistent lengths.
func readAny(t *testing.T, o Options, files ...File) {
	s, err := Read(files, o, nil)
	if err != nil {
		if _, ok := err.(*problem.Error); !ok {
			t.Fatalf("%T: %v", err, err)
		}
		return
	}
	for _, c := range s.Chains {
		if n := c.Len(s); c.LogF != nil && len(c.LogF) != n*len(s.Rungs) || c.LogL != nil && len(c.LogL) != n {
			t.Fatalf("%d samples with %d energies, %d log likelihoods", n, len(c.LogF), len(c.LogL))
		}
	}
	for _, d := range s.Draws {
		if len(d.X) != len(d.Lines)*len(o.Draws) || d.LogP != nil && len(d.LogP) != len(d.Lines) {
			t.Fatalf("%d numbers, %d lines, %d lp__", len(d.X), len(d.Lines), len(d.LogP))
		}
	}
}

// FuzzDraws checks the same as FuzzRead for posterior draws of a program.
func FuzzDraws(f *testing.F) {
	for _, seed := range []string{cmdStan, "a[1],mu,a[2]\n2,1,3\n", ".chain,mu,a[1],a[2]\n1,1,2,3\n2,4,5,6\n",
		"mu a.1 a.2\n1 2 3\n", "\"a[1]\";\"a[2]\";mu\n1;2;3\n", "mu,a[1,a[2\n1,2\n", "1,2,3\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { readAny(t, drawOptions, File{Name: "d.csv", Data: []byte(text)}) })
}

// FuzzArrays checks the same as FuzzRead for NumPy arrays of any shape, in one file or in two.
func FuzzArrays(f *testing.F) {
	f.Add("\x00\x01\x02\x03\x04\x05", "\x01\x02", uint8(2), uint8(3), uint8(0), uint8(0), "u_kn", "N_k")
	f.Add("\x00\x01\x02\x03\x04\x05\x06\x07", "\x01\x01", uint8(2), uint8(2), uint8(2), uint8(0), "u_kln", "N_k")
	f.Add("\x01\x02\x03", "\x02\x02\x01", uint8(3), uint8(0), uint8(0), uint8(1), "logl", "samples_n")
	f.Add("\x01\x02\x03", "\x02", uint8(3), uint8(0), uint8(0), uint8(1), "logl", "nlive")
	f.Add("\x01\x02\x03", "\x90\x80\x70", uint8(3), uint8(0), uint8(0), uint8(1), "logl", "logvol")
	f.Fuzz(func(t *testing.T, u, n string, a, b, c, kind uint8, first, second string) {
		var shape []int
		for _, d := range []uint8{a, b, c} {
			if d > 0 {
				shape = append(shape, int(d))
			}
		}
		one, two := newNPY(u, kind, shape...), newNPY(n, kind, len(n))
		if kind%2 == 0 {
			readAny(t, Options{}, File{Name: "u_kn.npy", Data: one}, File{Name: "N_k.npy", Data: two})
		}
		readAny(t, Options{}, File{Name: "x.npz", Data: newNPZ(t, first+".npy", one, second+".npy", two)})
	})
}

// newNPZ returns an .npz file with two arrays, uncompressed to save time.
func newNPZ(t *testing.T, first string, one []byte, second string, two []byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range map[string][]byte{first: one, second: two} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Skip(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Skip(err)
	}
	return b.Bytes()
}

// newNPY returns an .npy file with the given shape and data: float64 numbers if bit 1 of kind is set, else bytes.
func newNPY(data string, kind uint8, shape ...int) []byte {
	descr := "|i1"
	if kind&2 != 0 {
		descr = "<f8"
	}
	var dims strings.Builder
	for _, d := range shape {
		fmt.Fprintf(&dims, "%d,", d)
	}
	h := "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + dims.String() + "), }"
	h += strings.Repeat(" ", max(117-len(h), 0)) + "\n"
	return []byte("\x93NUMPY\x01\x00" + string([]byte{byte(len(h)), byte(len(h) >> 8)}) + h + data)
}

// FuzzPacked checks the same as FuzzRead for compressed files, complete or truncated.
func FuzzPacked(f *testing.F) {
	f.Add(revBayes, 1000)
	f.Add(newXVG(0, "300", 0, 1), 90)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.NoCompression) // compression would take most of the time
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		packed := b.Bytes()
		packed = packed[:min(max(cut, 0), len(packed))]
		Sniff(packed)
		readAny(t, Options{}, File{Name: "a.gz", Data: packed}, File{Name: "b", Data: []byte("BZh9" + text)})
	})
}
