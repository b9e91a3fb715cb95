package engine

import (
	"context"
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models/ising"
)

// Estimate gives the digits of the link with the same settings, and names what is wrong.
func TestEstimate(t *testing.T) {
	m, err := ising.New(ising.Params{L1: 4, L2: 4, Periodic: true, J: 1}, 0.44)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Estimate(context.Background(), m, "ais", "seed=3", "temperatures=20")
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.ParseLink("v=1&model=ising16&method=ais&seed=3&ais.temperatures=20", catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	j, err := NewJob(s, m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(context.Background(), j, 1, nil); err != nil {
		t.Fatal(err)
	}
	if want := j.Standing("ais").Results[0]; got.LogZ != want.LogZ || got.SE != want.SE {
		t.Errorf("log Z = %v +- %v, the link gives %v +- %v", got.LogZ, got.SE, want.LogZ, want.SE)
	}
	for _, bad := range [][]string{
		{"nosuch"}, {"ais", "temperatures=1"}, {"ais", "nosuch=1"}, {"ais", "chains"}, {"rm"}, {"ais", "beta=1"},
	} {
		if r, err := Estimate(context.Background(), m, bad[0], bad[1:]...); err == nil {
			t.Errorf("%v: log Z = %v, not an error", bad, r.LogZ)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Estimate(ctx, m, "ais"); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}
