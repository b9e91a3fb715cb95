package graph

import (
	"fmt"
	"math"
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
	if plan := m.plan(); plan.Ops <= factor.Summable || len(plan.Fixed) > 0 || m.Knows() {
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
