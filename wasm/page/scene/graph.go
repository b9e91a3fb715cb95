package scene

import (
	"fmt"

	"logzlab/core/frame"
	"logzlab/models"
	"logzlab/wasm/page/state"
)

// Graph is the scene of states on a graph.
var Graph = Register(Scene{
	Name: "graph", Of: "units", Key: 30, Label: "Graph", Early: true,
	Applies: func(s *state.Snapshot) bool { return drawnGraph(s) != nil && s.UsesTemperatures() },
	opens:   func(*state.Snapshot) bool { return true },
	Captions: Texts{
		{"Solid: the spins should agree. Dashed: they should differ. Red: violated. Tap an edge to flip its coupling.",
			func(s *state.Snapshot) bool { return len(drawnGraph(s).J) > 0 }},
		{Text: "Each mark is a variable, each line a factor of two variables."},
	},
	About:  "The couplings between spins, thinned to 200 rows.",
	Tables: []Table{{[]string{"Coupling", "Spin", "Spin", "J"}, couplingRows}},
})

// drawnGraph returns the graph of the model, nil if it has none that can be drawn.
func drawnGraph(s *state.Snapshot) *frame.Graph {
	if graph := models.CapabilitiesOf(s.Model).Picture.Graph; graph != nil {
		return graph()
	}
	return nil
}

// GraphOf returns the graph for the picture, nil if the scene does not need it.
func GraphOf(s *state.Snapshot) *frame.Graph {
	if On(s) != Graph {
		return nil
	}
	g := *drawnGraph(s)
	g.Flips = s.Flips()
	return &g
}

// couplingRows returns the couplings.
func couplingRows(s *state.Snapshot) (rows [][]string) {
	g := drawnGraph(s)
	if g == nil {
		return nil
	}
	for e, j := range g.J {
		if thinned(e, len(g.J), 1) {
			rows = append(rows, []string{fmt.Sprint(e), fmt.Sprint(g.Edges[2*e] + 1), fmt.Sprint(g.Edges[2*e+1] + 1),
				s.NumberOrDash(float64(j), 3)})
		}
	}
	return rows
}
