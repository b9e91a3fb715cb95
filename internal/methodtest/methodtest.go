package methodtest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"logzlab/core/factor"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/internal/answers"
	"logzlab/internal/labtest"
	"logzlab/models"
	"logzlab/models/conjugate"
	"logzlab/models/density"
	"logzlab/models/graph"
	"logzlab/models/ising"
	"logzlab/models/latent"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
)

// Near fails the test if |got - want| > tol (1 + |want|). what names the number in the message.
func Near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	labtest.Near(t, what, got, want, tol*(1+math.Abs(want)))
}

// shortValues are values of parameters that make a run so short that its bias is visible.
var shortValues = map[string]string{"particles": "5", "chains": "6", "temperatures": "4", "schedule": "linear", "sweeps": "8",
	"burn_in": "2", "init_rounds": "1", "init_sweeps": "4", "islands": "2", "moves": "1", "reseed_sweeps": "5",
	"absent": "off", "ess": "0.9", "gamma": "0.95"}

// ShortSettings returns settings key=value that make runs of a method short. Other parameters keep their defaults.
func ShortSettings(info estimators.Info) (settings []string) {
	for _, p := range info.Params {
		if v, ok := shortValues[p.Name]; ok {
			settings = append(settings, p.Name+"="+v)
		}
	}
	return settings
}

// Config returns the configuration of a run of a method: default parameters, changed by settings key=value.
func Config(t *testing.T, info estimators.Info, m models.Model, seed int, set ...string) estimators.Config {
	t.Helper()
	v := spec.Defaults(info.Params)
	for _, kv := range set {
		k, x, _ := strings.Cut(kv, "=")
		if _, ok := v[k]; !ok {
			t.Fatalf("%s has no parameter %s", info.Name, k)
		}
		v[k] = x
	}
	return estimators.Config{Readers: []estimators.Reader{{Info: info, Values: v}}, Values: v, Model: m,
		Key: rng.NewKey(uint32(seed), info.Run().Name, 0)}
}

// Drive runs a method to its end, one lane after another, and returns its result.
func Drive(t *testing.T, info estimators.Info, c estimators.Config) (estimators.Method, *estimators.Result) {
	t.Helper()
	m, err := estimators.Open(c)
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

// RBM returns a random RBM with m visible and j hidden units: normal weights with standard deviation sd, base rates
// uniform on (0.1, 0.9), and visible biases near the logits of the base rates.
func RBM(t *testing.T, m, j int, sd float64, joint bool) *rbm.Model {
	t.Helper()
	return RBMWith(t, m, j, sd, rbm.Params{Joint: joint})
}

// RBMWith is RBM with the other fields of p.
func RBMWith(t *testing.T, m, j int, sd float64, p rbm.Params) *rbm.Model {
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

// Mixture returns a mixture of two normals of unequal mass and width in d dimensions, wide enough for reverse weights
// to have a variance.
func Mixture(t *testing.T, d int, logC float64) *mixture.Gaussian {
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

// Ising returns an l1 x l2 lattice at inverse temperature beta.
func Ising(t *testing.T, l1, l2 int, periodic bool, beta float64) *ising.Lattice {
	t.Helper()
	m, err := ising.New(ising.Params{L1: l1, L2: l2, Periodic: periodic, J: 1}, beta)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Graph returns a ring of n variables with the given number of states, random fields and couplings. If zeros > 0, chords
// are added, and a fraction zeros of the entries of the tables is 0.
func Graph(t *testing.T, n, states int, zeros float64, seed int) *graph.Graph {
	t.Helper()
	s := rng.NewKey(uint32(seed), "graph", n).Stream(0, 0, 0)
	g := &factor.Graph{}
	add := func(variables ...int) {
		f := factor.Factor{Vars: variables}
		for range int(math.Pow(float64(states), float64(len(variables)))) {
			x := .8 * s.Normal()
			if len(variables) > 1 && s.Float64() < zeros {
				x = math.Inf(-1)
			}
			f.Table = append(f.Table, x)
		}
		g.Factors = append(g.Factors, f)
	}

	// Fields on all variables, then the ring with chords.
	for v := range n {
		g.States = append(g.States, states)
		add(v)
	}
	for v := range n {
		add(v, (v+1)%n)
		if v%2 == 0 && zeros > 0 {
			add(v, (v+1)%n, (v+3)%n)
		}
	}

	// The model of the graph.
	p, err := graph.FileOf(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := graph.New(p, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ExactLogZ returns the exact log Z of a model that knows it.
func ExactLogZ(t *testing.T, m models.Model) float64 {
	t.Helper()
	if tr := models.TruthOf(m); tr != nil {
		return tr.LogZ
	}
	t.Fatal("the model has no exact value")
	return 0
}

// ZScore returns (mean of x - want) / se, the mean and its standard error.
func ZScore(x []float64, want float64) (z, mean, se float64) {
	mean, v := stats.MeanVar(x)
	se = math.Sqrt(v / float64(len(x)))
	return (mean - want) / se, mean, se
}

// latentKinds are the kinds with latent variables or a closed form.
var latentKinds = models.Kinds{&latent.GLMMKind, &latent.SVKind, &latent.LGSSMKind, &conjugate.LinregKind,
	&conjugate.BetabinomKind, &conjugate.NIGKind}

// LatentModel opens a built-in model, or else the file public_NAME.json of package answers, with parameters key=value.
func LatentModel(t *testing.T, name string, set ...string) models.Model {
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

// FixedNoise returns a normal posterior in the plane whose log likelihood is estimated with normal noise of variance
// s2; its log Z is log N(y; 0, 1 + v) per coordinate.
func FixedNoise(t *testing.T, s2 float64) (m models.Model, logZ float64) {
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

// TwoModes returns an RBM with one hidden unit, which Gibbs sweeps seldom switch. While a growing method has added few
// visible units, the unit is 0 with a probability of nearly 1; with all visible units it is 1.
func TwoModes(t *testing.T) *rbm.Model {
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

// Bits returns the numbers of a result as hexadecimal floats, to compare results bit by bit.
func Bits(r *estimators.Result) string {
	s := fmt.Sprintf("%x %x %x %x", r.LogZ, r.SE, r.Lower, r.Upper)
	for _, k := range r.Ladder {
		s += fmt.Sprintf(" %x,%x,%x", k.Beta, k.LogZ, k.SE)
	}
	for _, k := range r.Stages {
		s += fmt.Sprintf(" %x", k)
	}
	return s + fmt.Sprintf("%v", r.Diagnostics)
}

// Models returns a small model of each kind.
func Models(t *testing.T) map[string]models.Model {
	return map[string]models.Model{
		"rbm": RBM(t, 7, 4, .8, false), "rbm joint": RBM(t, 7, 4, .8, true),
		"mixture": Mixture(t, 2, 3), "ising": Ising(t, 3, 4, true, .4),
		"graph": Graph(t, 9, 3, .1, 1),
	}
}

// BigRBM returns an RBM whose log Z is near 1e4, because of 40 large hidden biases.
func BigRBM(t *testing.T) models.Model {
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

// NearAll applies Near to the elements of two lists, which must have equal lengths.
func NearAll(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d values, want %d", what, len(got), len(want))
	}
	for k := range want {
		Near(t, what, got[k], want[k], tol)
	}
}
