package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/estimators/catalog"
	"logzlab/estimators/training"
	"logzlab/models/rbm"
)

const modelDir = "../../site/models"

// open reads a model of modelDir and its provenance.
func open(t *testing.T, r recipe) (rbm.Params, training.Provenance) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(modelDir, r.name+".npz"))
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > maxModelBytes {
		t.Errorf("%d bytes, more than %d", len(data), maxModelBytes)
	}
	file, err := catalog.Kinds.ReadFile(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	var p training.Provenance
	if err := json.Unmarshal(file.(rbm.Params).Provenance, &p); err != nil {
		t.Fatal("provenance.json: ", err)
	}
	return file.(rbm.Params), p
}

// TestBundledModels checks that each file can be read, matches its recipe, has the stated quality, and the enumerated
// log Z if it has 20 hidden units.
func TestBundledModels(t *testing.T) {
	least := map[string]float64{ // promised mean test log-likelihoods
		"rbm-cd1-20": -172, "rbm-cd25-20": -155, "rbm-pcd-20": -155,
		"rbm-plain-cd1-20": -168, "rbm-plain-cd25-20": -144, "rbm-plain-pcd-20": -147,
		"rbm-pcd-100": -110, "rbm-cd25-500": -105, "rbm-pcd-500": -100,
	}
	papers := map[string]float64{ // log Z of the machines in the paper of varopt
		"rbm-plain-cd1-20": 194.0, "rbm-plain-cd25-20": 207.1, "rbm-plain-pcd-20": 208.6,
	}
	for _, r := range recipes {
		t.Run(r.name, func(t *testing.T) {
			f, p := open(t, r)
			if f.M != pixels || f.J != r.training().Hidden {
				t.Fatalf("%d x %d weights, want %d x %d", f.M, f.J, pixels, r.training().Hidden)
			}
			if p.Name != r.name || p.Settings != r.training() || p.Data.Train != mnistTrainHash {
				t.Errorf("provenance %+v is not that of recipe %+v", p, r)
			}
			if bar, ok := least[r.name]; ok && !(*p.LogLikelihood.Test >= bar) {
				t.Errorf("test log-likelihood %.2f, promised %.0f", *p.LogLikelihood.Test, bar)
			}
			if z, ok := papers[r.name]; ok && math.Abs(p.LogZ.Value-z) > 10 {
				t.Errorf("log Z %.1f is not near that of the paper, %.1f", p.LogZ.Value, z)
			}
			for i, q := range f.P1 {
				if !(q >= 0.05-1e-8 && q <= 0.95+1e-7) {
					t.Fatalf("base rate %d is %v, outside [.05, .95]", i, q)
				}
			}
			for _, x := range f.W {
				if y := math.Ldexp(x, p.WeightBits); y != math.Trunc(y) {
					t.Fatalf("weight %v is no multiple of 2^-%d", x, p.WeightBits)
				}
			}
			if !(p.LogZ.Lower <= p.LogZ.Value && p.LogZ.Value <= p.LogZ.Upper) {
				t.Errorf("log Z %+v is out of order", p.LogZ)
			}
			if testing.Short() || r.training().Hidden > 20 {
				return
			}
			m, err := rbm.New(rbm.Params{M: f.M, J: f.J, W: f.W, C: f.C, B: f.B, P1: f.P1}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if z, ok, err := exactLogZ(m); err != nil || !ok || math.Abs(z.Value-p.LogZ.Value) > 1e-6 {
				t.Errorf("log Z by enumeration %.9f, provenance %.9f, %v", z.Value, p.LogZ.Value, err)
			}
		})
	}
}

// The sandwich of a model that is too large to enumerate overlaps the one in its file, which was made with more chains
// and temperatures from as many pictures.
func TestSandwich(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	m, err := catalog.Kinds.Open("rbm-cd25-500", nil, func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(modelDir, name))
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(modelDir, "rbm-cd25-500.npz"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := catalog.Kinds.ReadFile(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	var p training.Provenance
	if err := json.Unmarshal(f.(rbm.Params).Provenance, &p); err != nil {
		t.Fatal(err)
	}
	z, err := sandwich(m.(*rbm.Model), 50, 1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v, in the file %+v", z, p.LogZ)
	if !(z.Lower <= z.Value && z.Value <= z.Upper && z.Lower <= p.LogZ.Upper && p.LogZ.Lower <= z.Upper) {
		t.Errorf("%+v, in the file %+v", z, p.LogZ)
	}
}

// TestDigits checks the file of test digits: its size, and an amount of ink as in handwriting.
func TestDigits(t *testing.T) {
	z, err := zip.OpenReader(filepath.Join(modelDir, rbm.DigitsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	data, err := fs.ReadFile(z, rbm.DigitsMember)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) != rbm.Digits*pixels/8 {
		t.Fatalf("%d bytes, want %d digits of %d", len(data), rbm.Digits, pixels/8)
	}
	_, test, err := loadMNIST()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, test.packed[:len(data)]) {
		t.Error("the digits are not the first MNIST test digits")
	}
}

// TestNPZSameBytes checks that the bytes depend only on the input, and that the reader of model files reads them.
func TestNPZSameBytes(t *testing.T) {
	write := func() []byte {
		n := modelfile.NewNPZ()
		n.Array("W", []float32{1, -2, 0.5, 0, 3, 4}, 2, 3)
		n.Array("c", []float32{1, 2}, 2)
		n.Array("b", []int32{3, 4, -5}, 3)
		n.Raw("provenance.json", []byte("{}"))
		b, err := n.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a := write()
	if !bytes.Equal(a, write()) {
		t.Error("the same arrays make different bytes")
	}
	f, err := catalog.Kinds.ReadFile(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := f.(rbm.Params); r.M != 2 || r.J != 3 || r.W[1] != -2 || r.C[1] != 2 || r.B[2] != -5 ||
		string(r.Provenance) != "{}" {
		t.Errorf("read back %+v", r)
	}
}
