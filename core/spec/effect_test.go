package spec_test

import (
	"strings"
	"testing"

	"logzlab/core/spec"
)

// Only keeps the settings that the result of a method depends on, and nothing else.
func TestOnly(t *testing.T) {
	t.Parallel()
	s, err := spec.ParseLink("v=1&model=ising16&method=ais,rts&seed=9&ais.chains=7&beta=0.3&rts.chains=8&replicates=2"+
		"&view.scene=trace", names)
	if err != nil {
		t.Fatal(err)
	}
	want := "v=1&model=ising16&method=rts&seed=9&beta=0.3&rts.chains=8&replicates=2"
	if got := s.Only(names, "rts").Link(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	params, _ := names.MethodParams("rts")
	if v := s.Values(params, "rts"); v.Int("chains") != 8 || v.Int("temperatures") == 0 {
		t.Errorf("Values(rts) = %v", v)
	}
	if v := s.Values(names.ModelParams("ising16"), ""); v.Float("beta") != 0.3 {
		t.Errorf("Values of the model = %v", v)
	}
	// The order in which units are formed has no effect on ais.
	if s, err = spec.ParseLink("v=1&model=rbm-pcd-20&method=ais,rm,arm&order=random&rm.absent=off", names); err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string]string{"ais": "v=1&model=rbm-pcd-20&method=ais",
		"arm": "v=1&model=rbm-pcd-20&method=arm", // absent=sampled orders units itself
		"rm":  "v=1&model=rbm-pcd-20&method=rm&order=random&rm.absent=off"} {
		if got := s.Only(names, method).Link(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A method without a target keeps no limit when Only separates it from one that has a target.
func TestOnlyDropsLimit(t *testing.T) {
	t.Parallel()
	s, err := spec.ParseLink("v=1&model=mixture2&method=auto,ais&limit=1000", names)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Only(names, "ais").Link(); strings.Contains(got, "limit") {
		t.Errorf("Only(ais) = %s, want no limit", got)
	}
	if got := s.Only(names, "auto").Link(); !strings.Contains(got, "limit=1000") {
		t.Errorf("Only(auto) = %s, want limit=1000", got)
	}
	if s, _ = spec.ParseLink("v=1&model=mixture2&method=auto,ais&target=0.1", names); s.Only(names, "auto").Target != 0 {
		t.Error("Only(auto) keeps the target, which is auto's default")
	}
	if _, err := spec.ParseLink("v=1&model=mixture2&method=auto&replicates=3&limit=1000", names); err == nil {
		t.Error("a limit without a target is accepted")
	}
}
