package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"logzlab/core/factor"
)

// TestTooWide checks that a graph too wide to be summed is planned at once, without a cutset, and that a table of zeros
// needs no plan.
func TestTooWide(t *testing.T) {
	text := "i,j,J\n"
	for i := range 1600 {
		if i%40 < 39 {
			text += fmt.Sprintf("%d,%d,1\n", i, i+1)
		}
		if i < 1560 {
			text += fmt.Sprintf("%d,%d,%d\n", i, i+40, i%2*2-1)
		}
	}
	f, err := kinds.ReadFile([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := f.(Params)
	m, err := New(p, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	if plan := m.plan(); plan.Ops <= factor.MaxOps || len(plan.Cutset) > 0 || m.ValueKnown() {
		t.Errorf("plan takes 2^%.0f operations with a cutset of %d", math.Log2(plan.Ops), len(plan.Cutset))
	}
	p.Graph.Factors = append(p.Graph.Factors, factor.Factor{Vars: []int{3}, Table: []float64{math.Inf(-1), math.Inf(-1)}})
	if m, err = New(p, 1, ""); err != nil {
		t.Fatal(err)
	}
	if !m.IsZero() || !math.IsInf(m.Truth().LogZ, -1) {
		t.Error("a graph with a table of zeros has Z > 0")
	}
}

// TestLadderOfGates compares the exact values along the path with a graph without constraints, in which the outputs of
// gates are not prunable. Values that take too long are refused.
func TestLadderOfGates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, inputs := range []int{3, 60} {
		g := &factor.Graph{States: slices.Repeat([]int{2}, 5*inputs)}
		for o := inputs; o < len(g.States); o++ {
			ab := r.Perm(o)
			a, b := ab[0], ab[1]
			zero := math.Inf(-1)
			g.Factors = append(g.Factors,
				factor.Factor{Vars: []int{a, b, o}, Table: []float64{0, 0, 0, 0, 0, 0, 0, zero}},
				factor.Factor{Vars: []int{a, o}, Table: []float64{zero, 0, 0, 0}},
				factor.Factor{Vars: []int{b, o}, Table: []float64{zero, 0, 0, 0}})
		}
		p, err := FileOf(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(p, 1, "")
		if err != nil {
			t.Fatal(err)
		}
		if plan := m.plan(); plan.Prunable() != 4*inputs {
			t.Fatalf("%d outputs are prunable", plan.Prunable())
		}
		betas := slices.Repeat([]float64{.5}, 3000/inputs)
		z, err := m.LadderLogZ(append(betas, 1))
		if inputs > 3 {
			if err == nil {
				t.Error("LadderLogZ of a wide graph returned no error")
			}
			continue
		}
		sum := 0.0
		for state := range 1 << len(g.States) {
			l := 0.0
			for _, f := range g.Factors {
				at := 0
				for _, v := range f.Vars {
					at = 2*at + state>>v&1
				}
				l += max(f.Table[at], -penalty)
			}
			sum += math.Exp(l / 2)
		}
		if want := math.Log(sum); err != nil || math.Abs(z[0]-want) > 1e-9 ||
			math.Abs(z[len(betas)]-float64(inputs)*math.Ln2) > 1e-9 {
			t.Errorf("log Z(1/2) = %v, want %v; log Z = %v; error %v", z[0], want, z[len(betas)], err)
		}
	}
}
