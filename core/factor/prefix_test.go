package factor

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPrefixLogZ checks that entry n is the sum over the first n variables of the product of the factors on these
// variables only.
func TestPrefixLogZ(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for i := range 200 {
		g := randomGraph(r, 7)
		order := r.Perm(len(g.States))
		got := g.PrefixLogZ(order, nil)
		if len(got) != len(order) {
			t.Fatalf("graph %d: %d values, want %d", i, len(got), len(order))
		}
		there := make([]bool, len(order))
		for n, v := range order {
			there[v] = true
			part := &Graph{States: make([]int, len(order))}
			for u := range there {
				part.States[u] = 1
				if there[u] {
					part.States[u] = g.States[u]
				}
			}
			for _, f := range g.Factors {
				all := true
				for _, u := range f.Vars {
					all = all && there[u]
				}
				if all {
					part.Factors = append(part.Factors, f)
				}
			}
			if want := part.enumerated(); !near(got[n], want) {
				t.Fatalf("graph %d: log Z_%d = %v, want %v", i, n+1, got[n], want)
			}
		}
	}
	wide := glass(40, 1)
	along := make([]int, len(wide.States))
	for v := range along {
		along[v] = v
	}
	if wide.PrefixLogZ(along, nil) != nil {
		t.Error("PrefixLogZ summed 2^40 entries, want nil")
	}
	some := glass(16, 1)
	all := some.PrefixLogZ(along[:256], nil)
	want, _ := some.Eliminate(some.Plan(math.Inf(1)), nil)
	if math.Abs(all[255]-want) > 1e-9 {
		t.Errorf("last value = %v, log Z = %v", all[255], want)
	}
}
