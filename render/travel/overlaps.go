package travel

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/ladder"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("overlaps", func(r *record.Run) scene.Scene { return &overlaps{Base: scene.Base{Run: r}} })

// lowOverlap is the overlap below which neighbouring rungs are too far apart: moves
// between them are accepted so rarely that a rung between them is worth its cost.
const lowOverlap = 0.2

// overlaps draws how much neighbouring rungs of a tempered method overlap: a bar for
// each pair from the base at the left to the target at the right, and the level that
// none should stay below. Rungs are evenly spaced, whatever their temperatures.
type overlaps struct {
	scene.Base
}

// Draw lays the scene out.
func (s *overlaps) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	w, among, now := p.PickLadder(func(l *frame.Ladder) bool {
		return len(l.Overlap) > 0 && len(l.Beta) == len(l.Overlap)+1
	})
	if now == nil || a.W < 160*a.Unit || a.H < 140*a.Unit {
		return []paint.Layer{paint.Note(a, "No overlaps yet")}
	}
	var top paint.Layer
	v := &overlapView{a: a, l: now, pad: 24 * a.Unit}
	if a.Compact() {
		v.pad = 16 * a.Unit
	}
	down := 0.0
	if w != nil {
		down = record.Header(a, p, &top, v.pad, w, among)
	}
	v.lay(down)
	var back, bars, front paint.Layer
	v.scale(&back)
	v.bars(&bars)
	v.level(&front)
	v.signs(&front)
	v.rungs(&front)
	v.title(&top, down)
	v.offer()
	return []paint.Layer{back, bars, front, top}
}

// overlapView is the geometry of the bars.
type overlapView struct {
	a     *paint.Area
	l     *frame.Ladder
	pad   float64
	box   paint.Rect
	x, y  paint.Axis // of rungs, of overlaps
	pairs []int      // of each bar, the pair that it shows: the lowest of a group
	group int        // pairs to a bar
}

// lay places the box and, where pairs are too many to be told apart, groups them.
func (v *overlapView) lay(down float64) {
	a, u, n := v.a, v.a.Unit, len(v.l.Overlap)
	left, top, bottom := v.pad+28*u, 62*u+down, 48*u
	v.box = paint.Snap(paint.XYWH(left, top, a.W-left-v.pad, a.H-top-bottom))
	v.x = paint.NewAxis(0, float64(n), v.box.X, v.box.X+v.box.W)
	v.y = paint.NewAxis(0, 1, v.box.Y+v.box.H, v.box.Y)
	v.group = max(1, int(math.Ceil(float64(n)*5*u/v.box.W)))
	for k := 0; k < n; k += v.group {
		low := k
		for j := k; j < min(k+v.group, n); j++ {
			if o := v.l.Overlap[j]; o < v.l.Overlap[low] || !num.Finite(v.l.Overlap[low]) {
				low = j
			}
		}
		v.pairs = append(v.pairs, low)
	}
}

// bar is the place of the i-th bar, whatever its height.
func (v *overlapView) bar(i int) paint.Rect {
	x0, x1 := v.x.At(float64(i*v.group)), v.x.At(float64(min((i+1)*v.group, len(v.l.Overlap))))
	gap := min(max((x1-x0)*0.16, v.a.Hairline()), 10*v.a.Unit)
	wide := min(x1-x0-gap, 72*v.a.Unit)
	return paint.XYWH((x0+x1-wide)/2, v.box.Y, wide, v.box.H)
}

// value is the overlap that the i-th bar shows, NaN where it is not known.
func (v *overlapView) value(i int) float64 {
	if o := v.l.Overlap[v.pairs[i]]; num.Finite(o) {
		return min(max(o, 0), 1)
	}
	return math.NaN()
}

// scale draws the levels from 0 to 1.
func (v *overlapView) scale(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	step := 0.2
	if v.box.H < 110*u {
		step = 0.5
	}
	for k := 0.0; k*step <= 1.001; k++ {
		y := v.y.At(k * step)
		if k > 0 {
			l.HLine(a, v.box.X, v.box.X+v.box.W, y, t.Line)
		}
		if math.Abs(k*step-lowOverlap) > 0.01 { // that one is written in bold
			l.Label(format.AtMost(k*step, 1), v.box.X-9*u, y+4*u, paint.Tick, t.Ink3, paint.Right)
		}
	}
	l.HLine(a, v.box.X, v.box.X+v.box.W, v.y.P0, t.Line2)
}

// bars draws the overlaps. One below the level is hollow up to it: so much is missing.
func (v *overlapView) bars(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	for i, k := range v.pairs {
		o, b := v.value(i), v.bar(i)
		if !num.Known(o) {
			continue
		}
		y := v.y.At(o)
		c := t.BetaColor((v.l.Beta[k] + v.l.Beta[k+1]) / 2)
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(b.X, y, b.W, max(v.y.P0-y, a.Hairline()))), Color: c})
		if level := v.y.At(lowOverlap); o < lowOverlap && y-level > 2*u {
			l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(b.X, level, b.W, y-level)),
				Color: paint.Mix(t.Ground, t.Caution, 0.28)})
		}
	}
}

// level draws what no overlap should stay below.
func (v *overlapView) level(l *paint.Layer) {
	t, u, y := v.a.Theme, v.a.Unit, v.y.At(lowOverlap)
	l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: v.box.X - 5*u, Y: y}, {X: v.box.X + v.box.W, Y: y}},
		Width: 1.75 * u * t.Stroke, Color: t.Ink, Halo: true})
	l.Label(format.AtMost(lowOverlap, 1), v.box.X-9*u, y+4*u, paint.StrongTick, t.Ink, paint.Right)
}

// signs writes the overlap over each bar where there is room, and a sign over those that
// stay below the level, the lowest first.
func (v *overlapView) signs(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	all := v.bar(0).W > a.Fonts.Width("0.00", paint.Tick)-2*u
	var low []int
	for i := range v.pairs {
		if o, b := v.value(i), v.bar(i); o < lowOverlap {
			low = append(low, i)
		} else if all && num.Known(o) {
			l.Label(format.Fixed(o, 2), b.X+b.W/2, v.y.At(o)-6*u, paint.Tick, t.Ink2, paint.Centre)
		}
	}
	slices.SortStableFunc(low, func(i, j int) int { return cmp.Compare(v.value(i), v.value(j)) })
	var put []float64
	for _, i := range low {
		b := v.bar(i)
		x, y := b.X+b.W/2, v.y.At(lowOverlap)-8*u
		if slices.ContainsFunc(put, func(o float64) bool { return math.Abs(o-x) < 38*u }) {
			continue // their signs would overlap
		}
		put = append(put, x)
		l.Label(overlapName(v.value(i)), x, y, paint.Strong, t.Ink, paint.Centre)
		ladder.Caution(l, a, paint.Pt(x, y-22*u), 7*u)
	}
}

// rungs draws the rungs between the bars and names some of them, the ends first.
func (v *overlapView) rungs(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	n := len(v.l.Overlap)
	if v.group == 1 && v.x.At(1)-v.x.At(0) > 9*u {
		for k, b := range v.l.Beta {
			x := v.x.At(float64(k))
			l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x-1.5*u, v.y.P0, 3*u, 6*u)), Color: t.BetaColor(b)})
		}
	}

	// Names of temperatures, as many as fit between both ends.
	var put []paint.Rect
	name := func(k int) {
		b := v.l.Beta[k]
		if !num.Known(b) {
			return
		}
		s := ladder.RungName(b)
		wide := a.Fonts.Width(s, paint.Tick)
		x := min(max(v.x.At(float64(k)), v.box.X+wide/2-8*u), v.box.X+v.box.W-wide/2+8*u)
		for _, o := range put {
			if math.Abs(o.X-x) < (o.W+wide)/2+12*u {
				return
			}
		}
		put = append(put, paint.XYWH(x, 0, wide, 0))
		l.Label(s, x, v.y.P0+21*u, paint.Tick, t.Ink3, paint.Centre)
	}
	name(0)
	name(n)
	for k, step := 0, max(1, int(math.Ceil(58*u/(v.x.At(1)-v.x.At(0))))); k < n; k += step {
		name(k)
	}

	s := format.Grouped(float64(n+1), 0) + " " + a.Say("rungs")
	if v.group > 1 {
		s += ", " + a.Say("each bar the lowest of") + " " + format.Grouped(float64(v.group), 0)
	}
	l.Label(s, v.box.X+v.box.W/2, v.y.P0+38*u, paint.Tick, t.Ink3, paint.Centre)
}

// title says what is drawn, what the level means, and the lowest overlap.
func (v *overlapView) title(l *paint.Layer, down float64) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	y, end := 19*u+down, a.W-v.pad
	low := -1
	for i := range v.pairs {
		if o := v.value(i); num.Known(o) && (low < 0 || o < v.value(low)) {
			low = i
		}
	}
	if low >= 0 {
		s, value := a.Say("lowest"), overlapName(v.value(low))
		l.Label(value, end, y+u, paint.Figure, t.Ink, paint.Right)
		end -= a.Fonts.Width(value, paint.Figure) + 6*u
		l.Label(s, end, y, paint.Plain, t.Ink2, paint.Right)
		end -= a.Fonts.Width(s, paint.Plain) + 16*u
	}
	a.Headline(l, v.pad, y, end, a.Say("Overlap of neighbouring rungs"), a.Say("Overlap"),
		a.Say("below the line: add a rung"))
}

// offer lets the pointer read a bar.
func (v *overlapView) offer() {
	a := v.a
	if !a.Pointed(paint.XYWH(v.box.X, v.box.Y, v.box.W, v.box.H+24*a.Unit)) {
		return
	}
	for i, k := range v.pairs {
		b := v.bar(i)
		x := b.X + b.W/2
		a.OfferBar(x, v.box, func() string {
			text := a.Say("Rungs") + " " + strconv.Itoa(k+1) + " \u2013 " + strconv.Itoa(k+2) + "\n\u03b2 = " +
				strconv.FormatFloat(v.l.Beta[k], 'g', 3, 64) + " \u2013 " + strconv.FormatFloat(v.l.Beta[k+1], 'g', 3, 64)
			if o := v.value(i); num.Known(o) {
				text += "\n" + a.Say("overlap") + " " + overlapName(o)
			}
			return text
		})
	}
}

// overlapName writes an overlap; one that rounds to nothing is not nothing.
func overlapName(o float64) string {
	if o > 0 && o < 0.005 {
		return "< 0.01"
	}
	return format.Fixed(o, 2)
}
