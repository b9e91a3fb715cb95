package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"logzlab/core/factor"
)

// A graph that nobody can sum is planned at once: no variable is fixed. A table of zeros alone needs no plan.
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
	if plan := m.plan(); plan.Ops <= factor.Summable || len(plan.Fixed) > 0 || m.ValueKnown() {
		t.Errorf("2^%.0f steps, %d variables fixed", math.Log2(plan.Ops), len(plan.Fixed))
	}
	p.Graph.Factors = append(p.Graph.Factors, factor.Factor{On: []int{3}, Table: []float64{math.Inf(-1), math.Inf(-1)}})
	if m, err = New(p, 1, ""); err != nil {
		t.Fatal(err)
	}
	if !m.IsZero() || !math.IsInf(m.Truth().LogZ, -1) {
		t.Error("a table of zeros leaves something")
	}
}

// TestLadderOfGates has the exact values along a path be those of a graph without constraints, in which the outputs of
// gates are not prunable: they are refused if they take long, otherwise right.
func TestLadderOfGates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, inputs := range []int{3, 60} {
		g := &factor.Graph{States: slices.Repeat([]int{2}, 5*inputs)}
		for o := inputs; o < len(g.States); o++ {
			ab := r.Perm(o)
			a, b := ab[0], ab[1]
			zero := math.Inf(-1)
			g.Factors = append(g.Factors,
				factor.Factor{On: []int{a, b, o}, Table: []float64{0, 0, 0, 0, 0, 0, 0, zero}},
				factor.Factor{On: []int{a, o}, Table: []float64{zero, 0, 0, 0}},
				factor.Factor{On: []int{b, o}, Table: []float64{zero, 0, 0, 0}})
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
				t.Error("rungs of a wide graph are not refused")
			}
			continue
		}
		sum := 0.0
		for state := range 1 << len(g.States) {
			l := 0.0
			for _, f := range g.Factors {
				at := 0
				for _, v := range f.On {
					at = 2*at + state>>v&1
				}
				l += max(f.Table[at], -penalty)
			}
			sum += math.Exp(l / 2)
		}
		if want := math.Log(sum); err != nil || math.Abs(z[0]-want) > 1e-9 ||
			math.Abs(z[len(betas)]-float64(inputs)*math.Ln2) > 1e-9 {
			t.Errorf("log Z(1/2) %v, want %v; log Z %v; %v", z[0], want, z[len(betas)], err)
		}
	}
}
