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

// Spins with many couplings, whose sums come from rows of matrices, have the bits of those whose couplings are added
// one by one: of a complete graph, of two layers, and of these beside a chain. Fails where a window begins at a wrong
// tile.
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
		if err != nil || !slices.ContainsFunc(m.pairs.dense, func(w window) bool { return w.rows != nil }) {
			t.Fatalf("graph %d has no matrix: %v", i, err)
		}
		other := *m
		other.pairs = couplingsOf(m.g, false)
		clear(other.pairs.dense)
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
					t.Fatalf("graph %d, step %d, row %d: other states, %v and %v", i, step, r, x, y)
				}
			}
		}
	}
}

// A complete graph of so many spins that rounding each number of each table would move log f too much is still one of
// spins, and its densities are those of the file.
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
	if err != nil || m.pairs == nil || !m.pairs.fine {
		t.Fatal("not the spins that are tested: ", err)
	}
	pop, logF := m.New(3, []float64{0, 1}), make([]float64, 6)
	pop.Draw(rng.At{Key: rng.NewKey(1, "fine", 0)})
	pop.Move(rng.At{Key: rng.NewKey(1, "fine", 0), Step: 1}, labtest.Rungs(3, 1), false)
	pop.LogF(0, 2, logF)
	for r := range 3 {
		if want := p.Graph.LogF(stateOf(pop, r, p.Graph.States)); math.Abs(logF[2*r+1]-want) > maxRounding {
			t.Errorf("log f is %v, by tables %v", logF[2*r+1], want)
		}
	}
}
