// Package ladder is the scene of a method on its ladder of temperatures: the rungs of the chains, how often each rung
// is visited, and log Z by rung.
package ladder

import (
	"image/color"
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("ladder", func(r *record.Run) scene.Scene { return &ladder{Base: scene.Base{Run: r}} })

// maxRows is the maximum number of rungs that are drawn as separate rows. If there are more, a row contains several.
const maxRows = 24

// ladder shows a method on its ladder. Rungs are rows in all panels. From the left: chains against sweeps with their
// current rungs, occupancy, log Z by rung, and its error.
type ladder struct {
	scene.Base
}

// Draw implements Scene.
func (s *ladder) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	w, replayed, among := p.PickReplayed(a, func(w *record.Particles) bool { return w.Rungs > 0 })
	var back, chains, panels, top paint.Layer
	if w != nil && w.HasHistory() && a.H >= 320*a.Unit {
		a = p.BarBelow(a, &top, w)
	}
	v := newLadder(a, p, w)
	if v == nil || a.W < 160*a.Unit || a.H < 140*a.Unit {
		return []paint.Layer{paint.Note(a, "No ladder yet")}
	}
	v.replayed = replayed
	record.Header(a, p, &top, v.pad, w, among)
	v.frame(&back)
	if v.chains.W > 0 {
		v.drawChains(&chains)
		v.drawPositions(&chains)
	}
	v.occupancy(&panels)
	curve := paint.Layer{Clip: v.padded(v.logz)}
	v.logZ(&panels, &curve)
	errorLayer := paint.Layer{Clip: v.padded(v.err)}
	v.errors(&panels, &errorLayer)
	v.offerRows()
	v.scrubberLine(&panels, p)
	return []paint.Layer{back, chains, curve, errorLayer, panels, top}
}

// Key implements Scene.
func (s *ladder) Key(name string) bool { return s.Run.HandleScrubKey(name) }

// Describe implements Scene.
func (s *ladder) Describe(a *paint.Area) string { return record.DescribeScrubber(a, s.Run) }

// IsAnimating implements Scene.
func (s *ladder) IsAnimating(still bool) bool { return s.Run.IsPlaying(still) }

// ladderView is the layout of a ladder.
type ladderView struct {
	a        *paint.Area
	w        *record.Particles // nil: no rows yet
	replayed *record.Particles // w at the temperature of the scrubber
	method   int               // index of the method
	newest   *frame.Ladder
	earlier  []*frame.Ladder
	rungs    int        // number of rungs
	beta     []float64  // of each rung
	rows     []int      // the rungs that are drawn
	y        paint.Axis // from rung to pixel
	pitch    float64    // distance of rows
	pad      float64
	top      float64 // top and bottom of the panels
	bottom   float64

	chains, occ, logz, err paint.Rect // a width of 0: not shown
	positionsWidth         float64
	highlighted            []int // slots of the chains drawn in colour
	badRows                []int // rows with a failing occupancy, the worst first, and its value
	badValues              []float64
}

func newLadder(a *paint.Area, p *record.Run, w *record.Particles) *ladderView {
	u := a.Unit
	v := &ladderView{a: a, w: w, pad: 24 * u}

	method := ""
	if w != nil {
		method, v.rungs = w.Method, w.Rungs
	} else if len(p.Ladders) > 0 {
		l := p.Ladders[len(p.Ladders)-1]
		method, v.rungs = l.Method, len(l.Beta)
	}
	if v.rungs == 0 {
		return nil
	}

	// Its newest ladder, and the earlier ones.
	v.method = p.MethodIndex(method)
	for i := range p.Ladders {
		if l := &p.Ladders[i]; l.Method == method && len(l.Beta) == v.rungs {
			if v.newest != nil {
				v.earlier = append(v.earlier, v.newest)
			}
			v.newest = l
		}
	}
	if v.newest != nil {
		v.beta = v.newest.Beta
	} else if w != nil {
		v.beta = w.RungBetas()
	}
	v.top, v.bottom = 40*u, a.H-44*u
	if a.Compact() {
		v.pad, v.bottom = 16*u, a.H-40*u
	}
	if _, among := p.Pick(func(w *record.Particles) bool { return w.Rungs > 0 }); p.HasHeader(among) {
		v.top += 18 * u
	}
	n := min(v.rungs, maxRows, max(2, int((v.bottom-v.top)/(10*u))))
	for i := range n {
		v.rows = append(v.rows, v.nearestExact((2*i*(v.rungs-1)+max(n-1, 1))/(2*max(n-1, 1)), (v.rungs-1)/(2*max(n-1, 1))))
	}
	// The base, which is hot, is at the top: chains climb to cross between modes, and annealing goes down.
	v.y = paint.NewAxis(0, float64(max(v.rungs-1, 1)), v.top+6*u, v.bottom-6*u)
	if v.rungs == 1 {
		v.y = paint.NewAxis(-1, 1, v.bottom, v.top)
	}
	v.pitch = (v.y.P1 - v.y.P0) / float64(max(n-1, 1))
	v.arrange()
	v.findBadRows()
	return v
}

// arrange sets the widths of the panels.
func (v *ladderView) arrange() {
	a, u := v.a, v.a.Unit
	start, end, gap := 52*u, 24*u, 28*u
	if a.Compact() {
		end, gap = 14*u, 14*u
	}
	type panel struct {
		box   *paint.Rect
		share float64
	}

	// The panels that have data and space, with their shares of the width.
	var ps []panel
	if v.w != nil {
		ps = append(ps, panel{&v.chains, 0.42})
	}
	if v.newest != nil {
		if len(v.newest.Occupancy) > 0 {
			ps = append(ps, panel{&v.occ, 0.17})
		}
		if len(v.newest.LogZ) > 0 && (!a.Compact() || len(ps) < 2) {
			ps = append(ps, panel{&v.logz, 0.16})
			if !a.Compact() && (len(v.newest.Exact) > 0 || len(v.newest.SE) > 0) {
				ps = append(ps, panel{&v.err, 0.2})
			}
		}
	}
	sum := 0.0
	for i := range ps {
		if a.Compact() && i > 0 {
			ps[i].share = 0.3
		}
		sum += ps[i].share
	}

	x, totalWidth := start, a.W-start-end-gap*float64(len(ps)-1)
	for _, q := range ps {
		w := totalWidth * q.share / sum
		*q.box = paint.XYWH(math.Round(x), v.top, math.Round(w), v.bottom-v.top)
		x += w + gap
	}

	// The part of the first panel with the current rungs.
	if v.chains.W > 0 {
		v.positionsWidth = v.chains.W * 0.25
		if v.w.IsAnnealed() { // all chains are at the same rung
			v.positionsWidth = min(v.positionsWidth, 96*u)
		}
		if a.Compact() {
			v.positionsWidth = v.chains.W * 0.3
		}
	}
}

// padded returns a panel with space for its marks, as a clip.
func (v *ladderView) padded(b paint.Rect) paint.Rect {
	if b.W == 0 {
		return paint.XYWH(0, 0, 1, 1)
	}
	return paint.XYWH(b.X-6*v.a.Unit, b.Y-6*v.a.Unit, b.W+12*v.a.Unit, b.H+12*v.a.Unit)
}

// nearestExact returns the rung nearest to k, at most far away, whose exact value is known. Without one it returns k.
// Long ladders have exact values at some rungs only.
func (v *ladderView) nearestExact(k, maxDistance int) int {
	if v.newest == nil || len(v.newest.Exact) == 0 {
		return k
	}
	for d := range maxDistance + 1 {
		for _, candidate := range [2]int{k - d, k + d} {
			if candidate >= 0 && candidate < v.rungs && num.Finite(get(v.newest.Exact, candidate)) {
				return candidate
			}
		}
	}
	return k
}

// rowOf returns the row nearest to a rung.
func (v *ladderView) rowOf(rung int) int {
	if v.rungs < 2 {
		return 0
	}
	return (2*rung*(len(v.rows)-1) + v.rungs - 1) / (2 * (v.rungs - 1))
}

// rowY returns the y coordinate of a row. Rows are evenly spaced, whatever rungs they show.
func (v *ladderView) rowY(r int) float64 {
	if v.rungs < 2 {
		return v.y.At(0)
	}
	return v.y.P0 + float64(r)*v.pitch
}

func (v *ladderView) betaAt(rung int) float64 {
	if rung >= 0 && rung < len(v.beta) {
		return v.beta[rung]
	}
	return math.NaN()
}

func (v *ladderView) colour(rung int) color.RGBA { return v.a.Theme.BetaColor(v.betaAt(rung)) }

// rowMeans averages values over the rungs of each row; NaN is ignored.
func (v *ladderView) rowMeans(x []float64) []float64 {
	sum, n := make([]float64, len(v.rows)), make([]float64, len(v.rows))
	for k, y := range x {
		if r := v.rowOf(k); num.Finite(y) {
			sum[r], n[r] = sum[r]+y, n[r]+1
		}
	}
	for r := range sum {
		sum[r] /= n[r] // NaN if there are none
	}
	return sum
}

// Occupancies between LowOccupancy and HighOccupancy pass the check.
const LowOccupancy, HighOccupancy = 0.1, 10

// findBadRows finds up to three rows with a rung whose occupancy fails, the worst first.
func (v *ladderView) findBadRows() {
	if v.occ.W == 0 {
		return
	}
	score := func(c float64) float64 { return math.Abs(math.Log10(max(c, 1e-9))) }
	worst := map[int]float64{}
	for k, c := range v.newest.Occupancy {
		if num.Finite(c) && (c < LowOccupancy || c > HighOccupancy) {
			r := v.rowOf(k)
			if old, ok := worst[r]; !ok || score(c) > score(old) {
				worst[r] = c
			}
		}
	}
	for len(v.badRows) < 3 && len(worst) > 0 {
		best := -1
		for r := range v.rows {
			if c, ok := worst[r]; ok && (best < 0 || score(c) > score(worst[best])) {
				best = r
			}
		}
		v.badRows, v.badValues = append(v.badRows, best), append(v.badValues, worst[best])
		for r := range v.rows { // neighbours would overlap
			if math.Abs(float64(r-best))*v.pitch < 16*v.a.Unit {
				delete(worst, r)
			}
		}
	}
}

// frame draws rungs, their names and the titles.
func (v *ladderView) frame(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	start, edge := 52*u, a.W-24*u
	if a.Compact() {
		edge = a.W - 14*u
	}
	for r, k := range v.rows {
		y := v.rowY(r)
		l.HLine(a, start, edge, y, t.Line)
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(start-8*u, y-2*u, 6*u, 4*u)), Color: v.colour(k)})
	}
	v.names(l, start)

	if v.chains.W > 0 {
		n := 0
		for i := range v.w.Slots {
			if v.w.Slots[i].Filled {
				n++
			}
		}
		long := format.Grouped(float64(n), 0) + " " + a.Say("chains")
		if n == 1 {
			long = "1 " + a.Say("chain")
		}
		if s := historySpan(v.w); !v.w.IsAnnealed() {
			long += ", " + a.Say("last") + " " + format.Grouped(s, 0) + " " + a.Say("sweeps")
		}
		v.title(l, v.chains, long, a.Say("Chains"))
	}
	v.title(l, v.occ, a.Say("Occupancy"))
	v.title(l, v.logz, a.Say("log Z by rung"), "log Z")
	if v.err.W > 0 {
		if len(v.newest.Exact) > 0 {
			v.title(l, v.err, a.Say("Its error"))
		} else {
			v.title(l, v.err, a.Say("Its error bar"))
		}
	}

	// The number of rungs, if a row shows several.
	if v.rungs > len(v.rows) {
		s := format.Grouped(float64(v.rungs), 0) + " " + a.Say("rungs")
		long := format.Grouped(float64(len(v.rows)), 0) + " " + a.Say("rows") + ", " + s
		free := edge - start
		if v.chains.W > 0 {
			free = (v.chains.W-v.positionsWidth)/2 + start - 60*u
		}
		if a.Fonts.Width(long, paint.Tick) < free {
			s = long
		}
		if a.Fonts.Width(s, paint.Tick) < free {
			l.Label(s, 8*u, v.bottom+34*u, paint.Tick, t.Ink3, paint.Left)
		}
	}
}

// title draws the first of the names that fits above a panel.
func (v *ladderView) title(l *paint.Layer, b paint.Rect, names ...string) {
	if b.W == 0 {
		return
	}
	s := names[len(names)-1]
	for _, n := range names {
		if v.a.Fonts.Width(n, paint.Strong) <= b.W+8*v.a.Unit {
			s = n
			break
		}
	}
	l.Label(v.a.Fonts.Fit(s, paint.Strong, b.W+12*v.a.Unit), b.X, v.top-20*v.a.Unit, paint.Strong, v.a.Theme.Ink, paint.Left)
}

// names writes beta at the ends, at failing rungs and at some others, without overlap.
func (v *ladderView) names(l *paint.Layer, edge float64) {
	t, u := v.a.Theme, v.a.Unit
	n := len(v.rows)
	var labelYs []float64
	addLabel := func(r int, bad bool) {
		y := v.rowY(r)
		for _, o := range labelYs {
			if math.Abs(o-y) < 17*u {
				return
			}
		}
		b := v.betaAt(v.rows[r])
		s := RungName(b)
		st, c := paint.Tick, t.Ink3
		if bad {
			st, c = paint.StrongTick, t.Ink
		}
		labelYs = append(labelYs, y)
		l.Label(s, edge-14*u, y+4*u, st, c, paint.Right)
	}
	for _, r := range v.badRows {
		addLabel(r, true)
	}
	addLabel(0, false)
	addLabel(n-1, false)
	want := max(2, min(7, int((v.bottom-v.top)/(44*u))))
	for i := 1; i < want; i++ {
		addLabel(i*(n-1)/want, false)
	}
}

// RungName formats the inverse temperature of a rung briefly.
func RungName(b float64) string {
	switch {
	case !num.NotNaN(b):
		return "?"
	case b == 0 || b == 1:
		return "\u03b2 = " + format.Trimmed(b, 2)
	case b < 0.005:
		return strconv.FormatFloat(b, 'g', 1, 64)
	case b > 0.995:
		return format.Fixed(b, 3)
	}
	return format.Fixed(b, 2)
}
