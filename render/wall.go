package render

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
)

// maxSlots bounds a wall of pictures, maxPoints one of points; lanes show at most
// their first hundred pictures or thousand points.
const (
	maxSlots  = 100
	maxPoints = 4096
	maxChains = 512 // whose way over the ladder is remembered
	maxLadder = 1 << 16
)

// slot is one particle of a wall.
type slot struct {
	filled bool
	cells  []byte    // W*H cells: 0 off, 1 on, 2 absent; nil for points
	at     point     // for models in R^d
	own    []float32 // coordinates of models that name them
	beta   float64
	logW   float64 // NaN: no weight
	was    float64 // log weight in the frame before
	rung   int     // -1: no ladder

	from  point     // where it, or the row that it is a copy of, was in the frame before
	past  []float32 // its coordinates there
	part  float64   // of the way from there, of rows of a record
	of    int       // the slot that it was copied from, -1: itself
	lane  *clock
	hops  []hop
	trail []past
	shots []shot // one for each moment of the record
}

// wall is the newest picture of each row of one method. Lanes report at their
// own pace; row i of a frame goes to slot First+i and the newest wins.
type wall struct {
	model, method, phase string
	step, steps          int
	w, h                 int  // cells of a picture; 0 for points
	blind                bool // rows have neither
	slots                []slot
	total                int // rows of the run, of all lanes
	version              int // changes with every frame taken
	rungs                int
	betas                []float64 // of each rung, NaN where not told yet
	lanes                map[int]*clock
	islands              map[int]*island // by the first row
	fallen               []fallen
	now                  float64           // seconds, of the painting under way
	still                bool              // and whether nothing moves in it
	moments              []float64         // temperatures of the record
	every                int               // so many of them is a line of the film
	seen                 view              // of random functions, of a run that has no stages
	own                  *frame.Parameters // of the newest frame, nil if rows have none
	led                  lead
	flows                flows
}

// limit is the most slots a wall takes.
func (w *wall) limit() int {
	if w.w == 0 {
		return maxPoints
	}
	return maxSlots
}

// take puts the rows of f on the wall. A frame of another model or shape clears it, or
// of a run after its pilot.
func (w *wall) take(f *frame.Frame, now float64) {
	pw, ph := f.W, f.H
	if len(f.Pixels) == 0 {
		pw, ph = 0, 0
	}
	pilot := f.Growth != nil && w.total > 0 && f.Total != w.total // was shown so far: the run has other islands
	if f.Model != w.model || pw != w.w || ph != w.h || pilot {
		*w = wall{model: f.Model, method: f.Method, w: pw, h: ph, version: w.version}
		w.moments, w.every = frame.Moments(pw, ph)
	}
	w.phase, w.step, w.steps = f.Phase, f.Step, f.Steps
	w.version++
	w.total = f.Total
	w.blind = len(f.Pixels) == 0 && len(f.Points) == 0
	most := w.limit()
	if f.First < 0 || f.First >= most {
		return
	}
	rows := min(f.N, most-f.First)
	for len(w.slots) < max(f.First+rows, min(f.Total, most)) {
		// All at once, so that the wall does not re-flow.
		w.slots = append(w.slots, slot{beta: math.NaN(), logW: math.NaN(), rung: -1})
	}
	if n := min(f.Rungs, maxLadder); n != w.rungs {
		w.rungs, w.betas = max(n, 0), nil
	}
	if w.lanes == nil {
		w.lanes = map[int]*clock{}
	}
	c := w.lanes[f.First]
	if c == nil {
		c = &clock{phase: f.Phase}
		w.lanes[f.First] = c
	}
	fresh := c.tell(f.Phase, f.Step)
	c.pace(now, fresh)
	w.own = f.Parameters
	w.lead(f.First, rows, now)
	w.flows.take(f, w.moments, f.First == w.led.first, now)
	old := w.resample(f, rows, now, c)
	for i := range rows {
		s := slot{filled: true, beta: math.NaN(), logW: math.NaN(), rung: -1, of: -1}
		if pw > 0 {
			s.cells = f.Pixels[i*pw*ph : (i+1)*pw*ph]
		} else if len(f.Points) == 0 {
			s.at = point{math.NaN(), math.NaN()}
		} else {
			s.at = point{float64(f.Points[2*i]), float64(f.Points[2*i+1])}
		}
		if w.own != nil {
			d := len(w.own.Names)
			s.own = w.own.X[i*d : (i+1)*d]
		}
		if len(f.Beta) > 0 {
			s.beta = float64(f.Beta[i])
		}
		if len(f.LogW) > 0 {
			s.logW = float64(f.LogW[i])
		}
		if len(f.Rung) > 0 && f.Rung[i] >= 0 && int(f.Rung[i]) < w.rungs {
			s.rung = int(f.Rung[i])
			w.learn(s.rung, s.beta)
		}
		before := w.slots[f.First+i]
		w.slots[f.First+i] = s
		w.remember(f.First+i, c, fresh, before)
		if old != nil {
			if p := int(f.Parents[i]); p >= 0 && p < len(old) && p != i {
				s := &w.slots[f.First+i]
				s.from, s.past, s.of, s.was = old[p].at, old[p].own, f.First+p, old[p].logW
			}
		}
	}
}

// fallen is a row that was resampled away.
type fallen struct {
	slot
	i     int     // its place
	since float64 // seconds
}

// fallTime is how long such rows are seen to drop, in seconds.
const fallTime = 0.6

// resample keeps the rows that no row of a frame descends from, to be seen dropping, and returns the rows before. At
// full speed, and where nothing was resampled, there is nothing to see: nil.
func (w *wall) resample(f *frame.Frame, rows int, now float64, c *clock) (old []slot) {
	w.fallen = slices.DeleteFunc(w.fallen, func(d fallen) bool { return now-d.since > fallTime })
	if len(f.Parents) == 0 || c.glide <= 0 {
		return nil
	}
	old = slices.Clone(w.slots[f.First : f.First+rows])
	lives := make([]bool, rows)
	for _, p := range f.Parents[:rows] {
		if p >= 0 && int(p) < rows {
			lives[p] = true
		}
	}
	for i := range old {
		if !lives[i] && old[i].filled {
			w.fallen = append(w.fallen, fallen{old[i], f.First + i, now})
		}
	}
	return old
}

// learn notes the temperature of a rung.
func (w *wall) learn(rung int, beta float64) {
	if w.betas == nil {
		w.betas = make([]float64, w.rungs)
		for k := range w.betas {
			w.betas[k] = math.NaN()
		}
	}
	w.betas[rung] = beta
}

// filled counts the particles that have arrived.
func (w *wall) filled() (n int) {
	for i := range w.slots {
		if w.slots[i].filled {
			n++
		}
	}
	return n
}

// beta returns the inverse temperature all particles share, if they do.
func (w *wall) beta() (b float64, shared, known bool) {
	for i := range w.slots {
		s := &w.slots[i]
		switch {
		case !s.filled || !num.Known(s.beta):
		case !known:
			b, shared, known = s.beta, true, true
		case s.beta != b:
			shared = false
		}
	}
	return b, shared, known
}

// tempered tells whether rows stand at inverse temperatures.
func (w *wall) tempered() bool {
	_, _, known := w.beta()
	return known
}

// weights returns, for each slot, its weight relative to the largest among the
// rows at the same inverse temperature (weights at different ones cannot be
// compared), 0 where there is no finite weight, and whether there is any weight.
func (w *wall) weights() (rel []float64, any bool) {
	top := map[float64]float64{}
	at := func(s *slot) float64 {
		if !num.Known(s.beta) {
			return -1 // all rows of a run without temperatures
		}
		return s.beta
	}
	known := func(s *slot) bool { return s.filled && num.Known(s.logW) && !math.IsInf(s.logW, 1) }
	for i := range w.slots {
		if s := &w.slots[i]; known(s) {
			if t, ok := top[at(s)]; !ok || s.weight(w.now, w.still) > t {
				top[at(s)] = s.weight(w.now, w.still)
			}
		}
	}
	rel = make([]float64, len(w.slots))
	for i := range w.slots {
		if s := &w.slots[i]; known(s) && !math.IsInf(s.logW, -1) {
			rel[i] = math.Exp(s.weight(w.now, w.still) - top[at(s)])
		}
	}
	return rel, len(top) > 0
}

// Picture is everything the scenes can show: the newest rows of each method and
// the newest curves. The zero value is an empty picture.
type Picture struct {
	walls    []*wall
	curves   []frame.Curve
	truth    float64
	hasTruth bool
	methods  []string // order of colours and marks

	density *density
	ladders []frame.Ladder
	travels []frame.Travel
	focus   string  // method whose number the page shows
	lit     string  // method that the viewer picked out of many, "" none
	chosen  string  // method the viewer tapped, "" for the one under way
	active  string  // method under way
	idle    int     // frames of others since the last one of active
	now     float64 // seconds; stands still in tests
	tiled   bool    // units: all particles instead of the film
	crowd   bool    // formation: all particles instead of large ones
	run     string  // what the run does: "running", "paused", "done", "failed"
	race    float64 // when the race on show began, 0: not yet
	hand    hand
	board   board
	path    *frame.Path
	noise   *frame.Noise
	trial   int // the trial that keys have come to, from 1; 0: none
	own     own
	sheets  sheets
	trained *trained
}

// patience is the number of frames of other methods after which one of them is
// the one under way: two that take turns must not flicker.
const patience = 24

// note keeps track of the method under way.
func (p *Picture) note(method string) {
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
		p.own.take(f.Path.Schedule, f.Path.Knots, p.now)
	}
	if f.Noise != nil {
		p.noise = f.Noise
	}
	if f.Training != nil {
		p.trained = newTrained(f).keep(p.trained)
		return
	}
	if f.Growth == nil && f.Latent == nil && (f.N == 0 || len(f.Pixels) == 0 && len(f.Points) == 0 &&
		len(f.Rung) == 0) || len(f.Pixels) > 0 && f.W*f.H == 0 {
		return
	}
	if indexOf(p.methods, f.Method) < 0 {
		p.methods = append(p.methods, f.Method)
	}
	p.note(f.Method)
	i := slices.IndexFunc(p.walls, func(w *wall) bool { return w.method == f.Method })
	if i < 0 {
		i = len(p.walls)
		p.walls = append(p.walls, &wall{method: f.Method})
	}
	if f.N > 0 {
		if p.hand.first == 0 {
			p.hand.first = p.now
		}
		p.walls[i].take(f, p.now)
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
