package graph

import (
	"slices"

	"logzlab/core/factor"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/spec"
)

// flipsParam is the parameter that lists couplings whose sign is reversed.
var flipsParam = spec.Param{Name: "flips", Type: "string", Target: true, Check: func(s string) (string, error) {
	couplings, err := frame.ReadFlips(s)
	return frame.FlipsText(couplings), err
}, Help: "Couplings of two spins whose sign is reversed, for example 3-17: numbers from 0, in the order of their " +
	"spins."}

// couplingOf returns J for a factor on two spins, whose log is J s s' plus fields. ok is false for other factors and if
// J is not finite.
func couplingOf(g *factor.Graph, f factor.Factor) (j float64, ok bool) {
	if len(f.Vars) != 2 || g.States[f.Vars[0]] != 2 || g.States[f.Vars[1]] != 2 {
		return 0, false
	}
	t := f.Table
	j = num.Mul(.25, t[0]-t[1]-t[2]+t[3])
	return j, num.Finite(j)
}

// flipped returns the graph with the signs of the given couplings reversed; fields are unchanged. Couplings are
// numbered from 0 in the order of their factors. It returns an error if a number is too large.
func flipped(g *factor.Graph, couplings []int) (*factor.Graph, error) {
	out := &factor.Graph{States: g.States, Factors: slices.Clone(g.Factors)}
	k := 0
	for i, f := range g.Factors {
		j, ok := couplingOf(g, f)
		if !ok {
			continue
		}
		if len(couplings) > 0 && couplings[0] == k {
			couplings = couplings[1:]
			t := slices.Clone(f.Table)
			for s, sign := range []float64{1, -1, -1, 1} {
				t[s] -= num.Mul(2*sign, j)
			}
			out.Factors[i].Table = t
		}
		k++
	}
	if len(couplings) > 0 {
		return nil, problem.New("flips names coupling %d, and the graph has %d couplings of two spins, numbered from "+
			"0",
			couplings[0], k)
	}
	return out, nil
}

// Graph returns the picture of the graph: variables and edges. It is nil if there are more than frame.MaxEdges edges or
// variables. Callers must not change it.
func (m *Graph) Graph() *frame.Graph { return m.drawing() }

// makeDrawing computes the result of Graph. Edges without a coupling come last and have no J.
func (m *Graph) makeDrawing() *frame.Graph {
	if len(m.g.States) > frame.MaxEdges {
		return nil
	}
	g := &frame.Graph{Model: m.info.Name, W: m.grid.w, H: m.grid.h, Grid: m.grid.lattice}
	for _, states := range m.g.States {
		g.States = append(g.States, int32(states))
	}
	var others []int32
	listed := map[[2]int]bool{}
	for _, f := range m.g.Factors {
		j, coupling := couplingOf(m.g, f)
		for a, v := range f.Vars {
			for _, u := range f.Vars[a+1:] {
				switch e := []int32{int32(v), int32(u)}; {
				case coupling:
					g.Edges, g.J = append(g.Edges, e...), append(g.J, float32(j))
				case !listed[[2]int{v, u}]:
					others = append(others, e...)
				}
				listed[[2]int{v, u}] = true
			}
		}
		if len(g.Edges)+len(others) > 2*frame.MaxEdges {
			return nil
		}
	}
	g.Edges = append(g.Edges, others...)
	return g
}
