// Package testmodels has small models, and the models and files of the site, for tests of several packages.
package testmodels

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/core/factor"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/targets"
	"logzlab/internal/answers"
	"logzlab/models"
	"logzlab/models/graph"
	"logzlab/models/ising"
)

// OwnModel is the name of models made by tests.
const OwnModel = "file:000000000000"

// Parse parses a link with the model OwnModel. rest is the link behind "method=".
func Parse(t *testing.T, rest string) *spec.Spec {
	t.Helper()
	s, err := spec.ParseLink("v=1&model="+OwnModel+"&method="+rest, catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// FileModel makes a model from a parsed file, with key=value settings.
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

// RBMModel makes a model of targets.RandomRBM.
func RBMModel(t *testing.T, m, j int, sd float64, seed uint32) models.Model {
	t.Helper()
	return FileModel(t, targets.RandomRBM(m, j, sd, seed))
}

// CompleteGlass returns a spin glass in which each of n spins is coupled with all others. From 29 spins on, a job computes
// the exact sum only on request.
func CompleteGlass(t *testing.T, n int) graph.Params {
	t.Helper()
	s := rng.NewKey(5, "complete", n).Stream(0, 0, 0)
	g := &factor.Graph{}
	for i := range n {
		g.States = append(g.States, 2)
		for k := range i {
			g.Factors = append(g.Factors, graph.Coupling(k, i, s.Norm()/3))
		}
	}
	p, err := graph.FileOf(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// IsingModel makes a lattice at inverse temperature beta.
func IsingModel(t *testing.T, l1, l2 int, periodic bool, beta float64) models.Model {
	t.Helper()
	return FileModel(t, ising.Params{L1: l1, L2: l2, Periodic: periodic, J: 1, Beta: &beta})
}

// HillsModel makes a model of targets.Hills.
func HillsModel(t *testing.T, d, n int, radius, logC float64, seed uint32) models.Model {
	t.Helper()
	return FileModel(t, targets.Hills(d, n, radius, logC, seed))
}

// TruthModel returns the model of a file of package answers, and its exact log Z. beta selects one of several inverse
// temperatures if the file has them.
func TruthModel(t *testing.T, name string, beta float64) (m models.Model, logz float64) {
	t.Helper()
	b := answers.Read(t, name)
	f, err := catalog.Kinds.ReadFile(b, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var one struct{ LogZ float64 }
	var many struct{ Betas, LogZ []float64 }
	if json.Unmarshal(b, &one) == nil {
		return FileModel(t, f), one.LogZ
	}
	if err := json.Unmarshal(b, &many); err != nil {
		t.Fatal(err)
	}
	for i, x := range many.Betas {
		if x == beta {
			return FileModel(t, f, "beta="+spec.Decimal(beta)), many.LogZ[i]
		}
	}
	t.Fatalf("%s has no beta = %v", name, beta)
	return nil, 0
}

// TwoHills makes a model of targets.TwoHills.
func TwoHills(t *testing.T) models.Model {
	t.Helper()
	f, _ := targets.TwoHills()
	return FileModel(t, f, "start=rates", "order=natural")
}

// LoadSite reads a bundled model file of the site. It works in packages two folders below the root.
func LoadSite(file string) ([]byte, error) {
	return os.ReadFile(filepath.Join("..", "..", "site", "models", file))
}

// Damage returns a copy of b that is truncated, extended, replaced by a random message, or changed in a few bytes.
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
