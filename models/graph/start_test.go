package graph

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"logzlab/core/factor"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
)

// TestTreeStart compares a path that starts from a spanning tree with sums over all states: its densities, its log
// Z(b), its sweeps, and exact draws of the base, by Draw and by each sweep at b = 0. It fails if a table of the base is
// raised to the power b, if another table is not, or if a block uses the base of another block.
func TestTreeStart(t *testing.T) {
	n := tier.Draws(20000)
	ladder := []float64{0, .6, 1}
	tested := 0
	for i, g := range randomGraphs(t, 8, 4) {
		m, err := modelOf(t, g).withTreeBase()
		if err != nil {
			t.Fatal(err)
		}
		if len(m.layout.base) == len(m.layout.tables) || m.layout.base == nil {
			continue // f_0 is f_1 or uniform
		}
		if tested++; tested > 6 {
			break
		}
		var all []string
		logF := make([][]float64, len(ladder)) // by rung and state
		g.forEachState(nil, func(x []int, weight float64) {
			all = append(all, fmt.Sprint(x))
			e, e0 := math.Log(weight), m.power(0).LogF(x)
			for k, b := range ladder {
				logF[k] = append(logF[k], e0+b*(e-e0))
			}
		})
		if math.Abs(m.LogZ0()-num.LogSumExp(logF[0])) > 1e-12*math.Abs(m.LogZ0())+1e-12 {
			t.Errorf("graph %d: log Z(0) = %v, want %v", i, m.LogZ0(), num.LogSumExp(logF[0]))
		}
		sums, err := m.LadderLogZ(ladder)
		for k, got := range sums {
			if want := num.LogSumExp(logF[k]); err != nil || math.Abs(got-want) > 1e-11*(1+math.Abs(want)) {
				t.Errorf("graph %d: log Z(%v) = %v, want %v; error %v", i, ladder[k], got, want, err)
			}
		}

		_, states := g.remaining(nil)
		pop := m.New(n, ladder)
		pop.Draw(rng.At{Key: rng.NewKey(5, "draw", i)})
		count, found, slopes := make([]int, len(all)), make([]float64, 3*n), make([]float64, 3*n)
		pop.LogF(0, 3, found)
		pop.(*treeRows).SlopesAtAll(slopes)
		for r := range n {
			at := slices.Index(all, fmt.Sprint(stateOf(pop, r, states)))
			count[at]++
			for k := range ladder {
				if math.Abs(found[3*r+k]-logF[k][at])+math.Abs(slopes[3*r+k]-logF[2][at]+logF[0][at]) > 1e-9 {
					t.Fatalf("graph %d: log f = %v, slope = %v at %s, rung %d", i, found[3*r+k], slopes[3*r+k], all[at], k)
				}
			}
		}
		labtest.ChiSquare(t, fmt.Sprint("base of graph ", i), count, labtest.Normalize(logF[0]))

		for rung := range ladder {
			blocks := m.blockPlaces()
			if rung == 0 { // all at once
				blocks = [][]int{identityOrder(len(states))}
			}
			checkTrees(t, m, g, blocks, labtest.Normalize(logF[rung]), ladder, rung, i%4 > 1, n)
		}
	}
	if tested < 6 {
		t.Errorf("only %d graphs", tested)
	}
}

// blockPlaces lists the places of each block.
func (m *Graph) blockPlaces() (blocks [][]int) {
	for _, nodes := range m.treeBlocks().blocks {
		var block []int
		for _, node := range nodes {
			block = append(block, node.place)
		}
		blocks = append(blocks, block)
	}
	for _, v := range m.treeBlocks().singles {
		blocks = append(blocks, []int{v})
	}
	return blocks
}

// TestStarts checks that the spanning tree has the strongest couplings and all fields, and that Faster starts from it
// only if the couplings outside of the tree are weak; otherwise chains would get stuck.
func TestStarts(t *testing.T) {
	ring := func(x float64) *Graph {
		p, err := FileOf(&factor.Graph{States: []int{2, 2, 2}, Factors: []factor.Factor{Coupling(0, 1, 2.5),
			Coupling(0, 2, -x), Coupling(1, 2, 3), Field(1, .5)}}, nil)
		m, wrong := p.Open("ring", "", spec.Values{"sweep": trees, "start": tree}, nil)
		if err != nil || wrong != nil {
			t.Fatal(err, wrong)
		}
		return m.(*Graph)
	}
	m := ring(.9)
	want := 3*math.Ln2 + math.Log(math.Cosh(2.5)*math.Cosh(3)) + math.Log(math.Cosh(.5))
	if left := m.layout.strengthOutside(); math.Abs(left-.3) > 1e-12 || math.Abs(m.LogZ0()-want) > 1e-12 {
		t.Errorf("interaction outside of the tree = %v per spin; log Z(0) = %v, want %v", left, m.LogZ0(), want)
	}
	for x, wants := range map[float64]bool{.9: true, 1.2: false} {
		p := ring(x)
		even, err := New(Params{Graph: p.g}, 1, "")
		if err != nil {
			t.Fatal(err)
		}
		if taken := even.Faster().(*Graph).layout.base != nil; taken != wants {
			t.Errorf("auto starts from a tree with %v per spin outside: %v", p.layout.strengthOutside(), taken)
		}
	}
	p, _ := FileOf(&factor.Graph{States: []int{2, 2}, Factors: []factor.Factor{{Vars: []int{0, 1},
		Table: []float64{0, math.Inf(-1), 0, 0}}}}, nil)
	if _, err := p.Open("", "", spec.Values{"sweep": trees, "start": tree}, nil); err == nil {
		t.Error("a graph with zeros starts from a tree")
	}
}

// TestManyStates checks that auto draws variables of many states one by one: messages of trees have a product for each
// pair of states, and the values of all rungs would not fit into memory.
func TestManyStates(t *testing.T) {
	for states, want := range map[int]string{4: trees, 12: ""} {
		g := &factor.Graph{States: []int{states, states}, Factors: []factor.Factor{{Vars: []int{0, 1},
			Table: make([]float64, states*states)}}}
		m, err := New(Params{Graph: g}, 1, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Faster().(*Graph).sweep; got != want {
			t.Errorf("%d states: sweep = %q", states, got)
		}
	}
}
