package record

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/render/paint"
)

// MaxSlots bounds the particles of a method that are kept as pictures, maxPoints those kept as points. Lanes send at
// most their first 100 pictures or 1,000 points.
const (
	MaxSlots  = 100
	maxPoints = 4096
	MaxChains = 512 // chains whose rungs are remembered
	maxLadder = 1 << 16
)

// Slot is one particle or chain.
type Slot struct {
	Filled bool
	Cells  []byte      // W*H cells: 0 off, 1 on, 2 absent; nil for points
	Shades []byte      // the probability of each cell to be on, 255 for 1; nil if unknown
	At     paint.Point // position of models in R^d
	Values []float32   // coordinates, of models that name them
	Beta   float64
	LogW   float64 // NaN: no weight
	Rung   int     // -1: no ladder

	// State in the previous frame; of a copied row, the state of its parent.
	ParentSlot   int // slot of the row that was copied, -1: not a copy
	AtBefore     paint.Point
	ValuesBefore []float32
	logWBefore   float64
	progress     float64 // fraction of the way from ValuesBefore to Values, of a row interpolated between two snapshots

	Lane        *laneClock
	RungHistory []rungAt
	Trail       []trailPoint
	Snapshots   []Snapshot // one for each of Particles.Moments
}

// EmptySlot is a slot without a row.
var EmptySlot = Slot{Beta: math.NaN(), LogW: math.NaN(), Rung: -1}

// Particles contains the newest particles, or chains, of one method. Lanes report at their own pace: row i of a frame
// goes to slot First+i and replaces the old one.
type Particles struct {
	Model, Method, phase string
	step, Steps          int
	W, H                 int  // cells of a picture; 0 for points
	RungsOnly            bool // rows have neither pictures nor points
	Slots                []Slot
	Total                int                // rows of the run, in all lanes
	Version              int                // number of frames taken
	Rungs                int                // of the ladder
	betas                []float64          // of each rung, NaN if unknown
	lanes                map[int]*laneClock // by first row
	Islands              map[int]*Island    // by first row
	WeightedIsland       *Island            // the first lane of a tempering run with weights
	Dropped              []droppedRow       // rows without offspring whose animation is under way
	Now                  float64            // time of the current painting, in seconds
	Still                bool               // the current painting has no animations
	runIsOver            bool               // the run is over in the current painting
	Moments              []float64          // inverse temperatures of the snapshots
	FilmStride           int                // the scene units shows one snapshot in FilmStride
	LatentView           latentView         // of a run without stages
	Parameters           *frame.Parameters  // of the newest frame, nil if rows have none
	Leader               leader
	Flows                flows
}

// limit returns the maximum number of slots.
func (w *Particles) limit() int {
	if w.W == 0 {
		return maxPoints
	}
	return MaxSlots
}

// takeRows stores the particles of a frame.
func (w *Particles) takeRows(f *frame.Frame, now float64) {
	w.resetIfChanged(f)
	w.phase, w.step, w.Steps, w.Total = f.Phase, f.Step, f.Steps, f.Total
	w.Version++
	w.RungsOnly = len(f.Pixels) == 0 && len(f.Points) == 0
	if f.First < 0 || f.First >= w.limit() {
		return
	}
	rows := min(f.N, w.limit()-f.First)
	w.growSlots(f, rows)

	lane, newPhase := w.laneOf(f, now)
	w.Parameters = f.Parameters
	w.chooseLeader(f.First, rows, now)
	w.Flows.take(f, w.Moments, f.First == w.Leader.First, now)

	// The first lane with weights has a record.
	if f.Weighing != nil && f.Growth == nil && (w.WeightedIsland == nil || f.First <= w.WeightedIsland.First) {
		if w.WeightedIsland == nil || f.First < w.WeightedIsland.First {
			w.WeightedIsland = &Island{First: f.First, Next: 1}
		}
		w.WeightedIsland.Take(f, now)
	}

	before := w.takeDropped(f, rows, now, lane)
	for i := range rows {
		old := w.Slots[f.First+i]
		w.Slots[f.First+i] = w.readRow(f, i)
		w.updateHistory(f.First+i, lane, newPhase, old)
		if before != nil {
			w.Slots[f.First+i].copyParent(f, i, before)
		}
	}
}

// resetIfChanged discards everything if a frame has another model or shape, or is the first after a pilot run.
func (w *Particles) resetIfChanged(f *frame.Frame) {
	pw, ph := f.W, f.H
	if len(f.Pixels) == 0 {
		pw, ph = 0, 0
	}
	// After a pilot, the run has another number of chains or islands.
	followsPilot := (w.phase == "pilot" || f.Growth != nil) && w.Total > 0 && f.Total != w.Total
	if f.Model != w.Model || pw != w.W || ph != w.H || followsPilot {
		*w = Particles{Model: f.Model, Method: f.Method, W: pw, H: ph, Version: w.Version}
		w.Moments, w.FilmStride = frame.SnapshotBetas(pw, ph)
	}
}

// growSlots makes slots for all rows of the run at once, so that their positions do not change, and sets the number of
// rungs.
func (w *Particles) growSlots(f *frame.Frame, rows int) {
	for len(w.Slots) < max(f.First+rows, min(f.Total, w.limit())) {
		w.Slots = append(w.Slots, EmptySlot)
	}
	if n := min(f.Rungs, maxLadder); n != w.Rungs {
		w.Rungs, w.betas = max(n, 0), nil
	}
}

// laneOf returns the clock of the lane of a frame, advanced to the frame, and whether the lane has begun a phase.
func (w *Particles) laneOf(f *frame.Frame, now float64) (c *laneClock, newPhase bool) {
	if w.lanes == nil {
		w.lanes = map[int]*laneClock{}
	}
	if c = w.lanes[f.First]; c == nil {
		c = &laneClock{phase: f.Phase}
		w.lanes[f.First] = c
	}
	newPhase = c.advance(f.Phase, f.Step)
	c.pace(now, newPhase)
	return c, newPhase
}

// readRow returns row i of a frame, and stores the inverse temperature of its rung.
func (w *Particles) readRow(f *frame.Frame, i int) Slot {
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
		w.setBeta(s.Rung, s.Beta)
	}
	return s
}

// Picture returns a mark of cells, or of shades if they are known.
func (w *Particles) Picture(box paint.Rect, cells, shades []byte, slot int) paint.Mark {
	m := paint.Mark{Kind: paint.Cells, Box: box, Cells: cells, Cols: w.W, Rows: w.H, Slot: slot}
	if shades != nil {
		m.Cells, m.Grey = shades, true
	}
	return m
}

// copyParent sets the previous state of row i of a frame to its parent's state, if it was copied from another row.
func (s *Slot) copyParent(f *frame.Frame, i int, before []Slot) {
	p := int(f.Parents[i])
	if p < 0 || p >= len(before) || p == i {
		return
	}
	from := &before[p]
	s.ParentSlot, s.AtBefore, s.ValuesBefore, s.logWBefore = f.First+p, from.At, from.Values, from.LogW
}

// droppedRow is a row without offspring.
type droppedRow struct {
	Slot
	Index int     // slot
	since float64 // in seconds
}

// dropTime is the duration of the animation of a droppedRow, in seconds.
const dropTime = 0.6

// takeDropped stores the rows without offspring in a frame, to be animated, and returns the previous rows. It returns
// nil if nothing was resampled, or at full speed.
func (w *Particles) takeDropped(f *frame.Frame, rows int, now float64, c *laneClock) (old []Slot) {
	w.Dropped = slices.DeleteFunc(w.Dropped, func(d droppedRow) bool { return now-d.since > dropTime })
	if len(f.Parents) == 0 || c.glideTime <= 0 {
		return nil
	}
	old = slices.Clone(w.Slots[f.First : f.First+rows])
	hasChild := make([]bool, rows)
	for _, p := range f.Parents[:rows] {
		if p >= 0 && int(p) < rows {
			hasChild[p] = true
		}
	}
	for i := range old {
		if !hasChild[i] && old[i].Filled {
			w.Dropped = append(w.Dropped, droppedRow{old[i], f.First + i, now})
		}
	}
	return old
}

// setBeta stores the inverse temperature of a rung.
func (w *Particles) setBeta(rung int, beta float64) {
	if w.betas == nil {
		w.betas = make([]float64, w.Rungs)
		for k := range w.betas {
			w.betas[k] = math.NaN()
		}
	}
	w.betas[rung] = beta
}

// CountFilled returns the number of particles that have arrived.
func (w *Particles) CountFilled() (n int) {
	for i := range w.Slots {
		if w.Slots[i].Filled {
			n++
		}
	}
	return n
}

// SharedBeta returns the inverse temperature of the particles, whether all particles have the same, and whether any is
// known.
func (w *Particles) SharedBeta() (b float64, shared, known bool) {
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

// HasBetas reports whether rows have inverse temperatures.
func (w *Particles) HasBetas() bool {
	_, _, known := w.SharedBeta()
	return known
}

// Weights returns the weight of each slot over the largest weight at the same inverse temperature (weights at
// different ones cannot be compared), 0 if it has no finite weight, and whether any row has a weight.
func (w *Particles) Weights() (rel []float64, any bool) {
	largest := map[float64]float64{}
	betaKey := func(s *Slot) float64 {
		if math.IsNaN(s.Beta) {
			return -1 // all rows of a run without temperatures
		}
		return s.Beta
	}
	hasWeight := func(s *Slot) bool { return s.Filled && !math.IsNaN(s.LogW) && !math.IsInf(s.LogW, 1) }
	for i := range w.Slots {
		if s := &w.Slots[i]; hasWeight(s) {
			if t, ok := largest[betaKey(s)]; !ok || s.GlidingLogW(w.Now, w.Still) > t {
				largest[betaKey(s)] = s.GlidingLogW(w.Now, w.Still)
			}
		}
	}
	rel = make([]float64, len(w.Slots))
	for i := range w.Slots {
		if s := &w.Slots[i]; hasWeight(s) && !math.IsInf(s.LogW, -1) {
			rel[i] = math.Exp(s.GlidingLogW(w.Now, w.Still) - largest[betaKey(s)])
		}
	}
	return rel, len(largest) > 0
}

// IsAnnealed reports whether rows pass the temperatures once, with weights, as in annealing.
func (w *Particles) IsAnnealed() bool {
	for i := range w.Slots {
		if s := &w.Slots[i]; s.Filled {
			return !math.IsNaN(s.LogW)
		}
	}
	return false
}

// Extent returns two opposite corners of a box that contains all finite points, and false if there are no such points.
// The coordinates of the corners are rounded outwards, so that the box changes rarely while points move. The rounding step
// is the same for both axes, unless separateSteps is true.
func Extent(w *Particles, separateSteps bool) (lo, hi paint.Point, found bool) {
	lo, hi = paint.Pt(math.Inf(1), math.Inf(1)), paint.Pt(math.Inf(-1), math.Inf(-1))
	for i := range w.Slots {
		p := w.Slots[i].At
		if !w.Slots[i].Filled || math.IsNaN(p.X+p.Y) || math.IsInf(p.X, 0) || math.IsInf(p.Y, 0) {
			continue
		}
		found = true
		lo, hi = paint.Pt(min(lo.X, p.X), min(lo.Y, p.Y)), paint.Pt(max(hi.X, p.X), max(hi.Y, p.Y))
	}
	if !found {
		return lo, hi, false
	}
	x, y := max(hi.X-lo.X, 1e-3*math.Abs(hi.X)), max(hi.Y-lo.Y, 1e-3*math.Abs(hi.Y))
	if !separateSteps {
		x, y = max(x, y, 0.01), max(x, y, 0.01)
	}
	roundOut := func(v, size, dir float64) float64 {
		step := format.Step(max(size, 1e-9), 8)
		return math.Round(v/step+0.6*dir) * step
	}
	return paint.Pt(roundOut(lo.X, x, -1), roundOut(lo.Y, y, -1)), paint.Pt(roundOut(hi.X, x, 1), roundOut(hi.Y, y, 1)), true
}
