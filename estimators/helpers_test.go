package estimators

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/labtest/answers"
	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/core/spec"
	"logzlab/core/stats"
	"logzlab/models"
)

// golden reads a section of the shared golden file.
func golden(t *testing.T, section string, v any) {
	t.Helper()
	answers.Golden(t, section, v)
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*(1+math.Abs(want))) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// config is a method's configuration: its defaults, then key=value settings.
func config(t *testing.T, info Info, m models.Model, seed int, set ...string) Config {
	t.Helper()
	v := spec.Values{}
	for _, p := range info.Params {
		v[p.Name] = p.Default
	}
	for _, kv := range set {
		k, x, _ := strings.Cut(kv, "=")
		if _, ok := v[k]; !ok {
			t.Fatalf("%s has no parameter %s", info.Name, k)
		}
		v[k] = x
	}
	return Config{Readers: []Reader{{info, v}}, Values: v, Model: m, Key: rng.NewKey(uint32(seed), info.Run().Name, 0)}
}

// drive runs a method to its end, lane after lane, and returns its result.
func drive(t *testing.T, info Info, c Config) (Method, *Result) {
	t.Helper()
	m, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	round, err := m.Next(nil, nil)
	for round != nil && err == nil {
		round, err = m.Next(round.Run(m))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m, m.Estimate(nil)[0]
}

// testRBM is a random m x j RBM: weights with the given s.d., base rates spread
// over (0.1, 0.9) and visible biases near their logits.
func testRBM(t *testing.T, m, j int, sd float64, joint bool) *models.RBM {
	t.Helper()
	return pathRBM(t, m, j, sd, models.RBMParams{Joint: joint})
}

// pathRBM is testRBM with the form and the path of p.
func pathRBM(t *testing.T, m, j int, sd float64, p models.RBMParams) *models.RBM {
	t.Helper()
	s := rng.NewKey(5, "model", m*1000+j).Stream(0, 0, 0)
	p.Name, p.M, p.J = "test", m, j
	for range m * j {
		p.W = append(p.W, sd*s.Norm())
	}
	for range m {
		rate := 0.1 + 0.8*s.Float64()
		p.P1 = append(p.P1, rate)
		p.C = append(p.C, num.Logit(rate)+0.3*s.Norm())
	}
	for range j {
		p.B = append(p.B, 0.5*s.Norm())
	}
	r, err := models.NewRBM(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// testMixture has two hills of unequal mass and width in d dimensions, wide enough
// for reverse weights to have a variance.
func testMixture(t *testing.T, d int, logC float64) *models.Mixture {
	t.Helper()
	f := models.MixtureParams{D: d, BaseSD: 1.3, LogC: logC, Weights: []float64{.7, .3}, SDs: []float64{.9, .7},
		Means: [][]float64{make([]float64, d), make([]float64, d)}}
	for i := range d {
		f.Means[0][i], f.Means[1][i] = 1/math.Sqrt(float64(d)), -1.5/math.Sqrt(float64(d))
	}
	m, err := models.NewMixture(f, models.Kernel{Moves: 2})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func testIsing(t *testing.T, l1, l2 int, periodic bool, beta float64) *models.Ising {
	t.Helper()
	m, err := models.NewIsing(models.IsingParams{L1: l1, L2: l2, Periodic: periodic, J: 1}, beta)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// exactLogZ is a model's own exact value.
func exactLogZ(t *testing.T, m models.Model) float64 {
	t.Helper()
	if tr := m.(models.Known).Truth(); tr != nil {
		return tr.LogZ
	}
	t.Fatal("the model knows no exact value")
	return 0
}

// zScore is the mean of x minus want in standard errors.
func zScore(x []float64, want float64) (z, mean, se float64) {
	mean, v := stats.MeanVar(x)
	se = math.Sqrt(v / float64(len(x)))
	return (mean - want) / se, mean, se
}
