package factor

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestNarrow has every pass be a plan of all variables with small tables, and of the same sum.
func TestNarrow(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for i := range 200 {
		g := randomGraph(r, 8)
		p := g.pass(g.neighbours(), r.Perm(len(g.States)), 8)
		if p.Width > 3 || len(p.Order)+len(p.Fixed) != len(g.States) {
			t.Fatalf("graph %d: %d + %d of %d variables, tables of 2^%v entries", i, len(p.Order), len(p.Fixed),
				len(g.States), p.Width)
		}
		if got, _ := g.Eliminate(p, nil); !near(got, g.enumerated()) {
			t.Fatalf("graph %d: log Z %v, by adding up %v", i, got, g.enumerated())
		}
	}
}

// TestDense has a graph whose tables would have more entries than a float64 counts: its plan still has every variable,
// so that bounds by it hold, and a plan of small tables is found at once.
func TestDense(t *testing.T) {
	g := &Graph{}
	for i := range 200 {
		g.States = append(g.States, 64)
		for j := range i {
			g.Factors = append(g.Factors, Factor{On: []int{j, i}})
		}
	}
	p := g.Plan(1 << 20)
	if len(p.Order) != 200 || !(p.Ops > hopeless && p.Ops <= mostOps) {
		t.Errorf("an order of %d variables, %v entries", len(p.Order), p.Ops)
	}
	q := g.cutset(g.neighbours(), p, func(q Plan) bool { return q.Kept <= 1<<16 })
	if len(q.Order)+len(q.Fixed) != 200 || q.Kept > 1<<16 || math.IsInf(q.Ops, 0) {
		t.Errorf("%d + %d variables, %v bytes, %v entries", len(q.Order), len(q.Fixed), q.Kept, q.Ops)
	}
}
