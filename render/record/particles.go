package record

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/render/paint"
)

// MaxSlots bounds the particles of a method that are kept as pictures, MaxPoints those kept as points; lanes send at
// most their first hundred pictures or thousand points.
const (
	MaxSlots  = 100
	maxPoints = 4096
	MaxChains = 512 // whose way over the ladder is remembered
	maxLadder = 1 << 16
)

// Slot is one particle, or a chain.
type Slot struct {
	Filled bool
	Cells  []byte      // W*H cells: 0 off, 1 on, 2 absent; nil for points
	Shades []byte      // the probability of each cell to be on, 255 for 1; nil where not told
	At     paint.Point // for models in R^d
	Values []float32   // parameters, of models that name them
	Beta   float64
	LogW   float64 // NaN: no weight
	Rung   int     // -1: no ladder

	// The row in the frame before; of a copy, the row that it was copied from.
	ParentSlot   int // slot of the row that it was copied from, -1: itself
	AtBefore     paint.Point
	ValuesBefore []float32
	logWBefore   float64
	progress     float64 // part of the way from there, 0 to 1, of a row between two of its record

	Lane  *clock
	Hops  []hop
	Trail []trailPoint
	Shots []Shot // one for each moment of the record
}

// EmptySlot is a slot that no row has come to yet.
var EmptySlot = Slot{Beta: math.NaN(), LogW: math.NaN(), Rung: -1}

// Particles are the newest pictures of the particles, or chains, of one method. Lanes report at their
// own pace; row i of a frame goes to slot First+i and the newest wins.
type Particles struct {
	Model, Method, phase string
	step, Steps          int
	W, H                 int  // cells of a picture; 0 for points
	Blind                bool // rows have neither pictures nor points
	Slots                []Slot
	Total                int               // rows of the run, of all lanes
	Version              int               // changes with every frame taken
	Rungs                int               // of the ladder
	betas                []float64         // of each rung, NaN where not told yet
	lanes                map[int]*clock    // by the first row
	Islands              map[int]*Island   // by the first row
	Weighed              *Island           // the first lane of a run that weighs its particles along temperatures
	Dropped              []droppedRow      // rows that were resampled away and are still seen
	Now                  float64           // seconds, of the painting under way
	Still                bool              // whether nothing moves in that painting
	over                 bool              // whether the run is over in it
	Moments              []float64         // temperatures of the record
	Every                int               // so many moments of the record are a line of the film
	Seen                 view              // of random functions, of a run that has no stages
	Parameters           *frame.Parameters // of the newest frame, nil if rows have none
	Leader               leader
	Flows                flows
}

// limit is the most particles that are kept.
func (w *Particles) limit() int {
	if w.W == 0 {
		return maxPoints
	}
	return MaxSlots
}

// takeRows takes the particles of a frame.
func (w *Particles) takeRows(f *frame.Frame, now float64) {
	w.renew(f)
	w.phase, w.step, w.Steps, w.Total = f.Phase, f.Step, f.Steps, f.Total
	w.Version++
	w.Blind = len(f.Pixels) == 0 && len(f.Points) == 0
	if f.First < 0 || f.First >= w.limit() {
		return
	}
	rows := min(f.N, w.limit()-f.First)
	w.makeRoom(f, rows)

	// The lane of the rows, and the leader among lanes.
	lane, fresh := w.laneOf(f, now)
	w.Parameters = f.Parameters
	w.chooseLeader(f.First, rows, now)
	w.Flows.take(f, w.Moments, f.First == w.Leader.First, now)

	// The first island with weights has a record.
	if f.Weighing != nil && f.Growth == nil && (w.Weighed == nil || f.First <= w.Weighed.First) {
		if w.Weighed == nil || f.First < w.Weighed.First {
			w.Weighed = &Island{First: f.First, Next: 1}
		}
		w.Weighed.Take(f, now)
	}

	// New rows, with the descent from old rows.
	before := w.resample(f, rows, now, lane)
	for i := range rows {
		old := w.Slots[f.First+i]
		w.Slots[f.First+i] = w.row(f, i)
		w.remember(f.First+i, lane, fresh, old)
		if before != nil {
			w.Slots[f.First+i].descend(f, i, before)
		}
	}
}

// renew forgets all for a frame of another model or shape, or of a run after its pilot.
func (w *Particles) renew(f *frame.Frame) {
	pw, ph := f.W, f.H
	if len(f.Pixels) == 0 {
		pw, ph = 0, 0
	}
	// After a pilot, the run has another number of chains, or other islands.
	after := (w.phase == "pilot" || f.Growth != nil) && w.Total > 0 && f.Total != w.Total
	if f.Model != w.Model || pw != w.W || ph != w.H || after {
		*w = Particles{Model: f.Model, Method: f.Method, W: pw, H: ph, Version: w.Version}
		w.Moments, w.Every = frame.SnapshotBetas(pw, ph)
	}
}

// makeRoom has slots for all rows of the run at once, so that their places stay, and for the rungs of its
// ladder.
func (w *Particles) makeRoom(f *frame.Frame, rows int) {
	for len(w.Slots) < max(f.First+rows, min(f.Total, w.limit())) {
		w.Slots = append(w.Slots, EmptySlot)
	}
	if n := min(f.Rungs, maxLadder); n != w.Rungs {
		w.Rungs, w.betas = max(n, 0), nil
	}
}

// laneOf is the clock of the lane of a frame, moved to the frame, and whether the lane began a phase.
func (w *Particles) laneOf(f *frame.Frame, now float64) (c *clock, fresh bool) {
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
func (w *Particles) row(f *frame.Frame, i int) Slot {
	s := EmptySlot
	s.Filled, s.ParentSlot = true, -1
	switch {
	case w.W > 0:
		s.Cells = f.Pixels[i*w.W*w.H : (i+1)*w.W*w.H]
		if len(f.Shades) > 0 {
			s.Shades = f.Shades[i*w.W*w.H : (i+1)*w.W*w.H]
		}
	case len(f.Points) == 0:
		s.At = paint.Pt(math.NaN(), math.NaN())
	default:
		s.At = paint.Pt(float64(f.Points[2*i]), float64(f.Points[2*i+1]))
	}
	if w.Parameters != nil {
		d := len(w.Parameters.Names)
		s.Values = w.Parameters.X[i*d : (i+1)*d]
	}
	if len(f.Beta) > 0 {
		s.Beta = float64(f.Beta[i])
	}
	if len(f.LogW) > 0 {
		s.LogW = float64(f.LogW[i])
	}
	if len(f.Rung) > 0 && f.Rung[i] >= 0 && int(f.Rung[i]) < w.Rungs {
		s.Rung = int(f.Rung[i])
		w.noteBeta(s.Rung, s.Beta)
	}
	return s
}

// Picture is a mark of cells: their shades where they are told.
func (w *Particles) Picture(box paint.Rect, cells, shades []byte, slot int) paint.Mark {
	m := paint.Mark{Kind: paint.Cells, Box: box, Cells: cells, Cols: w.W, Rows: w.H, Slot: slot}
	if shades != nil {
		m.Cells, m.Grey = shades, true
	}
	return m
}

// descend lets row i of a frame come from its parent among the rows before, if another row was copied.
func (s *Slot) descend(f *frame.Frame, i int, before []Slot) {
	p := int(f.Parents[i])
	if p < 0 || p >= len(before) || p == i {
		return
	}
	from := &before[p]
	s.ParentSlot, s.AtBefore, s.ValuesBefore, s.logWBefore = f.First+p, from.At, from.Values, from.LogW
}

// droppedRow is a row that was resampled away.
type droppedRow struct {
	Slot
	Place int     // its place
	since float64 // seconds
}

// dropTime is how long such rows are seen to drop, in seconds.
const dropTime = 0.6

// resample keeps the rows that no row of a frame descends from, to be seen dropping, and returns the rows before. At
// full speed, and where nothing was resampled, there is nothing to see: nil.
func (w *Particles) resample(f *frame.Frame, rows int, now float64, c *clock) (old []Slot) {
	w.Dropped = slices.DeleteFunc(w.Dropped, func(d droppedRow) bool { return now-d.since > dropTime })
	if len(f.Parents) == 0 || c.glide <= 0 {
		return nil
	}
	old = slices.Clone(w.Slots[f.First : f.First+rows])
	lives := make([]bool, rows)
	for _, p := range f.Parents[:rows] {
		if p >= 0 && int(p) < rows {
			lives[p] = true
		}
	}
	for i := range old {
		if !lives[i] && old[i].Filled {
			w.Dropped = append(w.Dropped, droppedRow{old[i], f.First + i, now})
		}
	}
	return old
}

// noteBeta notes the temperature of a rung.
func (w *Particles) noteBeta(rung int, beta float64) {
	if w.betas == nil {
		w.betas = make([]float64, w.Rungs)
		for k := range w.betas {
			w.betas[k] = math.NaN()
		}
	}
	w.betas[rung] = beta
}

// Filled counts the particles that have arrived.
func (w *Particles) Filled() (n int) {
	for i := range w.Slots {
		if w.Slots[i].Filled {
			n++
		}
	}
	return n
}

// Beta returns the inverse temperature all particles share, if they do.
func (w *Particles) Beta() (b float64, shared, known bool) {
	for i := range w.Slots {
		s := &w.Slots[i]
		switch {
		case !s.Filled || math.IsNaN(s.Beta):
		case !known:
			b, shared, known = s.Beta, true, true
		case s.Beta != b:
			shared = false
		}
	}
	return b, shared, known
}

// Tempered tells whether rows stand at inverse temperatures.
func (w *Particles) Tempered() bool {
	_, _, known := w.Beta()
	return known
}

// Weights returns, for each slot, its weight relative to the largest among the
// rows at the same inverse temperature (weights at different ones cannot be
// compared), 0 where there is no finite weight, and whether there is any weight.
func (w *Particles) Weights() (rel []float64, any bool) {
	top := map[float64]float64{}
	at := func(s *Slot) float64 {
		if math.IsNaN(s.Beta) {
			return -1 // all rows of a run without temperatures
		}
		return s.Beta
	}
	known := func(s *Slot) bool { return s.Filled && !math.IsNaN(s.LogW) && !math.IsInf(s.LogW, 1) }
	for i := range w.Slots {
		if s := &w.Slots[i]; known(s) {
			if t, ok := top[at(s)]; !ok || s.Weight(w.Now, w.Still) > t {
				top[at(s)] = s.Weight(w.Now, w.Still)
			}
		}
	}
	rel = make([]float64, len(w.Slots))
	for i := range w.Slots {
		if s := &w.Slots[i]; known(s) && !math.IsInf(s.LogW, -1) {
			rel[i] = math.Exp(s.Weight(w.Now, w.Still) - top[at(s)])
		}
	}
	return rel, len(top) > 0
}

// Descends tells whether rows go through the temperatures once, as annealing
// does, with weights, rather than hopping among them.
func (w *Particles) Descends() bool {
	for i := range w.Slots {
		if s := &w.Slots[i]; s.Filled {
			return !math.IsNaN(s.LogW)
		}
	}
	return false
}

// Extent is the smallest box of round numbers around the finite points; round,
// so that it stands still while the points move. apart: with a step of its own for each side.
func Extent(w *Particles, apart bool) (lo, hi paint.Point, any bool) {
	lo, hi = paint.Pt(math.Inf(1), math.Inf(1)), paint.Pt(math.Inf(-1), math.Inf(-1))
	for i := range w.Slots {
		p := w.Slots[i].At
		if !w.Slots[i].Filled || math.IsNaN(p.X+p.Y) || math.IsInf(p.X, 0) || math.IsInf(p.Y, 0) {
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
