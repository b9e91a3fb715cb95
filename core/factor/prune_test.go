package factor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// circuit returns gates as clauses: each gate's output is the nand, or the exclusive or, of two earlier wires. All
// variables but the inputs are prunable, so Z is 2^inputs for any width of the circuit.
func circuit(r *rand.Rand, inputs, gates int) *Graph {
	g := &Graph{States: slices.Repeat([]int{2}, inputs+gates)}
	zero := math.Inf(-1)
	clause := func(on []int, no int) { // forbids state no of these wires
		table := make([]float64, 1<<len(on))
		table[no] = zero
		g.Factors = append(g.Factors, Factor{on, table})
	}
	for o := inputs; o < inputs+gates; o++ {
		a := r.IntN(o)
		b := (a + 1 + r.IntN(o-1)) % o
		if r.IntN(2) == 0 { // nand
			clause([]int{a, b, o}, 0b111)
			clause([]int{a, o}, 0b00)
			clause([]int{b, o}, 0b00)
			continue
		}
		for ab := range 4 {
			clause([]int{a, b, o}, ab<<1|(ab>>1^ab&1^1))
		}
	}
	return g
}

// TestPruning sums circuits that no order sums without pruning, also by blocks, and draws samples.
func TestPruning(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 10 {
		g := circuit(r, 40, 400)
		p := g.Plan(math.Inf(1))
		if got, _ := g.Eliminate(p, nil); p.Prunable() < 400 || !near(got, 40*math.Ln2) {
			t.Fatalf("circuit: Eliminate = %v, want %v; %d prunable variables", got, 40*math.Ln2, p.Prunable())
		}
		p.Cutset, p.Order = []int{0, 1}, slices.DeleteFunc(p.Order, func(v int) bool { return v < 2 })
		if got, _ := g.Eliminate(p, nil); !near(got, 40*math.Ln2) {
			t.Fatalf("circuit by four blocks: Eliminate = %v, want %v", got, 40*math.Ln2)
		}
		s, ok := g.Sampler(g.Plan(math.Inf(1)), 0, nil)
		x := make([]int, len(g.States))
		if !ok || !s.Draw(x, r.Float64) || g.LogF(x) != 0 {
			t.Fatal("a sample of a circuit violates a gate")
		}
	}

	// Half of the circuits have evidence on outputs, so that fewer variables are prunable.
	fewer := 0
	for i := range 200 {
		g := circuit(r, 4, 6)
		evidence := map[int]int{}
		if i%2 == 0 {
			evidence = map[int]int{9: r.IntN(2), 8: r.IntN(2)}
		}
		c, _ := g.Condition(evidence)
		p := c.Plan(math.Inf(1))
		if got, _ := c.Eliminate(p, nil); !near(got, c.enumerated()) {
			t.Fatalf("circuit %d: Eliminate = %v, want %v", i, got, c.enumerated())
		}
		if i%2 == 0 && p.Prunable() < 4 {
			fewer++
		}

		// With all inputs fixed, every wire is determined, and each block has one state.
		p = Plan{Cutset: []int{0, 1, 2, 3}, Order: []int{4, 5, 6, 7, 8, 9}}
		for b := range p.Blocks(g) {
			block, known := g.block(p, b)
			s, ok := g.Sampler(p, b, nil)
			x := make([]int, len(g.States))
			if sum, _ := g.Block(p, b, nil); len(known) != 10 || block.States[9] != 1 || sum != 0 || !ok ||
				!s.Draw(x, r.Float64) || g.LogF(x) != 0 {
				t.Fatalf("block %d of circuit %d: %d known variables, sum %v, sample %v", b, i, len(known), sum, x)
			}
		}
	}
	if fewer == 0 {
		t.Error("evidence on outputs never reduced the number of prunable variables")
	}
}

// TestPrunedTables checks that no sum makes larger tables than the plan states: in blocks whose cutset determines the
// output of a gate, and for sums that are equal as logs but differ by rounding as values.
func TestPrunedTables(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	check := func(g *Graph, p Plan) {
		t.Helper()
		for b := range min(p.Blocks(g), 4) {
			s, _ := g.Sampler(p, b, nil)
			for i, joint := range s.joint[p.Prunable():] {
				for _, table := range joint {
					if float64(len(table.v)) > 1.001*math.Exp2(p.Width) {
						t.Fatalf("block %d: table of %d entries for variable %d, plan has width %v", b, len(table.v),
							s.order[p.Prunable()+i], p.Width)
					}
				}
			}
		}
	}

	// Gates of three inputs: one spin of a complete graph and two spins of a chain.
	const core, chain, gates = 10, 20, 200
	g := &Graph{States: slices.Repeat([]int{2}, core+chain+gates)}
	for i := range core + chain - 1 {
		for j := range i {
			if i < core || j == i-1 {
				g.Factors = append(g.Factors, Factor{[]int{j, i}, []float64{.1, 0, 0, .2}})
			}
		}
	}
	want, _ := g.Eliminate(g.Plan(math.Inf(1)), nil)
	want -= gates * math.Ln2
	zero := math.Inf(-1)
	and := []float64{0, zero, 0, zero, 0, zero, 0, zero, 0, zero, 0, zero, 0, zero, zero, 0}
	for o := core + chain; o < len(g.States); o++ {
		on := r.Perm(chain)[:2]
		g.Factors = append(g.Factors, Factor{[]int{r.IntN(core), core + on[0], core + on[1], o}, and})
	}
	p := g.Plan(1 << 11)
	if p.Prunable() != gates || len(p.Cutset) == 0 {
		t.Fatalf("%d prunable variables, cutset %v", p.Prunable(), p.Cutset)
	}
	check(g, p)
	if got, _ := g.Eliminate(p, nil); !near(got, want) {
		t.Errorf("Eliminate = %v, without gates %v", got, want)
	}
	for _, v := range g.Plan(0).Cutset {
		if v >= core+chain {
			t.Errorf("prunable variable %d is in the cutset", v)
		}
	}

	// unpruned treats no variable as prunable.
	if p = g.unpruned(p); p.Prunable() != 0 || p.Width < 8 {
		t.Errorf("unpruned plan: %d prunable variables, width %v", p.Prunable(), p.Width)
	}

	// All rows of the table are permutations of one row, with large values.
	for range 300 {
		g := &Graph{States: []int{3, 3, 4}}
		f := Factor{Vars: []int{0, 1, 2}}
		row := []float64{100 + r.NormFloat64(), 100 + r.NormFloat64(), 100 + r.NormFloat64(), zero}
		for range 9 {
			for _, k := range r.Perm(4) {
				f.Table = append(f.Table, row[k])
			}
		}
		g.Factors = append(g.Factors, f)
		p := g.Plan(math.Inf(1))
		check(g, p)
		if got, _ := g.Eliminate(p, nil); !near(got, g.enumerated()) {
			t.Errorf("Eliminate = %v, want %v", got, g.enumerated())
		}
	}
}
