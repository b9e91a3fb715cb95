package factor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// circuit has gates by clauses: each says that its output is the nand, or the exclusive or, of two earlier wires. All
// but the inputs are barren, so Z is 2^inputs, however wide the circuit is.
func circuit(r *rand.Rand, inputs, gates int) *Graph {
	g := &Graph{States: slices.Repeat([]int{2}, inputs+gates)}
	zero := math.Inf(-1)
	clause := func(on []int, no int) { // the state of these wires that cannot be
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

// TestBarren counts the states of circuits that no other order sums, by blocks too, and draws from one.
func TestBarren(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 10 {
		g := circuit(r, 40, 400)
		p := g.Plan(math.Inf(1))
		if got, _ := g.Eliminate(p, nil); p.First < 400 || !near(got, 40*math.Ln2) {
			t.Fatalf("log Z %v of a circuit, not %v, by %d barren variables", got, 40*math.Ln2, p.First)
		}
		p.First -= len(slices.DeleteFunc(slices.Clone(p.Order[:p.First]), func(v int) bool { return v > 1 }))
		p.Fixed, p.Order = []int{0, 1}, slices.DeleteFunc(p.Order, func(v int) bool { return v < 2 })
		if got, _ := g.Eliminate(p, nil); !near(got, 40*math.Ln2) {
			t.Fatalf("log Z %v of a circuit by four blocks, not %v", got, 40*math.Ln2)
		}
		s, ok := g.Sampler(g.Plan(math.Inf(1)), 0, nil)
		x := make([]int, len(g.States))
		if !ok || !s.Draw(x, r.Float64) || g.LogF(x) != 0 {
			t.Fatal("a sample of a circuit breaks a gate")
		}
	}

	// Half of all circuits have evidence on outputs, so that fewer variables are barren, and few wires.
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
			t.Fatalf("circuit %d: log Z %v, by adding up %v", i, got, c.enumerated())
		}
		if i%2 == 0 && p.First < 4 {
			fewer++
		}

		// Once all inputs are fixed, nothing else is free, and each block has its one state.
		p = Plan{Fixed: []int{0, 1, 2, 3}, Order: []int{4, 5, 6, 7, 8, 9}}
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
		t.Error("evidence on outputs makes no difference")
	}
}
