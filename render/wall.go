package render

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/render/paint"
)

// maxSlots bounds a wall of pictures, maxPoints one of points; lanes show at most
// their first hundred pictures or thousand points.
const (
	maxSlots  = 100
	maxPoints = 4096
	maxChains = 512 // whose way over the ladder is remembered
	maxLadder = 1 << 16
)

// slot is one row of a wall: a particle, or a chain.
type slot struct {
	filled bool
	cells  []byte      // W*H cells: 0 off, 1 on, 2 absent; nil for points
	shades []byte      // the probability of each cell to be on, 255 for 1; nil where not told
	at     paint.Point // for models in R^d
	values []float32   // parameters, of models that name them
	beta   float64
	logW   float64 // NaN: no weight
	rung   int     // -1: no ladder

	// The row in the frame before; of a copy, the row that it was copied from.
	parentSlot   int // slot of the row that it was copied from, -1: itself
	atBefore     paint.Point
	valuesBefore []float32
	logWBefore   float64
	progress     float64 // part of the way from there, 0 to 1, of a row between two of its record

	lane  *clock
	hops  []hop
	trail []trailPoint
	shots []shot // one for each moment of the record
}

// emptySlot is a slot that no row has come to yet.
var emptySlot = slot{beta: math.NaN(), logW: math.NaN(), rung: -1}

// wall is the newest picture of each row of one method. Lanes report at their
// own pace; row i of a frame goes to slot First+i and the newest wins.
type wall struct {
	model, method, phase string
	step, steps          int
	w, h                 int  // cells of a picture; 0 for points
	blind                bool // rows have neither pictures nor points
	slots                []slot
	total                int               // rows of the run, of all lanes
	version              int               // changes with every frame taken
	rungs                int               // of the ladder
	betas                []float64         // of each rung, NaN where not told yet
	lanes                map[int]*clock    // by the first row
	islands              map[int]*island   // by the first row
	weighed              *island           // the first lane of a run that weighs its particles along temperatures
	dropped              []droppedRow      // rows that were resampled away and are still seen
	now                  float64           // seconds, of the painting under way
	still                bool              // whether nothing moves in that painting
	over                 bool              // whether the run is over in it
	moments              []float64         // temperatures of the record
	every                int               // so many moments of the record are a line of the film
	seen                 view              // of random functions, of a run that has no stages
	parameters           *frame.Parameters // of the newest frame, nil if rows have none
	leader               leader
	flows                flows
}

// limit is the most slots a wall takes.
func (w *wall) limit() int {
	if w.w == 0 {
		return maxPoints
	}
	return maxSlots
}

// takeRows puts the rows of f on the wall.
func (w *wall) takeRows(f *frame.Frame, now float64) {
	w.renew(f)
	w.phase, w.step, w.steps, w.total = f.Phase, f.Step, f.Steps, f.Total
	w.version++
	w.blind = len(f.Pixels) == 0 && len(f.Points) == 0
	if f.First < 0 || f.First >= w.limit() {
		return
	}
	rows := min(f.N, w.limit()-f.First)
	w.makeRoom(f, rows)

	// The lane of the rows, and the leader among lanes.
	lane, fresh := w.laneOf(f, now)
	w.parameters = f.Parameters
	w.chooseLeader(f.First, rows, now)
	w.flows.take(f, w.moments, f.First == w.leader.first, now)

	// The first island with weights has a record.
	if f.Weighing != nil && f.Growth == nil && (w.weighed == nil || f.First <= w.weighed.first) {
		if w.weighed == nil || f.First < w.weighed.first {
			w.weighed = &island{first: f.First, next: 1}
		}
		w.weighed.take(f, now)
	}

	// New rows, with the descent from old rows.
	before := w.resample(f, rows, now, lane)
	for i := range rows {
		old := w.slots[f.First+i]
		w.slots[f.First+i] = w.row(f, i)
		w.remember(f.First+i, lane, fresh, old)
		if before != nil {
			w.slots[f.First+i].descend(f, i, before)
		}
	}
}

// renew clears the wall for a frame of another model or shape, or of a run after its pilot.
func (w *wall) renew(f *frame.Frame) {
	pw, ph := f.W, f.H
	if len(f.Pixels) == 0 {
		pw, ph = 0, 0
	}
	// After a pilot, the run has another number of chains, or other islands.
	after := (w.phase == "pilot" || f.Growth != nil) && w.total > 0 && f.Total != w.total
	if f.Model != w.model || pw != w.w || ph != w.h || after {
		*w = wall{model: f.Model, method: f.Method, w: pw, h: ph, version: w.version}
		w.moments, w.every = frame.Moments(pw, ph)
	}
}

// makeRoom has slots for all rows of the run at once, so that the wall does not re-flow, and for the rungs of its
// ladder.
func (w *wall) makeRoom(f *frame.Frame, rows int) {
	for len(w.slots) < max(f.First+rows, min(f.Total, w.limit())) {
		w.slots = append(w.slots, emptySlot)
	}
	if n := min(f.Rungs, maxLadder); n != w.rungs {
		w.rungs, w.betas = max(n, 0), nil
	}
}

// laneOf is the clock of the lane of a frame, moved to the frame, and whether the lane began a phase.
func (w *wall) laneOf(f *frame.Frame, now float64) (c *clock, fresh bool) {
	if w.lanes == nil {
		w.lanes = map[int]*clock{}
	}
	if c = w.lanes[f.First]; c == nil {
		c = &clock{phase: f.Phase}
		w.lanes[f.First] = c
	}
	fresh = c.advance(f.Phase, f.Step)
	c.pace(now, fresh)
	return c, fresh
}

// row reads row i of a frame, and notes the temperature of its rung.
func (w *wall) row(f *frame.Frame, i int) slot {
	s := emptySlot
	s.filled, s.parentSlot = true, -1
	switch {
	case w.w > 0:
		s.cells = f.Pixels[i*w.w*w.h : (i+1)*w.w*w.h]
		if len(f.Shades) > 0 {
			s.shades = f.Shades[i*w.w*w.h : (i+1)*w.w*w.h]
		}
	case len(f.Points) == 0:
		s.at = paint.Pt(math.NaN(), math.NaN())
	default:
		s.at = paint.Pt(float64(f.Points[2*i]), float64(f.Points[2*i+1]))
	}
	if w.parameters != nil {
		d := len(w.parameters.Names)
		s.values = w.parameters.X[i*d : (i+1)*d]
	}
	if len(f.Beta) > 0 {
		s.beta = float64(f.Beta[i])
	}
	if len(f.LogW) > 0 {
		s.logW = float64(f.LogW[i])
	}
	if len(f.Rung) > 0 && f.Rung[i] >= 0 && int(f.Rung[i]) < w.rungs {
		s.rung = int(f.Rung[i])
		w.noteBeta(s.rung, s.beta)
	}
	return s
}

// picture is a mark of cells on this wall: their shades where they are told.
func (w *wall) picture(box paint.Rect, cells, shades []byte, slot int) paint.Mark {
	m := paint.Mark{Kind: paint.Cells, Box: box, Cells: cells, Cols: w.w, Rows: w.h, Slot: slot}
	if shades != nil {
		m.Cells, m.Grey = shades, true
	}
	return m
}

// descend lets row i of a frame come from its parent among the rows before, if another row was copied.
func (s *slot) descend(f *frame.Frame, i int, before []slot) {
	p := int(f.Parents[i])
	if p < 0 || p >= len(before) || p == i {
		return
	}
	from := &before[p]
	s.parentSlot, s.atBefore, s.valuesBefore, s.logWBefore = f.First+p, from.at, from.values, from.logW
}

// droppedRow is a row that was resampled away.
type droppedRow struct {
	slot
	place int     // its place
	since float64 // seconds
}

// dropTime is how long such rows are seen to drop, in seconds.
const dropTime = 0.6

// resample keeps the rows that no row of a frame descends from, to be seen dropping, and returns the rows before. At
// full speed, and where nothing was resampled, there is nothing to see: nil.
func (w *wall) resample(f *frame.Frame, rows int, now float64, c *clock) (old []slot) {
	w.dropped = slices.DeleteFunc(w.dropped, func(d droppedRow) bool { return now-d.since > dropTime })
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
			w.dropped = append(w.dropped, droppedRow{old[i], f.First + i, now})
		}
	}
	return old
}

// noteBeta notes the temperature of a rung.
func (w *wall) noteBeta(rung int, beta float64) {
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
		case !s.filled || math.IsNaN(s.beta):
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
		if math.IsNaN(s.beta) {
			return -1 // all rows of a run without temperatures
		}
		return s.beta
	}
	known := func(s *slot) bool { return s.filled && !math.IsNaN(s.logW) && !math.IsInf(s.logW, 1) }
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

// descends tells whether rows go through the temperatures once, as annealing
// does, with weights, rather than hopping among them.
func (w *wall) descends() bool {
	for i := range w.slots {
		if s := &w.slots[i]; s.filled {
			return !math.IsNaN(s.logW)
		}
	}
	return false
}

// extent is the smallest box of round numbers around the finite points; round,
// so that it stands still while the points move. apart: with a step of its own for each side.
func extent(w *wall, apart bool) (lo, hi paint.Point, any bool) {
	lo, hi = paint.Pt(math.Inf(1), math.Inf(1)), paint.Pt(math.Inf(-1), math.Inf(-1))
	for i := range w.slots {
		p := w.slots[i].at
		if !w.slots[i].filled || math.IsNaN(p.X+p.Y) || math.IsInf(p.X, 0) || math.IsInf(p.Y, 0) {
			continue
		}
		any = true
		lo, hi = paint.Pt(min(lo.X, p.X), min(lo.Y, p.Y)), paint.Pt(max(hi.X, p.X), max(hi.Y, p.Y))
	}
	if !any {
		return lo, hi, false
	}
	x, y := max(hi.X-lo.X, 1e-3*math.Abs(hi.X)), max(hi.Y-lo.Y, 1e-3*math.Abs(hi.Y))
	if !apart {
		x, y = max(x, y, 0.01), max(x, y, 0.01)
	}
	out := func(v, size, dir float64) float64 {
		step := format.Step(max(size, 1e-9), 8)
		return math.Round(v/step+0.6*dir) * step
	}
	return paint.Pt(out(lo.X, x, -1), out(lo.Y, y, -1)), paint.Pt(out(hi.X, x, 1), out(hi.Y, y, 1)), true
}
