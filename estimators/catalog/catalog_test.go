package catalog

import (
	"strings"
	"testing"

	"logzlab/core/spec"
)

// Names and parameters are parts of links: they must be safe in a link, without duplicates, and every default must be
// its own canonical text.
func TestParameters(t *testing.T) {
	check := func(owner string, params []spec.Param) {
		t.Helper()
		seen := map[string]bool{}
		for _, p := range params {
			if seen[p.Name] || strings.Trim(p.Name, "abcdefghijklmnopqrstuvwxyz_") != "" {
				t.Errorf("%s: parameter %q", owner, p.Name)
			}
			seen[p.Name] = true
			if p.Default != "" { // "" is the model's own
				if c, err := p.Canonical(p.Name, p.Default); err != nil || c != p.Default {
					t.Errorf("%s: default %s = %q is canonically %q, %v", owner, p.Name, p.Default, c, err)
				}
			}
			if strings.Count(p.Help, ".") < 1 || !strings.HasSuffix(p.Help, ".") {
				t.Errorf("%s: help of %s is not a sentence: %q", owner, p.Name, p.Help)
			}
		}
	}
	for i, m := range Methods {
		check(m.Name, m.Params)
		if m.Label == "" || m.About == "" || m.Short == "" || len(m.Checks) == 0 || m.Run().New == nil ||
			m.Provenance == 0 {
			t.Errorf("method %d is incomplete: %+v", i, m)
		}
		if got, ok := Method(m.Name); !ok || got.Label != m.Label {
			t.Errorf("method %s is not found by its name", m.Name)
		}
	}
	for _, kind := range Kinds {
		check("kind "+kind.Name, kind.Params)
	}
	check("own files", Kinds.Params(""))
	if _, ok := Method("nosuch"); ok {
		t.Error("a method that does not exist was found")
	}
}

// The names that the catalogue gives in messages are those that it knows.
func TestNames(t *testing.T) {
	n := Names{}
	for _, name := range n.ModelNames() {
		if !n.HasModel(name) {
			t.Errorf("model %s is not known", name)
		}
	}
	for _, name := range n.MethodNames() {
		if _, ok := n.MethodParams(name); !ok {
			t.Errorf("method %s is not known", name)
		}
	}
	if n.HasModel("nosuch") || n.HasModel("") {
		t.Error("a model that does not exist is known")
	}
	if _, ok := n.MethodParams("nosuch"); ok {
		t.Error("a method that does not exist is known")
	}
	// A user's own file may be of any kind, so its link may set any kind's parameters.
	if len(n.ModelParams("file:0123456789ab")) < 3 || len(n.ModelParams("ising16")) != 2 {
		t.Errorf("parameters: own file %v, ising16 %v", n.ModelParams("file:0123456789ab"), n.ModelParams("ising16"))
	}
}
