// Package labtest has models and helpers that tests of several packages share. Only tests
// import it.
package labtest

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models"
)

// TruthDir is a folder of exact values beside the repository; tests that need it are skipped
// where it is absent.
const TruthDir = "../../../shared/truth/"

// OwnModel is the name of models made by tests.
const OwnModel = "file:000000000000"

// Parse reads a link, given from the method on, about an own model.
func Parse(t *testing.T, rest string) *spec.Spec {
	t.Helper()
	s, err := spec.ParseLink("v=1&model="+OwnModel+"&method="+rest, catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// RandomRBM resembles a trained machine: weights N(0, sd^2), base rates between
// .05 and .95, visible biases scattered around their logits.
func RandomRBM(m, j int, sd float64, seed uint32) models.RBMParams {
	s := rng.NewKey(seed, "model", m*1000+j).Stream(0, 0, 0)
	f := models.RBMParams{M: m, J: j}
	for range m * j {
		f.W = append(f.W, sd*s.Norm())
	}
	for range m {
		rate := .05 + .9*s.Float64()*s.Float64()
		f.P1 = append(f.P1, rate)
		f.C = append(f.C, num.Logit(rate)+.5*s.Norm())
	}
	for range j {
		f.B = append(f.B, .5*s.Norm())
	}
	return f
}

// FileModel makes a model from a parsed file.
func FileModel(t *testing.T, f models.File, set ...string) models.Model {
	t.Helper()
	v := spec.Values{"moves": "4", "form": "marginal", "beta": ""}
	for _, kv := range set {
		key, value, _ := strings.Cut(kv, "=")
		v[key] = value
	}
	m, err := models.FromFile("test", f, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// RBMModel is a model made of RandomRBM.
func RBMModel(t *testing.T, m, j int, sd float64, seed uint32) models.Model {
	t.Helper()
	f := RandomRBM(m, j, sd, seed)
	return FileModel(t, f)
}

// IsingModel is a lattice at inverse temperature beta.
func IsingModel(t *testing.T, l1, l2 int, periodic bool, beta float64) models.Model {
	t.Helper()
	return FileModel(t, models.IsingParams{L1: l1, L2: l2, Periodic: periodic, J: 1, Beta: &beta})
}

// HillsModel is a mixture of n hills on a sphere of the given radius in d
// dimensions, of unequal mass and width, log Z = logC.
func HillsModel(t *testing.T, d, n int, radius, logC float64, seed uint32) models.Model {
	t.Helper()
	s := rng.NewKey(seed, "hills", d).Stream(0, 0, 0)
	f := models.MixtureParams{D: d, BaseSD: 3, LogC: logC}
	total := 0.0
	for j := range n {
		x, norm := make([]float64, d), 0.0
		for i := range x {
			x[i] = s.Norm()
			norm += x[i] * x[i]
		}
		for i := range x {
			x[i] *= radius / math.Sqrt(norm)
		}
		f.Means = append(f.Means, x)
		f.SDs = append(f.SDs, .7+.5*s.Float64())
		f.Weights = append(f.Weights, float64(1+j))
		total += float64(1 + j)
	}
	for j := range f.Weights {
		f.Weights[j] /= total
	}
	return FileModel(t, f)
}

// TruthModel is a model of the shared truth folder and its exact log Z; ok is
// false where the folder is absent.
func TruthModel(t *testing.T, name string, beta float64) (m models.Model, logz float64, ok bool) {
	t.Helper()
	b, err := os.ReadFile(TruthDir + name)
	if err != nil {
		return nil, 0, false
	}
	f, err := models.ReadFile(b, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var one struct{ LogZ float64 }
	var many struct{ Betas, LogZ []float64 }
	if json.Unmarshal(b, &one) == nil {
		return FileModel(t, f), one.LogZ, true
	}
	if err := json.Unmarshal(b, &many); err != nil {
		t.Fatal(err)
	}
	for i, x := range many.Betas {
		if x == beta {
			return FileModel(t, f, "beta="+spec.Decimal(beta)), many.LogZ[i], true
		}
	}
	t.Fatalf("%s has no beta = %v", name, beta)
	return nil, 0, false
}

// TwoHills is a machine of 26 x 26 units with two modes 22 units apart, too large for an
// exact value: Z = sum_k C(26, k) e^(ck) (1 + e^(b + wk))^26.
func TwoHills(t *testing.T) models.Model {
	t.Helper()
	const n = 26
	f := models.RBMParams{M: n, J: n}
	for range n {
		f.C, f.B, f.P1 = append(f.C, -3.8), append(f.B, -3.9), append(f.P1, .5)
		for range n {
			f.W = append(f.W, .3)
		}
	}
	return FileModel(t, f, "start=rates", "order=natural")
}

// LoadSite reads bundled files from the source tree.
func LoadSite(file string) ([]byte, error) {
	return os.ReadFile(filepath.Join("..", "..", "site", "models", file))
}

// Damage changes, cuts or replaces bytes.
func Damage(r *rand.Rand, b []byte) []byte {
	b = append([]byte(nil), b...)
	switch r.IntN(4) {
	case 0:
		b = b[:r.IntN(len(b)+1)]
	case 1:
		b = append(b, byte(r.Uint32()))
	case 2:
		b = make([]byte, 1+r.IntN(60))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		b[0] = "FUPRSXWDKEA"[r.IntN(11)]
		return b
	}
	for range r.IntN(4) {
		if len(b) > 1 {
			b[1+r.IntN(len(b)-1)] = byte(r.Uint32())
		}
	}
	return b
}
