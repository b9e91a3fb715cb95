package lab_test

import (
	"context"
	"math"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/estimators/lab"
	"logzlab/models/density"
)

// Estimate gives the digits of the link with the same settings.
func TestEstimate(t *testing.T) {
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

// Names and settings that are wrong are errors, and so is the end of the context.
func TestRefused(t *testing.T) {
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
			t.Errorf("%v is opened", bad)
		}
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
