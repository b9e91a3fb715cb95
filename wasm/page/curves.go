package page

import (
	"bytes"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
)

// maxHistory bounds the points of a curve; beyond it every second one is dropped.
const maxHistory = 400

// remember adds a report to its curve when its cost has grown.
func (b *Brain) remember(r *report.Report) {
	h := b.history[r.Method]
	if !report.IsNumber(r.LogZ) {
		return
	}
	// Importance sampling moves nothing; its draws stand where sweeps would.
	cost := float64(r.Cost.Sweeps)
	if cost == 0 {
		cost = max(float64(r.Cost.Evaluations)/2, 1)
	}
	p := frame.Point{Sweeps: cost, LogZ: float64(r.LogZ), SE: float64(r.SE), Lower: float64(r.Lower), Upper: float64(r.Upper), Final: !r.Provisional}
	if catalog.Path(r.Method) == estimators.Direct { // its ends lie so far apart that they would flatten every other curve
		p.Lower, p.Upper = math.NaN(), math.NaN()
	}
	if n := len(h); n > 0 && p.Sweeps <= h[n-1].Sweeps {
		h[n-1] = p // the same cost told again, perhaps as final
		return
	}
	if len(h) >= maxHistory {
		half := h[:0]
		for i := 0; i < len(h); i += 2 {
			half = append(half, h[i])
		}
		h = half
	}
	b.history[r.Method] = append(h, p)
}

// curves sends the history of every method to the picture.
func (b *Brain) curves(reports []*report.Report) {
	f := frame.Frame{Model: b.spec.Model}
	for _, r := range reports {
		b.climb(r)
		f.Ladders = append(f.Ladders, b.ladders[r.Method]...)
		f.Curves = append(f.Curves, frame.Curve{Method: r.Method, Points: b.history[r.Method]})
		if r.Truth != nil {
			f.Truth, f.HasTruth = float64(r.Truth.LogZ), true
		}
	}
	if b.stage == "failed" {
		return // no picture shows them; one that is loaded later gets the next
	}
	if data := f.Append(nil); !bytes.Equal(data, b.drawn) {
		b.drawn = bytes.Clone(data) // the host takes data away
		b.host.Frame(data)
	}
}

// Bounds of what is sent to a picture about ladders.
const (
	maxLadders = 12  // of one method
	exactRungs = 500 // of a ladder, at which the exact value is looked up
	lookTime   = .02 // seconds of each tick that this may take
)

// exactPath is the exact log Z along a ladder, computed rung by rung so that the brain can
// answer in between. NaN marks values that are unknown or not computed yet.
type exactPath struct {
	beta, z []float64
	todo    []int
}

// climb keeps a method's estimates at its rungs, one ladder for each phase.
func (b *Brain) climb(r *report.Report) {
	if len(r.Ladder) == 0 {
		return
	}
	l := frame.Ladder{Method: r.Method, Phase: r.Stage}
	for _, k := range r.Ladder {
		l.Beta = append(l.Beta, float64(k.Beta))
		l.LogZ = append(l.LogZ, float64(k.LogZ))
		l.SE = append(l.SE, float64(k.SE))
	}
	if len(r.Occupancy) == len(l.Beta) {
		l.Occupancy = r.Occupancy
	}
	if len(r.Overlap)+1 == len(l.Beta) {
		l.Overlap = r.Overlap
	}
	e := b.exact[r.Method]
	if e == nil || len(e.beta) != len(l.Beta) {
		e = &exactPath{beta: l.Beta, z: make([]float64, len(l.Beta))}
		b.exact[r.Method] = e
		for k := range e.z {
			e.z[k] = math.NaN()
			if k*exactRungs/len(e.z) != (k-1)*exactRungs/len(e.z) || k == 0 || k == len(e.z)-1 {
				e.todo = append(e.todo, k)
			}
		}
	}
	if slices.ContainsFunc(e.z, func(z float64) bool { return z == z }) {
		l.Exact = e.z
	}
	old := b.ladders[r.Method]
	if n := len(old); n > 0 && old[n-1].Phase == l.Phase {
		old = old[:n-1]
	} else if n >= maxLadders {
		old = old[1:]
	}
	b.ladders[r.Method] = append(old[:len(old):len(old)], l)
}

// lookUp finds more exact values, for a short while.
func (b *Brain) lookUp() {
	if b.job == nil {
		return
	}
	start := b.host.Now()
	for _, m := range b.spec.Methods {
		for e := b.exact[m]; e != nil && len(e.todo) > 0; {
			k := e.todo[0]
			e.todo = e.todo[1:]
			if e.z[k] = b.exactAt(e.beta[k]); e.z[k] != e.z[k] {
				e.todo = nil
			}
			if b.news = true; b.host.Now()-start > lookTime {
				return
			}
		}
	}
}

// exactAt is log Z at one beta where it takes no noticeable time, else NaN: a lattice has a
// closed form, a mixture in the plane a sum over its grid. With a step of half the narrowest
// hill the error of that sum is far below any error bar.
func (b *Brain) exactAt(beta float64) float64 {
	if m, ok := b.job.Model.(models.KnownLadder); ok && models.KindOf(b.job.Model.Info().Kind).QuickLadder {
		if z, err := m.LadderLogZ([]float64{beta}); err == nil {
			return z[0]
		}
	}
	if b.plane == nil {
		return math.NaN()
	}
	var sum num.LSE
	for i, l0 := range b.plane.log0 {
		sum.Add(float64((1-beta)*l0) + float64(beta*b.plane.log1[i]))
	}
	return sum.Value() + math.Log(b.plane.cell)
}

// grid holds log f_0 and log f over a part of the plane, row by row from the top.
type grid struct {
	cell       float64 // its area
	log0, log1 []float64
}

// newGrid evaluates a model of the plane at the centres of w x h cells.
func newGrid(m models.Model, x0, x1, y0, y1 float64, w, h int) *grid {
	g := &grid{cell: (x1 - x0) / float64(w) * (y1 - y0) / float64(h)}
	pop := m.New(1, []float64{0, 1})
	var out [2]float64
	for row := range h {
		for col := range w {
			var at frame.Writer
			at.Float(x0 + (x1-x0)*(float64(col)+.5)/float64(w))
			at.Float(y1 - (y1-y0)*(float64(row)+.5)/float64(h))
			pop.Load(0, &frame.Reader{B: at.B})
			pop.LogF(0, 2, out[:])
			g.log0, g.log1 = append(g.log0, out[0]), append(g.log1, out[1])
		}
	}
	return g
}

// Cells of a field, along each side.
const (
	fieldCells = 96
	maxGrid    = 300 // of the grid that is summed
)

// field sends the density of a model in the plane, once for each run.
func (b *Brain) field() {
	b.plane = nil
	m, ok := b.job.Model.(models.Landscape)
	if !ok || m.Info().Dim != 2 {
		return
	}
	hills, base := m.Hills()
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	f := &frame.Field{W: fieldCells, H: fieldCells}
	for _, h := range hills {
		reach := float64(3.5*h.SD) + float64(.15*base)
		x0, x1 = min(x0, h.Mean[0]-reach), max(x1, h.Mean[0]+reach)
		y0, y1 = min(y0, h.Mean[1]-reach), max(y1, h.Mean[1]+reach)
		f.Hills = append(f.Hills, frame.Hill{X: float32(h.Mean[0]), Y: float32(h.Mean[1]), Mass: float32(h.Weight)})
	}
	f.X0, f.X1, f.Y0, f.Y1 = float32(x0), float32(x1), float32(y0), float32(y1)
	g := newGrid(m, x0, x1, y0, y1, f.W, f.H)
	for i := range g.log0 {
		f.Log0, f.Log1 = append(f.Log0, float32(g.log0[i])), append(f.Log1, float32(g.log1[i]))
	}
	// All of the mass: six deviations of the base, and of every hill.
	narrow, far := base, 6*base
	for _, h := range hills {
		narrow = min(narrow, h.SD)
		far = max(far, math.Abs(h.Mean[0])+float64(6*h.SD), math.Abs(h.Mean[1])+float64(6*h.SD))
	}
	if n := int(4 * far / narrow); n <= maxGrid {
		b.plane = newGrid(m, -far, far, -far, far, n, n)
	}
	b.density, b.densityOf = (&frame.Frame{Model: b.spec.Model, Field: f}).Append(nil), engine.ModelKey(b.spec)
	b.host.Field(b.density)
}
