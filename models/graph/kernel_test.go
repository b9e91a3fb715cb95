package graph

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"logzlab/core/factor"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// transition returns the exact distribution over states after one sweep of single-site Gibbs sampling that starts in
// state from, at inverse temperature b, in the given order of variables.
func transition(g plain, order []int, b float64, from int) []float64 {
	count, stride := 1, make([]int, len(g.states))
	for v := len(g.states) - 1; v >= 0; v-- {
		stride[v] = count
		count *= g.states[v]
	}
	w := make([]float64, count)
	i := 0
	g.forEachState(nil, func(_ []int, weight float64) { w[i] = math.Pow(weight, b); i++ })
	p := make([]float64, count)
	p[from] = 1
	for _, v := range order {
		q := make([]float64, count)
		for s, mass := range p {
			at := s - s/stride[v]%g.states[v]*stride[v]
			sum := 0.0
			for k := range g.states[v] {
				sum += w[at+k*stride[v]]
			}
			for k := range g.states[v] {
				q[at+k*stride[v]] += mass * w[at+k*stride[v]] / sum
			}
		}
		p = q
	}
	return p
}

// TestTransitions checks that one sweep has exactly the transition probabilities of single-site Gibbs sampling: for
// spins in the order of colours, for other variables in the order of their numbers, and in the reverse of these orders.
// It fails if a sum is outdated, a log odds is halved, or the order is wrong.
func TestTransitions(t *testing.T) {
	n := tier.Draws(20000)
	ladder := []float64{0, .6, 1}
	tested := 0
	for i := 0; tested < 12 && i < 100; i++ {
		s := rng.NewKey(2, "graphs", i).Stream(0, 0, 0)
		spins := i%2 == 0
		g := randomGraph(&s, 5, spins, 0)
		if slices.Contains(g.states, 1) || len(g.states) < 3 {
			continue
		}
		m := modelOf(t, g)
		if m == nil || (m.couplings == nil) == spins {
			t.Fatal("unexpected type of population")
		}
		tested++
		order := identityOrder(len(g.states))
		if spins {
			slices.SortFunc(order, func(a, b int) int { return int(m.couplings.placeOf[a] - m.couplings.placeOf[b]) })
		}
		for rung, b := range ladder {
			for _, back := range []bool{false, true} {
				checkTransition(t, m, g, order, ladder, rung, b, back, n)
			}
		}
	}
	if tested < 12 {
		t.Errorf("only %d graphs", tested)
	}
}

// checkTransition makes the check of TestTransitions for one rung and one direction, with n rows.
func checkTransition(t *testing.T, m *Graph, g plain, order []int, ladder []float64, rung int, b float64, back bool,
	n int) {
	t.Helper()
	index := map[string]int{}
	var all [][]int
	g.forEachState(nil, func(x []int, _ float64) { index[fmt.Sprint(x)] = len(all); all = append(all, slices.Clone(x)) })
	start := len(all) / 3
	vars, states := g.remaining(nil)
	pop := m.New(n, ladder)
	for r := range n {
		load(pop, r, all[start], vars, states)
	}
	pop.Move(rng.At{Key: rng.NewKey(4, "graph", rung), Step: 1}, labtest.Rungs(n, rung), back)
	visitOrder := slices.Clone(order)
	if back {
		slices.Reverse(visitOrder)
	}
	count := make([]int, len(all))
	for r := range n {
		count[index[fmt.Sprint(stateOf(pop, r, states))]]++
	}
	labtest.ChiSquare(t, fmt.Sprint(m.g.States, " rung ", rung, " back ", back), count, transition(g, visitOrder, b, start))
}

// stateOf reads row r of a population.
func stateOf(p labtest.Rows, r int, states []int) []int {
	var w wire.Writer
	p.Append(r, &w)
	in := wire.Reader{B: w.B}
	bytes := make([]uint8, len(states))
	if slices.Max(states) == 2 {
		in.Bits(bytes)
	} else {
		bytes = in.Bytes()
	}
	out := make([]int, len(states))
	for i, x := range bytes {
		out[i] = int(x)
	}
	return out
}

// TestDraws checks that exact samples and states of the base have the exact probabilities.
func TestDraws(t *testing.T) {
	n := tier.Draws(20000)
	for i := range 8 {
		s := rng.NewKey(3, "graphs", i).Stream(0, 0, 0)
		g := randomGraph(&s, 5, i%2 == 0, .1)
		m := modelOf(t, g)
		if m == nil || math.IsInf(m.Truth().LogZ, -1) {
			continue
		}
		vars, states := g.remaining(nil)
		index := map[string]int{}
		var logw, even []float64
		g.forEachState(nil, func(x []int, w float64) {
			var left []int
			for _, v := range vars {
				left = append(left, x[v])
			}
			index[fmt.Sprint(left)] = len(logw)
			logw, even = append(logw, math.Log(w)), append(even, 0)
		})
		p := m.New(n, []float64{0, 1})
		check := func(what string, logw []float64) {
			count := make([]int, len(logw))
			for r := range n {
				count[index[fmt.Sprint(stateOf(p, r, states))]]++
			}
			labtest.ChiSquare(t, fmt.Sprint("graph ", i, what), count, labtest.Normalize(logw))
		}
		p.Draw(rng.At{Key: rng.NewKey(5, "draw", i)})
		check(" base", even)
		models.RowCapabilitiesOf(p).DrawTarget(rng.At{Key: rng.NewKey(5, "draw", i)}, nil, nil)
		check(" target", logw)
	}
}

// TestSpinsAreRows checks that spins and rows of one graph have the same density.
func TestSpinsAreRows(t *testing.T) {
	p, err := FileOf(Glass(5, 4, .7, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Graph.Factors = append(p.Graph.Factors, Field(3, .3), factor.Factor{Table: []float64{1.5}})
	m, err := New(p, 1.3, "")
	if err != nil {
		t.Fatal(err)
	}
	other := *m
	if other.couplings = nil; m.couplings == nil {
		t.Fatal("the graph has no spin population")
	}
	ladder := []float64{0, .4, 1}
	a, b := m.New(5, ladder), other.New(5, ladder)
	a.Draw(rng.At{Key: rng.NewKey(1, "spins", 0)})
	for step := range 5 {
		a.Move(rng.At{Key: rng.NewKey(1, "spins", 0), Step: uint32(step)}, labtest.Rungs(5, 2), false)
		x, y := make([]float64, 15), make([]float64, 15)
		for r := range 5 {
			var w wire.Writer
			a.Append(r, &w)
			b.Load(r, &wire.Reader{B: w.B})
		}
		a.LogF(0, 3, x)
		b.LogF(0, 3, y)
		if !floats.EqualApprox(x, y, 1e-5) {
			t.Fatalf("log f = %v by spins, %v by rows", x, y)
		}
	}
}

// TestSmallSpinsAreSpins checks that spins with small sums and other spins are identical, bit for bit, in all
// operations.
func TestSmallSpinsAreSpins(t *testing.T) {
	graphs := []*factor.Graph{Glass(9, 7, .8, 1), triangle()}
	all := Glass(5, 5, 1, 2)
	all.Factors = append(all.Factors, Field(3, 2), Field(7, -3), Coupling(0, 24, -2), Coupling(1, 23, 3))
	long := Glass(200, 6, 1, 3) // more places than a half word holds
	for i, g := range append(graphs, all, long) {
		p, err := FileOf(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(p, 1, "")
		if err != nil {
			t.Fatal(err)
		}
		other := *m
		if other.smallSums = nil; m.smallSums == nil {
			t.Fatalf("graph %d has no small sums", i)
		}
		const n = 37
		ladder := []float64{0, .4, .7, 1}
		a, b := m.New(n, ladder), other.New(n, ladder)
		same := func(what string) {
			x, y := make([]float64, 4*n), make([]float64, 4*n)
			a.LogF(0, 4, x)
			b.LogF(0, 4, y)
			if !slices.Equal(x, y) {
				t.Fatalf("graph %d, %s: energies differ", i, what)
			}
			var v, w wire.Writer
			for r := range n {
				a.Append(r, &v)
				b.Append(r, &w)
			}
			if !slices.Equal(v.B, w.B) {
				t.Fatalf("graph %d, %s: states differ", i, what)
			}
		}
		for _, p := range []models.Population{a, b} {
			p.Draw(rng.At{Key: rng.NewKey(1, "small", i), Slot: 3})
		}
		same("draw")
		rungs := make([]int32, n)
		for step := range 6 {
			for r := range rungs {
				rungs[r] = int32((r + step) % 4)
			}
			for _, p := range []models.Population{a, b} {
				p.Move(rng.At{Key: rng.NewKey(1, "small", i), Slot: 3, Step: uint32(step)}, rungs, step%3 == 1)
				if step == 2 {
					p.Copy(4, 30)
				}
			}
			same("move")
		}
		for r := range n {
			var w wire.Writer
			a.Append(r, &w)
			a.Load((r+1)%n, &wire.Reader{B: w.B})
			b.Load((r+1)%n, &wire.Reader{B: w.B})
		}
		same("load")
	}
}

// blockwise returns the exact distribution over states after one sweep by blocks that starts in state from: each block,
// a set of variables, is drawn given all other variables.
func blockwise(all [][]int, w []float64, blocks [][]int, from int) []float64 {
	p := make([]float64, len(w))
	p[from] = 1
	for _, block := range blocks {
		sum, mass := map[string]float64{}, map[string]float64{}
		rest := func(x []int) string {
			x = slices.Clone(x)
			for _, v := range block {
				x[v] = -1
			}
			return fmt.Sprint(x)
		}
		for i, x := range all {
			sum[rest(x)] += w[i]
			mass[rest(x)] += p[i]
		}
		for i, x := range all {
			p[i] = mass[rest(x)] * w[i] / sum[rest(x)]
		}
	}
	return p
}

// randomGraphs returns random graphs, every other one of spins, with at least minVars variables, all of more than one
// state.
func randomGraphs(t *testing.T, seed uint32, minVars int) (graphs []plain) {
	t.Helper()
	for i := range 200 {
		s := rng.NewKey(seed, "graphs", i).Stream(0, 0, 0)
		g := randomGraph(&s, 6, i%2 == 0, 0)
		if modelOf(t, g) != nil && !slices.Contains(g.states, 1) && len(g.states) >= minVars {
			graphs = append(graphs, g)
		}
	}
	return graphs
}

// TestTrees checks that a sweep by tree blocks has exactly the transition probabilities of blocked draws: for spins and
// for variables with more states, for rows at several rungs and at the same rung, with as many slots as rungs and with
// fewer. It fails if a message is sent to the wrong state, a table is omitted, or the order is wrong.
func TestTrees(t *testing.T) {
	n := tier.Draws(20000)
	ladder := []float64{0, .6, 1}
	tested := 0
	for _, g := range randomGraphs(t, 5, 3) {
		m := modelOf(t, g)
		if f := m.treeBlocks(); f.nodes() == len(f.blocks) {
			continue
		}
		if tested++; tested > 12 {
			break
		}
		m.sweep = trees
		blocks := m.blockPlaces()
		for rung, b := range ladder {
			for _, back := range []bool{false, true} {
				var w []float64
				g.forEachState(nil, func(_ []int, weight float64) { w = append(w, math.Pow(weight, b)) })
				checkTrees(t, m, g, blocks, w, ladder, rung, back, n)
			}
		}
	}
	if tested < 12 {
		t.Errorf("only %d graphs", tested)
	}
}

// checkTrees compares sweeps at a rung, where states have weights w, with draws of blocks.
func checkTrees(t *testing.T, m *Graph, g plain, blocks [][]int, w, ladder []float64, rung int, back bool, n int) {
	t.Helper()
	index := map[string]int{}
	var all [][]int
	g.forEachState(nil, func(x []int, _ float64) { index[fmt.Sprint(x)] = len(all); all = append(all, slices.Clone(x)) })
	start := len(all) / 3
	vars, states := g.remaining(nil)
	pop := m.New(n+2, ladder)
	p := pop.(*treeRows)
	if back {
		p.slots = p.slots[:1]
	}
	for r := range n + 2 {
		load(pop, r, all[start], vars, states)
	}
	rungs := labtest.Rungs(n+2, rung)
	if !back { // rows at other rungs among them
		rungs[n], rungs[n+1] = 0, 2
	}
	pop.Move(rng.At{Key: rng.NewKey(4, "trees", rung), Step: 1}, rungs, back)
	visitOrder := slices.Clone(blocks)
	if back {
		slices.Reverse(visitOrder)
	}
	count := make([]int, len(all))
	for r := range n {
		count[index[fmt.Sprint(stateOf(pop, r, states))]]++
	}
	labtest.ChiSquare(t, fmt.Sprint(m.g.States, " rung ", rung, " back ", back), count, blockwise(all, w, visitOrder, start))
}
