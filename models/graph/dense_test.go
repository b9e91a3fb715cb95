package graph

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/factor"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/internal/labtest"
	"logzlab/models"
)

// TestDenseSpins checks that spins whose sums are updated by matrix rows have the same states, bit for bit, as spins
// whose couplings are added one by one: for a complete graph, for two layers, and for these with a chain. It fails if a
// matrix starts at a wrong tile.
func TestDenseSpins(t *testing.T) {
	for i, joined := range []func(a, b int) bool{
		func(a, b int) bool { return true },
		func(a, b int) bool { return a < 23 && b >= 23 },
		func(a, b int) bool { return b == a+1 && a < 10 || a > 11 && a < 36 && b >= 36 }} {
		s := rng.NewKey(11, "dense", i).Stream(0, 0, 0)
		g := &factor.Graph{}
		for a := range 61 {
			g.States = append(g.States, 2)
			g.Factors = append(g.Factors, Field(a, s.Normal()))
			for b := range 61 {
				if a < b && joined(a, b) {
					g.Factors = append(g.Factors, Coupling(a, b, .3*s.Normal()))
				}
			}
		}
		p, err := FileOf(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(p, 1, "")
		if err != nil || !slices.ContainsFunc(m.couplings.dense, func(w couplingMatrix) bool { return w.matrix != nil }) {
			t.Fatalf("graph %d: no matrix, error %v", i, err)
		}
		other := *m
		other.couplings = couplingsOf(m.g, false)
		clear(other.couplings.dense)
		ladder := []float64{0, .4, 1}
		a, b := m.New(5, ladder), other.New(5, ladder)
		for _, p := range []models.Population{a, b} {
			p.Draw(rng.At{Key: rng.NewKey(1, "dense", i)})
		}
		for step := range 12 {
			for _, p := range []models.Population{a, b} {
				p.Move(rng.At{Key: rng.NewKey(1, "dense", i), Step: uint32(step)}, labtest.Rungs(5, 1+step%2), step%3 == 2)
			}
			x, y := make([]float64, 15), make([]float64, 15)
			a.LogF(0, 3, x)
			b.LogF(0, 3, y)
			for r := range 5 {
				var v, w wire.Writer
				a.Append(r, &v)
				b.Append(r, &w)
				if !slices.Equal(v.B, w.B) || !slices.Equal(x, y) {
					t.Fatalf("graph %d, step %d, row %d: states %v with matrices, %v without", i, step, r, x, y)
				}
			}
		}
	}
}

// TestFineSpins checks a complete graph with so many spins that rounding each table entry would change log f too much:
// it still uses the spin population, with the densities of the file.
func TestFineSpins(t *testing.T) {
	const n = 300
	s := rng.NewKey(12, "fine", n).Stream(0, 0, 0)
	g := &factor.Graph{}
	for a := range n {
		g.States = append(g.States, 2)
		for b := range a {
			g.Factors = append(g.Factors, Coupling(b, a, 2*s.Normal()/math.Sqrt(n)))
		}
	}
	p, err := FileOf(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(p, 1, "")
	if err != nil || m.couplings == nil || !m.couplings.roundsBiasOnce {
		t.Fatal("the graph does not use fine units: ", err)
	}
	pop, logF := m.New(3, []float64{0, 1}), make([]float64, 6)
	pop.Draw(rng.At{Key: rng.NewKey(1, "fine", 0)})
	pop.Move(rng.At{Key: rng.NewKey(1, "fine", 0), Step: 1}, labtest.Rungs(3, 1), false)
	pop.LogF(0, 2, logF)
	for r := range 3 {
		if want := p.Graph.LogF(stateOf(pop, r, p.Graph.States)); math.Abs(logF[2*r+1]-want) > maxRounding {
			t.Errorf("log f = %v, want %v", logF[2*r+1], want)
		}
	}
}
