package render

import (
	"math"
	"slices"

	"logzlab/core/frame"
)

// Run is what all scenes know of a run: the newest particles of each method, how they looked at earlier temperatures or
// stages, the estimates so far, and which method and which part of the record the viewer chose. The zero value is a run
// without frames.
type Run struct {
	walls    []*wall
	curves   []frame.Curve
	truth    float64
	hasTruth bool
	methods  []string // order of colours and marks
	ladders  []frame.Ladder
	travels  []frame.Travel
	graph    bool // particles are states of a graph's variables

	focus    string  // method whose number the page shows
	chosen   string  // method the viewer tapped, "" for the one under way
	active   string  // method under way
	idle     int     // frames of others since the last one of active
	now      float64 // seconds; stands still in tests
	state    string  // what the run does: "running", "paused", "done", "failed"
	scrubber scrubber
}

// patience is the number of frames of other methods after which another method counts as the one under way: two
// methods that take turns must not flicker.
const patience = 24

// noteMethod keeps track of the method under way.
func (p *Run) noteMethod(method string) {
	switch {
	case p.active == method:
		p.idle = 0
	case p.active == "" || p.idle >= patience:
		p.active, p.idle = method, 0
	default:
		p.idle++
	}
}

// pick returns the wall to show among those with something to show: the one
// chosen, else the one under way, else the first; and all of them.
func (p *Run) pick(has func(*wall) bool) (w *wall, among []*wall) {
	for _, m := range p.methods {
		for _, v := range p.walls {
			if v.method == m && has(v) {
				among = append(among, v)
			}
		}
	}
	for _, want := range [...]string{p.chosen, p.active} {
		for _, v := range among {
			if v.method == want {
				return v, among
			}
		}
	}
	if len(among) > 0 {
		w = among[0]
	}
	return w, among
}

// clear forgets all frames; what the viewer chose stays.
func (p *Run) clear() {
	*p = Run{chosen: p.chosen, focus: p.focus, state: p.state, now: p.now, scrubber: scrubber{opens: p.scrubber.opens}}
}

// Take adds a frame; it keeps views into it.
func (p *Run) Take(f *frame.Frame) {
	if len(f.Curves) > 0 {
		// The sender lists the methods in the order of the page: follow it.
		var order []string
		for _, c := range f.Curves {
			order = append(order, c.Method)
		}
		for _, m := range p.methods {
			if indexOf(order, m) < 0 {
				order = append(order, m)
			}
		}
		p.methods = order
		p.curves = f.Curves
	}

	// Whatever else the frame brings replaces what was known.
	if len(f.Curves) > 0 || f.HasTruth {
		p.truth, p.hasTruth = f.Truth, f.HasTruth && math.Abs(f.Truth) <= largest
	}
	if len(f.Ladders) > 0 {
		p.ladders = f.Ladders
	}
	if len(f.Travels) > 0 {
		p.travels = f.Travels
	}
	p.graph = p.graph || f.Graph != nil
	if !hasRows(f) {
		return
	}

	// Rows of a method go to its wall.
	if indexOf(p.methods, f.Method) < 0 {
		p.methods = append(p.methods, f.Method)
	}
	p.noteMethod(f.Method)
	i := slices.IndexFunc(p.walls, func(w *wall) bool { return w.method == f.Method })
	if i < 0 {
		i = len(p.walls)
		p.walls = append(p.walls, &wall{method: f.Method})
	}
	if f.N > 0 {
		p.walls[i].takeRows(f, p.now)
	}
	if f.Growth != nil {
		p.walls[i].grow(f, p.now)
	} else if f.Latent != nil {
		p.walls[i].look(f, p.now)
	}
}

// hasRows reports whether a frame brings particles that can be shown.
func hasRows(f *frame.Frame) bool {
	switch {
	case f.Training != nil, len(f.Pixels) > 0 && f.W*f.H == 0:
		return false
	case f.Growth != nil, f.Latent != nil:
		return true
	}
	return f.N > 0 && (len(f.Pixels) > 0 || len(f.Points) > 0 || len(f.Rung) > 0)
}

// order is the place of a method in the list of methods.
func (p *Run) order(method string) int { return max(indexOf(p.methods, method), 0) }

func indexOf(list []string, s string) int {
	for i, v := range list {
		if v == s {
			return i
		}
	}
	return -1
}
