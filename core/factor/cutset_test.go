package factor

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestCutsetPass checks that each pass gives a plan of all variables with small tables and the same sum.
func TestCutsetPass(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for i := range 200 {
		g := randomGraph(r, 8)
		p := g.cutsetPass(g.neighbours(), r.Perm(len(g.States)), 8)
		if p.Width > 3 || len(p.Order)+len(p.Cutset) != len(g.States) {
			t.Fatalf("graph %d: order of %d and cutset of %d of %d variables, width %v", i, len(p.Order), len(p.Cutset),
				len(g.States), p.Width)
		}
		if got, _ := g.Eliminate(p, nil); !near(got, g.enumerated()) {
			t.Fatalf("graph %d: Eliminate = %v, want %v", i, got, g.enumerated())
		}
	}
}

// TestDense checks a graph whose tables would have more entries than a float64 can count: its plan still has every
// variable, so that bounds remain valid, and a plan with small tables is found at once.
func TestDense(t *testing.T) {
	g := &Graph{}
	for i := range 200 {
		g.States = append(g.States, 64)
		for j := range i {
			g.Factors = append(g.Factors, Factor{Vars: []int{j, i}})
		}
	}
	p := g.Plan(1 << 20)
	if len(p.Order) != 200 || !(p.Ops > hopelessOps && p.Ops <= saturatedOps) {
		t.Errorf("plan has %d variables and %v operations", len(p.Order), p.Ops)
	}
	q := g.cutset(g.neighbours(), p, func(q Plan) bool { return q.SamplerBytes <= 1<<16 })
	if len(q.Order)+len(q.Cutset) != 200 || q.SamplerBytes > 1<<16 || math.IsInf(q.Ops, 0) {
		t.Errorf("cutset plan: %d + %d variables, %v bytes, %v operations", len(q.Order), len(q.Cutset), q.SamplerBytes, q.Ops)
	}
}
