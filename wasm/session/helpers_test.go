package session

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models"
)

const truthDir = "../../../shared/truth/"

// ownModel is the name that models made by tests go by.
const ownModel = "file:000000000000"

// parse reads a link, given from the method on, about an own model.
func parse(t *testing.T, rest string) *spec.Spec {
	t.Helper()
	s, err := spec.ParseLink("v=1&model="+ownModel+"&method="+rest, catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newJob is a job for an own model.
func newJob(t *testing.T, m models.Model, rest string) *Job {
	t.Helper()
	j, err := NewJob(parse(t, rest), m, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// finished runs a job to its end and returns its reports.
func finished(t *testing.T, j *Job, workers int) []*Report {
	t.Helper()
	if err := Run(context.Background(), j, workers, nil); err != nil {
		t.Fatal(err)
	}
	reports := j.Reports(0)
	for _, r := range reports {
		if r.Err != "" {
			t.Fatalf("%s: %s", r.Method, r.Err)
		}
	}
	return reports
}

// hashes lists the hashes of reports.
func hashes(reports []*Report) string {
	var out []string
	for _, r := range reports {
		out = append(out, r.Hash)
	}
	return strings.Join(out, " ")
}

// randomRBM resembles a trained machine: weights N(0, sd^2), base rates between
// .05 and .95, visible biases scattered around their logits.
func randomRBM(m, j int, sd float64, seed uint32) models.RBMParams {
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

// file makes a model from a parsed file.
func fileModel(t *testing.T, f models.File, set ...string) models.Model {
	t.Helper()
	v := spec.Values{"moves": "4", "form": "marginal", "beta": ""}
	for _, kv := range set {
		key, value, _ := strings.Cut(kv, "=")
		v[key] = value
	}
	m, err := models.FromFile("test", f, v)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func rbmModel(t *testing.T, m, j int, sd float64, seed uint32) models.Model {
	t.Helper()
	f := randomRBM(m, j, sd, seed)
	return fileModel(t, f)
}

func isingModel(t *testing.T, l1, l2 int, periodic bool, beta float64) models.Model {
	t.Helper()
	return fileModel(t, models.IsingParams{L1: l1, L2: l2, Periodic: periodic, J: 1, Beta: &beta})
}

// hillsModel is a mixture of n hills on a sphere of the given radius in d
// dimensions, of unequal mass and width, log Z = logC.
func hillsModel(t *testing.T, d, n int, radius, logC float64, seed uint32) models.Model {
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
	return fileModel(t, f)
}

// truthModel is a model of the shared truth folder and its exact log Z; ok is
// false where the folder is absent.
func truthModel(t *testing.T, name string, beta float64) (m models.Model, logz float64, ok bool) {
	t.Helper()
	b, err := os.ReadFile(truthDir + name)
	if err != nil {
		return nil, 0, false
	}
	f, err := models.ReadFile(b)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var one struct{ LogZ float64 }
	var many struct{ Betas, LogZ []float64 }
	if f.Kind().Name != "ising" {
		if err := json.Unmarshal(b, &one); err != nil {
			t.Fatal(err)
		}
		return fileModel(t, f), one.LogZ, true
	}
	if err := json.Unmarshal(b, &many); err != nil {
		t.Fatal(err)
	}
	for i, x := range many.Betas {
		if x == beta {
			return fileModel(t, f, "beta="+spec.Decimal(beta)), many.LogZ[i], true
		}
	}
	t.Fatalf("%s has no beta = %v", name, beta)
	return nil, 0, false
}
