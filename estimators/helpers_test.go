package estimators

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"logzlab/core/labtest/answers"
	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/core/spec"
	"logzlab/core/stats"
	"logzlab/models"
	"logzlab/models/conjugate"
	"logzlab/models/density"
	"logzlab/models/ising"
	"logzlab/models/latent"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
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
	return Config{Readers: []Reader{{Info: info, Values: v}}, Values: v, Model: m,
		Key: rng.NewKey(uint32(seed), info.Run().Name, 0)}
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
func testRBM(t *testing.T, m, j int, sd float64, joint bool) *rbm.Machine {
	t.Helper()
	return pathRBM(t, m, j, sd, rbm.Params{Joint: joint})
}

// pathRBM is testRBM with the form and the path of p.
func pathRBM(t *testing.T, m, j int, sd float64, p rbm.Params) *rbm.Machine {
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
	r, err := rbm.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// testMixture has two hills of unequal mass and width in d dimensions, wide enough
// for reverse weights to have a variance.
func testMixture(t *testing.T, d int, logC float64) *mixture.Gaussian {
	t.Helper()
	f := mixture.GaussianParams{D: d, BaseSD: 1.3, LogC: logC, Weights: []float64{.7, .3}, SDs: []float64{.9, .7},
		Means: [][]float64{make([]float64, d), make([]float64, d)}}
	for i := range d {
		f.Means[0][i], f.Means[1][i] = 1/math.Sqrt(float64(d)), -1.5/math.Sqrt(float64(d))
	}
	m, err := mixture.NewGaussian(f, density.Kernel{Moves: 2})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func testIsing(t *testing.T, l1, l2 int, periodic bool, beta float64) *ising.Lattice {
	t.Helper()
	m, err := ising.New(ising.Params{L1: l1, L2: l2, Periodic: periodic, J: 1}, beta)
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

// latentKinds are kinds with latent variables, and kinds with a closed form.
var latentKinds = models.Kinds{&latent.GLMMKind, &latent.SVKind, &latent.LGSSMKind, &conjugate.LinregKind,
	&conjugate.NIGKind}

// latentModel opens a file of the shared known answers, or a built-in model, at key=value of its parameters.
func latentModel(t *testing.T, name string, set ...string) models.Model {
	t.Helper()
	v := spec.Values{}
	for _, kv := range set {
		k, x, _ := strings.Cut(kv, "=")
		v[k] = x
	}
	if _, ok := latentKinds.Find(name); ok {
		m, err := latentKinds.Open(name, v, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	f, err := latentKinds.ReadFile(answers.Read(t, "public_"+name+".json"), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.FromFile("own", f, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// fixedNoise is a normal posterior in the plane whose log likelihood is estimated with normal noise of variance s2; its
// log Z is log N(y; 0, 1 + v) for each coordinate.
func fixedNoise(t *testing.T, s2 float64) (m models.Model, logZ float64) {
	const y, v = 1.5, .1
	sd := math.Sqrt(s2)
	normal := func(x, v float64) float64 { return -(x*x/v + math.Log(2*math.Pi*v)) / 2 }
	d := density.Density{Dim: 2, LogBase: func(x []float64) float64 { return normal(x[0], 1) + normal(x[1], 1) },
		DrawBase: func(s *rng.Stream, x []float64) { x[0], x[1] = s.Norm(), s.Norm() },
		Estimate: func() models.Estimator {
			return func(s *rng.Stream, x []float64) float64 {
				return normal(x[0]-y, v) + normal(x[1]-y, v) + sd*s.Norm() - s2/2
			}
		}}
	space, err := density.New(models.Info{Name: "noise", Kind: "test"}, d, density.Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	return space, 2 * normal(y, 1+v)
}

// twoModes has one hidden unit: while few visible units are there, it is off with
// nearly all of the mass, at the end on, and Gibbs sweeps seldom switch it.
func twoModes(t *testing.T) *rbm.Machine {
	t.Helper()
	p := rbm.Params{M: 8, J: 1, B: []float64{-6}}
	for range p.M {
		p.W, p.C, p.P1 = append(p.W, 3.5), append(p.C, -2), append(p.P1, .5)
	}
	m, err := rbm.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bits lists every number of a result with all its bits.
func bits(r *Result) string {
	s := fmt.Sprintf("%x %x %x %x", r.LogZ, r.SE, r.Lower, r.Upper)
	for _, k := range r.Ladder {
		s += fmt.Sprintf(" %x,%x,%x", k.Beta, k.LogZ, k.SE)
	}
	for _, k := range r.Stages {
		s += fmt.Sprintf(" %x", k)
	}
	return s + fmt.Sprintf("%v", r.Diagnostics)
}

func conformingModels(t *testing.T) map[string]models.Model {
	return map[string]models.Model{
		"rbm": testRBM(t, 7, 4, .8, false), "rbm joint": testRBM(t, 7, 4, .8, true),
		"moments": pathRBM(t, 5, 2, .8, rbm.Params{Moments: true}),
		"mixture": testMixture(t, 2, 3), "ising": testIsing(t, 3, 4, true, .4),
	}
}

// bigRBM has log Z near 1e4: 40 strong hidden biases.
func bigRBM(t *testing.T) models.Model {
	t.Helper()
	p := rbm.Params{M: 12, J: 40, W: make([]float64, 12*40), C: make([]float64, 12), B: make([]float64, 40),
		P1: make([]float64, 12)}
	for i := range p.P1 {
		p.P1[i] = .5
	}
	for i := range p.W {
		p.W[i] = .1 * float64(i%7-3)
	}
	for j := range p.B {
		p.B[j] = 250
	}
	m, err := rbm.New(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
