package graph

import (
	"math"
	"testing"

	"logzlab/core/factor"
	"logzlab/core/frame"
	"logzlab/core/spec"
)

// TestFlips checks that flips reverses the sign of a coupling by its number in the picture, that log Z follows, and
// that fields do not change.
func TestFlips(t *testing.T) {
	t.Parallel()
	g := triangle()
	g.Factors[0].Table = []float64{-1 + .3, 1 + .3, 1 - .3, -1 - .3} // with a field on the first spin
	p, err := FileOf(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	for flips, signs := range map[string][3]float64{"": {-1, -1, -1}, "0": {1, -1, -1}, "1-2": {-1, 1, 1}} {
		m, err := p.Open("triangle", "", spec.Values{"flips": flips}, nil)
		if err != nil {
			t.Fatal(err)
		}
		shown := m.(*Graph).Graph()
		for e, j := range shown.J {
			if float64(j) != signs[e] {
				t.Errorf("flips %q: coupling %d = %v", flips, e, j)
			}
		}
		sum := 0.0
		for x := range 8 {
			s := [3]float64{float64(2*(x&1) - 1), float64(2*(x>>1&1) - 1), float64(2*(x>>2&1) - 1)}
			f := -.3 * s[shown.Edges[0]]
			for e, j := range signs {
				f += j * s[shown.Edges[2*e]] * s[shown.Edges[2*e+1]]
			}
			sum += math.Exp(f)
		}
		if got := m.(*Graph).Truth().LogZ; math.Abs(got-math.Log(sum)) > 1e-12 {
			t.Errorf("flips %q: log Z = %v, want %v", flips, got, math.Log(sum))
		}
	}
	for _, bad := range []string{"3", "-1", "x", "1-"} {
		if _, err := p.Open("triangle", "", spec.Values{"flips": bad}, nil); err == nil {
			t.Errorf("flips %q was accepted", bad)
		}
	}
}

// TestLargeGraphIsNotDrawn checks that a graph of very many variables has no picture, even with few edges, because its
// layout would take minutes.
func TestLargeGraphIsNotDrawn(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{frame.MaxEdges: true, frame.MaxEdges + 1: false} {
		g := &factor.Graph{Factors: []factor.Factor{Coupling(0, 1, 1)}}
		for range n {
			g.States = append(g.States, 2)
		}
		m, err := New(Params{Graph: g}, 1, "natural")
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Graph() != nil; got != want {
			t.Errorf("%d variables: drawn = %v", n, got)
		}
	}
}
