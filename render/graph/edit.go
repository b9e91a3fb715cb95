package graph

import (
	"slices"
	"strconv"

	"logzlab/core/frame"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// flip flips the sign of a coupling, which is a parameter of the experiment.
func (s *graphScene) flip(edge int) {
	g := s.places.graph
	if g == nil || edge >= len(g.J) {
		return
	}
	flips, err := frame.ReadFlips(g.Flips)
	if err != nil {
		return
	}
	if i, found := slices.BinarySearch(flips, edge); found {
		flips = slices.Delete(flips, i, i+1)
	} else {
		flips = slices.Insert(flips, i, edge)
	}
	// The picture changes at once; the page will confirm it.
	own := *g
	own.J, own.Flips = slices.Clone(g.J), frame.FlipsText(flips)
	own.J[edge] = -own.J[edge]
	s.places.graph, s.flipped = &own, true
}

// Key handles a key: e starts selecting couplings, arrows select one, Enter flips it, n shows the next particle. Other
// keys go through the history.
func (s *graphScene) Key(key string) bool {
	g := s.places.graph
	if g == nil {
		return false
	}
	n := len(g.J)
	switch {
	case key == "n":
		s.row++
	case n == 0:
		return s.Run.HandleScrubKey(key)
	case key == "e":
		s.keysActive = true
	case !s.keysActive:
		return s.Run.HandleScrubKey(key)
	case key == "Escape":
		s.keysActive = false
	case key == "ArrowRight" || key == "ArrowDown":
		s.edge = (s.edge + 1) % n
	case key == "ArrowLeft" || key == "ArrowUp":
		s.edge = (s.edge + n - 1) % n
	case key == "Enter" || key == " ":
		s.flip(s.edge)
	default:
		return s.Run.HandleScrubKey(key)
	}
	return true
}

// describeEdge returns the tooltip of a coupling.
func (s *graphScene) describeEdge(a *paint.Area, edge int) string {
	g := s.places.graph
	return a.Say("Coupling of") + " " + strconv.Itoa(int(g.Edges[2*edge])+1) + " " + a.Say("and") + " " +
		strconv.Itoa(int(g.Edges[2*edge+1])+1) + ": J = " + strconv.FormatFloat(float64(g.J[edge]), 'g', 3, 64)
}

// Describe describes the coupling selected by keys or, if none is, the temperature that is shown.
func (s *graphScene) Describe(a *paint.Area) string {
	if g := s.places.graph; g != nil && s.keysActive && s.edge < len(g.J) {
		return s.describeEdge(a, s.edge)
	}
	return record.DescribeScrubber(a, s.Run)
}
