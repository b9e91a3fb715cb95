package lab_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/estimators"
	"logzlab/estimators/lab"
	"logzlab/models/density"
)

// Estimate gives the same result as the link with the same settings, bit for bit.
func TestEstimateEqualsLink(t *testing.T) {
	t.Parallel()
	var l lab.Lab
	m, err := l.Open("ising16", "beta=0.44")
	if err != nil {
		t.Fatal(err)
	}
	got, err := l.Estimate(context.Background(), m, "ais", "seed=3", "ais.temperatures=200") // as in the link
	if err != nil {
		t.Fatal(err)
	}
	want, err := l.Run(context.Background(), "v=1&model=ising16&beta=0.44&method=ais&seed=3&ais.temperatures=200")
	if err != nil {
		t.Fatal(err)
	}
	if got.LogZ != want[0].LogZ || got.SE != want[0].SE {
		t.Errorf("log Z = %v +- %v, the link gives %v +- %v", got.LogZ, got.SE, want[0].LogZ, want[0].SE)
	}
}

// Invalid names, settings, files and densities are errors, and so is the end of the context.
func TestInvalidArgumentsAreErrors(t *testing.T) {
	t.Parallel()
	var l lab.Lab
	m, err := l.Open("ising16")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]string{
		{"nosuch"}, {"ais", "temperatures=1"}, {"ais", "nosuch=1"}, {"ais", "chains"}, {"rm"}, {"ais", "beta=1"},
	} {
		if r, err := l.Estimate(context.Background(), m, bad[0], bad[1:]...); err == nil {
			t.Errorf("%v: log Z = %v, not an error", bad, r.LogZ)
		}
	}
	for _, bad := range [][]string{{"nosuch"}, {"ising16", "beta=x"}, {"ising16", "nosuch=1"}, {"ising16", "beta"}} {
		if _, err := l.Open(bad[0], bad[1:]...); err == nil {
			t.Errorf("Open(%q): no error", bad)
		}
	}

	// Settings without effect: the error names the key.
	for _, bad := range []struct{ name, setting, key string }{
		{"ising16", "seed=3", "seed"}, {"ising16", "replicates=3", "replicates"}, {"ising16", "target=0.1", "target"},
		{"ising16", "limit=1000", "limit"}, {"mixture10", "leaps=3", "leaps"},
	} {
		if _, err := l.Open(bad.name, bad.setting); err == nil || !strings.Contains(err.Error(), bad.key+" has no effect") {
			t.Errorf("Open(%q, %q): %v, want an error that names %s", bad.name, bad.setting, err, bad.key)
		}
	}
	for _, good := range [][]string{{"mixture10", "proposal=hmc", "leaps=3"}, {"rbm-pcd-20", "start=uniform"}} {
		if _, err := l.Open(good[0], good[1:]...); err != nil {
			t.Errorf("Open(%q): %v", good, err)
		}
	}
	if _, err := l.Read("two.json", []byte(twoNormals), "leaps=3"); err == nil || !strings.Contains(err.Error(), "leaps has no effect") {
		t.Errorf("Read with leaps = 3: %v, want an error that names leaps", err)
	}
	var missing context.Context
	if _, err := l.Estimate(missing, m, "ais"); err == nil || !strings.Contains(err.Error(), "ctx is nil") {
		t.Errorf("Estimate without a context: %v", err)
	}
	if _, err := l.Run(missing, "v=1&model=ising16&method=ais"); err == nil || !strings.Contains(err.Error(), "ctx is nil") {
		t.Errorf("Run without a context: %v", err)
	}
	for _, bad := range []lab.Lab{{Methods: []lab.Method{{Name: "ais"}}}, {Methods: []lab.Method{{Name: "mine"}}},
		{Kinds: []*lab.Kind{nil}}, {Kinds: []*lab.Kind{{Name: "rbm"}}}} {
		if _, err := bad.Open("ising16"); err == nil {
			t.Errorf("%+v opens a model", bad)
		}
	}
	if _, err := l.Estimate(context.Background(), nil, "ais"); err == nil {
		t.Error("no model is estimated")
	}
	if _, err := l.Estimate(context.Background(), m, "ais", "seed=4", "seed=5"); err == nil {
		t.Error("a setting that is given twice is taken")
	}
	for _, value := range []float64{math.NaN(), math.Inf(1)} {
		if _, err := lab.Density("bad", density.Density{Dim: 1, LogBase: func(x []float64) float64 { return -x[0] * x[0] / 2 },
			DrawBase: func(s *rng.Stream, x []float64) { x[0] = s.Norm() },
			LogF:     func([]float64) float64 { return value }}, density.Kernel{}); err == nil {
			t.Errorf("a density of %v is a model", value)
		}
	}
	if _, err := l.Read("bad.json", []byte("{")); err == nil {
		t.Error("a broken file is read")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.Estimate(ctx, m, "ais"); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// The lists of names have the built-in methods and models and the program's own methods.
func TestNamesIncludeOwnMethods(t *testing.T) {
	t.Parallel()
	l := lab.Lab{Methods: []lab.Method{{Name: "mine", New: func(estimators.Config) (estimators.Method, error) { return nil, nil }}}}
	if names := l.MethodNames(); !slices.Contains(names, "ais") || !slices.Contains(names, "mine") {
		t.Errorf("MethodNames() = %v, want ais and mine among them", names)
	}
	if names := l.ModelNames(); !slices.Contains(names, "ising16") {
		t.Errorf("ModelNames() = %v, want ising16 among them", names)
	}
}

// If a density is NaN at some points, the error of a method that fails names such a point.
func TestErrorNamesPointOfNaN(t *testing.T) {
	t.Parallel()
	m, err := lab.Density("cut", density.Density{Dim: 2,
		LogBase:  func(x []float64) float64 { return -(x[0]*x[0]+x[1]*x[1])/2 - math.Log(2*math.Pi) },
		DrawBase: func(s *rng.Stream, x []float64) { x[0], x[1] = s.Norm(), s.Norm() },
		LogF: func(x []float64) float64 {
			if x[0] < -2.2 || x[0] > 2.2 {
				return math.NaN()
			}
			return 4*x[0] - x[1]*x[1]/2
		}}, density.Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"auto", "smc", "is"} {
		_, err := lab.Lab{}.Estimate(context.Background(), m, method)
		if err == nil || !strings.HasPrefix(err.Error(), "cut: LogF is NaN at [") {
			t.Errorf("%s: error %v, want cut: LogF is NaN at a point", method, err)
		}
	}

	// Without the stored point of Density, the error is that of the method, and names the method once.
	_, err = lab.Lab{}.Estimate(context.Background(), struct{ lab.Model }{m}, "smc")
	if err == nil || !strings.Contains(err.Error(), "NaN or infinite") || strings.Contains(err.Error(), "smc: smc:") {
		t.Errorf("smc: error %v, want one about NaN that names smc once", err)
	}
}

// twoNormals is a model file.
const twoNormals = `{"kind": "gmm", "d": 1, "weights": [0.5, 0.5], "means": [[-2], [2]], "sds": [1, 1], "base_sd": 3, "logC": 0}`
