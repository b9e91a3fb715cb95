package render

import (
	"slices"
	"strconv"

	"logzlab/core/frame"
	"logzlab/render/paint"
)

// flip turns the sign of a coupling: a parameter of the experiment, of which the page is told.
func (p *Picture) flip(edge int) {
	g := p.places.of
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
	p.places.of, p.flipped = &own, true
}

// turnGraph takes a key: arrows choose a coupling, Enter flips it, n shows the next particle; others go to the record.
func (p *Picture) turnGraph(key string) bool {
	g := p.places.of
	if g == nil {
		return false
	}
	n := len(g.J)
	switch {
	case key == "n":
		p.graphRow++
	case n == 0:
		return p.turn(key)
	case key == "e":
		p.graphOn = true
	case !p.graphOn:
		return p.turn(key)
	case key == "Escape":
		p.graphOn = false
	case key == "ArrowRight" || key == "ArrowDown":
		p.graphEdge = (p.graphEdge + 1) % n
	case key == "ArrowLeft" || key == "ArrowUp":
		p.graphEdge = (p.graphEdge + n - 1) % n
	case key == "Enter" || key == " ":
		p.flip(p.graphEdge)
	default:
		return p.turn(key)
	}
	return true
}

// readEdge says what is known of a coupling.
func (p *Picture) readEdge(a *paint.Area, edge int) string {
	g := p.places.of
	return a.Say("Coupling of") + " " + strconv.Itoa(int(g.Edges[2*edge])+1) + " " + a.Say("and") + " " +
		strconv.Itoa(int(g.Edges[2*edge+1])+1) + ": J = " + strconv.FormatFloat(float64(g.J[edge]), 'g', 3, 64)
}

// tellGraph says which coupling the keys are at, else where the record is.
func tellGraph(a *paint.Area, p *Picture) string {
	if g := p.places.of; g != nil && p.graphOn && p.graphEdge < len(g.J) {
		return p.readEdge(a, p.graphEdge)
	}
	return tellScrubber(a, p)
}
