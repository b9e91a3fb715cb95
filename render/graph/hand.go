package graph

import (
	"slices"
	"strconv"

	"logzlab/core/frame"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// flip turns the sign of a coupling: a parameter of the experiment, of which the page is told.
func (s *graphScene) flip(edge int) {
	g := s.places.of
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
	// The picture shows it at once; the page will say the same.
	own := *g
	own.J, own.Flips = slices.Clone(g.J), frame.FlipsText(flips)
	own.J[edge] = -own.J[edge]
	s.places.of, s.flipped = &own, true
}

// Key takes a key: arrows choose a coupling, Enter flips it, n shows the next particle; others go to the record.
func (s *graphScene) Key(key string) bool {
	g := s.places.of
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
		s.keyed = true
	case !s.keyed:
		return s.Run.HandleScrubKey(key)
	case key == "Escape":
		s.keyed = false
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

// readEdge says what is known of a coupling.
func (s *graphScene) readEdge(a *paint.Area, edge int) string {
	g := s.places.of
	return a.Say("Coupling of") + " " + strconv.Itoa(int(g.Edges[2*edge])+1) + " " + a.Say("and") + " " +
		strconv.Itoa(int(g.Edges[2*edge+1])+1) + ": J = " + strconv.FormatFloat(float64(g.J[edge]), 'g', 3, 64)
}

// Describe says which coupling the keys are at, else where the record is.
func (s *graphScene) Describe(a *paint.Area) string {
	if g := s.places.of; g != nil && s.keyed && s.edge < len(g.J) {
		return s.readEdge(a, s.edge)
	}
	return record.DescribeScrubber(a, s.Run)
}
