package factor

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBounds checks that every interval contains log Z, including those of tables too small to be exact, and that the
// last interval is exact.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	wide := 0
	for i := range 300 {
		g := randomGraph(r, 8)
		want := g.enumerated()
		slack := 1e-11 * max(1, math.Abs(want))
		p := g.Plan(math.Inf(1))
		for _, entries := range []float64{4, 8, 16} {
			bound, s, _ := g.MiniBuckets(Buckets{p.Order, i%2 == 0}, Effort{entries, math.Inf(1)}, nil)
			if bound < want-slack {
				t.Fatalf("graph %d: upper bound %v with %v entries, log Z = %v", i, bound, entries, want)
			}
			if bound > want+.1 {
				wide++
			}
			x := make([]int, len(g.States))
			if !s.Draw(x, r.Float64) {
				continue
			}
			small := func(q Plan) bool { return q.Width <= math.Log2(entries) }
			if low, _ := g.MeanField(p, x, small, nil); low > want+slack {
				t.Fatalf("graph %d: lower bound %v with %v entries, log Z = %v", i, low, entries, want)
			}
		}
		below, above := math.Inf(-1), math.Inf(1)
		g.Bounds(p, Effort{1 << 16, 1 << 30}, r.Float64, nil, func(b, a float64) bool { below, above = b, a; return true })
		if !(below <= want && want <= above && (below == above || above-below <= 3*g.rounding())) {
			t.Fatalf("graph %d: last interval [%v, %v], log Z = %v", i, below, above, want)
		}
	}

	// If bounds take as much work as the exact sum, the exact sum ends the search.
	c, steps, ends := circuit(r, 40, 400), 0, [2]float64{}
	c.Bounds(c.Plan(math.Inf(1)), Effort{1 << 16, 1 << 30}, r.Float64, nil, func(b, a float64) bool {
		steps, ends = steps+1, [2]float64{b, a}
		return true
	})
	if want := 40 * math.Ln2; steps != 1 || !(ends[0] <= want && want <= ends[1] && ends[1]-ends[0] < 1e-8) {
		t.Errorf("circuit: %d intervals, the last %v; want 1, log Z = %v", steps, ends, want)
	}
	g := glass(6, 1)
	if _, _, ok := g.MiniBuckets(Buckets{Order: g.Plan(math.Inf(1)).Order}, Effort{1 << 16, 1 << 11}, nil); ok {
		t.Error("MiniBuckets exceeded the memory limit")
	}
	if wide < 50 {
		t.Errorf("only %d bounds were inexact, want at least 50", wide)
	}
}

// TestMeanFieldImproves checks that a structured mean field gives a larger bound than the plain mean field, and that
// the plain one gives a larger bound than the initial state.
func TestMeanFieldImproves(t *testing.T) {
	g := glass(6, .4)
	p := g.Plan(math.Inf(1))
	want, _ := g.Eliminate(p, nil)
	x := make([]int, len(g.States))
	all, _ := g.MeanField(p, x, func(q Plan) bool { return len(q.Order) == 0 }, nil)
	some, _ := g.MeanField(p, x, func(q Plan) bool { return q.Width <= 3 }, nil)
	if !(g.LogF(x) < all && all < some && some < want) {
		t.Errorf("state %v, independent %v, structured %v, log Z %v", g.LogF(x), all, some, want)
	}
	t.Logf("state %.2f, independent %.2f, structured %.2f, log Z %.2f", g.LogF(x), all, some, want)
}

// glass is an open square lattice of spins with couplings -1 or 1 times scale.
func glass(side int, scale float64) *Graph {
	r := rand.New(rand.NewPCG(11, 12))
	g := &Graph{}
	couple := func(a, b int) {
		j := scale * float64(2*r.IntN(2)-1)
		g.Factors = append(g.Factors, Factor{[]int{a, b}, []float64{j, -j, -j, j}})
	}
	for i := range side * side {
		g.States = append(g.States, 2)
		if i%side > 0 {
			couple(i-1, i)
		}
		if i >= side {
			couple(i-side, i)
		}
	}
	return g
}

func BenchmarkGlass(b *testing.B) {
	g := glass(20, 1)
	p := g.Plan(math.Inf(1))
	for b.Loop() {
		g.Eliminate(p, nil)
	}
	b.ReportMetric(p.Ops*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mop/s")
}
