package render

import (
	"math"
	"slices"

	"logzlab/core/frame"
)

// Picture is everything the scenes can show: the newest rows of each method and
// the newest curves. The zero value is an empty picture.
type Picture struct {
	walls    []*wall
	curves   []frame.Curve
	truth    float64
	hasTruth bool
	methods  []string // order of colours and marks

	density      *density
	ladders      []frame.Ladder
	travels      []frame.Travel
	focus        string  // method whose number the page shows
	lit          string  // method that the viewer picked out of many, "" none
	chosen       string  // method the viewer tapped, "" for the one under way
	active       string  // method under way
	idle         int     // frames of others since the last one of active
	now          float64 // seconds; stands still in tests
	tiled        bool    // units: all particles instead of the film
	crowd        bool    // formation: all particles instead of large ones
	run          string  // what the run does: "running", "paused", "done", "failed"
	race         float64 // when the race on show began, 0: not yet
	scrubber     scrubber
	board        board
	path         *frame.Path
	noise        *frame.Noise
	means        *frame.Means
	unresampled  *frame.Unresampled
	places       graphPlaces
	orders       measures
	graphRow     int  // the particle on show
	graphEdge    int  // the coupling that keys have come to
	graphOn      bool // keys choose couplings
	flipped      bool // a coupling, which nobody has been told yet
	noiseTest    int  // the noise test that keys have come to, from 1; 0: none
	handSchedule hand
	plan         *frame.Plan
	handPrior    hand
	sheets       sheets
	axes         axes
	trained      *trained
}

// patience is the number of frames of other methods after which another method counts as the one under way: two
// methods that take turns must not flicker.
const patience = 24

// noteMethod keeps track of the method under way.
func (p *Picture) noteMethod(method string) {
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
func (p *Picture) pick(has func(*wall) bool) (w *wall, among []*wall) {
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

// Take adds a frame; it keeps views into it.
func (p *Picture) Take(f *frame.Frame) {
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
	if f.Field != nil {
		p.density = newDensity(f.Field)
	}
	if len(f.Ladders) > 0 {
		p.ladders = f.Ladders
	}
	if len(f.Travels) > 0 {
		p.travels = f.Travels
	}
	if f.Path != nil {
		p.path = f.Path
		p.handSchedule.take(&schedulePen, f.Path.Schedule, f.Path.Knots, p.now)
	}
	if f.Plan != nil {
		p.plan = f.Plan
		p.handPrior.take(&priorPen, f.Plan.Prior, f.Plan.Knots, p.now)
	}
	if f.Noise != nil {
		p.noise = f.Noise
	}
	if f.Means != nil {
		p.means = f.Means
	}
	if f.Graph != nil && !p.flipped {
		p.places.take(f.Graph)
	}
	if f.Unresampled != nil {
		p.unresampled = f.Unresampled
	}
	if f.Training != nil {
		p.trained = newTrained(f).keep(p.trained)
		return
	}

	// Rows of a method, if they can be shown, go to its wall.
	if f.Growth == nil && f.Latent == nil && (f.N == 0 || len(f.Pixels) == 0 && len(f.Points) == 0 &&
		len(f.Rung) == 0) || len(f.Pixels) > 0 && f.W*f.H == 0 {
		return
	}
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

// order is the place of a method in the list of methods.
func (p *Picture) order(method string) int { return max(indexOf(p.methods, method), 0) }

func indexOf(list []string, s string) int {
	for i, v := range list {
		if v == s {
			return i
		}
	}
	return -1
}
