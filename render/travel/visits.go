package travel

import (
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/hand"
	"logzlab/render/ladder"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("visits", func(r *record.Run) scene.Scene { return &visits{Base: scene.Base{Run: r}} })

// visited tells whether a ladder knows how often its rungs were visited.
func visited(l *frame.Ladder) bool { return len(l.Occupancy) > 0 }

// visits draws how often each rung is to be visited, as a plan to draw by hand, and below it how often it was against
// the plan, c_k / r_k, on a log scale: a bar up from one where chains are too often, down where they are too rarely.
// Where visits were counted as well, a ring is the count.
type visits struct {
	scene.Base
	plan *frame.Plan
	hand hand.Hand
}

// Draw lays the scene out.
func (s *visits) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	w, among, now := p.PickLadder(visited)
	plan := s.planned(now)
	if now == nil && plan == nil || a.W < 160*a.Unit || a.H < 140*a.Unit {
		return []paint.Layer{paint.Note(a, "No visits yet")}
	}

	// The header, and the plan to draw by hand.
	pad := 24 * a.Unit
	if a.Compact() {
		pad = 16 * a.Unit
	}
	var top paint.Layer
	down := 0.0
	if w != nil {
		down = record.Header(a, p, &top, pad, w, among)
	}
	var out []paint.Layer
	if plan != nil {
		out, down = planAbove(a, s, plan, &top, pad, down, now == nil)
	}
	if now == nil {
		return append(out, top)
	}

	// Visits against the plan, with the counts where known.
	v := &visitView{a: a, l: now, pad: pad, tight: plan != nil && a.H < 400*a.Unit}
	if t := p.Travel(func(t *frame.Travel) bool {
		return len(t.Visits) == len(now.Beta) && record.IndexOf(t.Methods, now.Method) >= 0
	}); t != nil {
		v.counts = t.Visits
	}
	var back, bars, front paint.Layer
	v.lay(down)
	v.scale(&back)
	v.bars(&bars, &front)
	v.signs(&front)
	v.title(&top, down)
	v.offer()
	return append(out, back, bars, front, top)
}

// Take keeps the planned visits.
func (s *visits) Take(f *frame.Frame) {
	if f.Plan != nil {
		s.plan = f.Plan
		s.hand.Take(&priorPen, evenPlan, f.Plan.Prior, f.Plan.Knots, s.Run.Now)
	}
}

// Clear forgets the plan, but not the one that the viewer draws.
func (s *visits) Clear() { s.plan = nil }

// News returns the plan that the viewer has drawn.
func (s *visits) News() string {
	if s.plan == nil {
		return ""
	}
	return s.hand.News(s.plan.Methods[0], s.Run.Now)
}

// visitView is the geometry of the bars.
type visitView struct {
	a      *paint.Area
	l      *frame.Ladder
	counts []float64 // visits against those planned, nil if they were not counted
	pad    float64
	box    paint.Rect
	x, y   paint.Axis // rungs, log10 of c / r
	group  int        // rungs to a bar
	show   []int
	tight  bool // there is no room for more than a title
}

// lay places the box and, where rungs are too many to be told apart, groups them.
func (v *visitView) lay(down float64) {
	a, u, n := v.a, v.a.Unit, len(v.l.Occupancy)
	left, top, bottom := v.pad+30*u, 58*u+down, 46*u
	if v.tight {
		top -= 22 * u
	}
	v.box = paint.Snap(paint.XYWH(left, top, a.W-left-v.pad, a.H-top-bottom))
	v.x = paint.NewAxis(-0.5, float64(n)-0.5, v.box.X, v.box.X+v.box.W)
	reach := math.Log10(2)
	for _, x := range [...][]float64{v.l.Occupancy, v.counts} {
		for _, c := range x {
			if num.Finite(c) && c > 0 {
				reach = max(reach, math.Abs(math.Log10(c)))
			}
		}
	}
	reach = min(reach*1.08, 2.2)
	v.y = paint.NewAxis(-reach, reach, v.box.Y+v.box.H, v.box.Y)
	v.group = max(1, int(math.Ceil(float64(n)*4.5*u/v.box.W)))
	for k := 0; k < n; k += v.group { // the one farthest from the plan stands for its group
		far := k
		for j := k; j < min(k+v.group, n); j++ {
			if !(v.off(j) <= v.off(far)) {
				far = j
			}
		}
		v.show = append(v.show, far)
	}
}

// height is the log10 of c / r, at most what the axis shows; NaN if it is not known.
func (v *visitView) height(c float64) float64 {
	if !(c >= 0) || math.IsInf(c, 0) {
		return math.NaN()
	}
	return min(max(math.Log10(max(c, 1e-9)), v.y.D0), v.y.D1)
}

// off is how far rung k is from the plan, -1 if that is not known.
func (v *visitView) off(k int) float64 {
	if h := math.Abs(v.height(v.l.Occupancy[k])); num.Known(h) {
		return h
	}
	return -1
}

// scale draws the levels and the plan.
func (v *visitView) scale(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	last := math.Inf(1)
	for _, c := range [...]float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100} {
		h := math.Log10(c)
		if h < v.y.D0 || h > v.y.D1 {
			continue
		}
		y := v.y.At(h)
		if c == ladder.LowOccupancy || c == ladder.HighOccupancy {
			l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: v.box.X, Y: y}, {X: v.box.X + v.box.W, Y: y}},
				Width: a.Hairline(), Dash: [2]float64{4 * u, 3 * u}, Color: t.Ink3})
		} else {
			l.HLine(a, v.box.X, v.box.X+v.box.W, y, t.Line)
		}
		if last-y > 15*u {
			st, ink := paint.Tick, t.Ink3
			if c == 1 {
				st, ink = paint.StrongTick, t.Ink
			}
			l.Label(format.AtMost(c, 2), v.box.X-9*u, y+4*u, st, ink, paint.Right)
			last = y
		}
	}
	ladderFoot(a, l, v.l.Beta, v.x, v.box, v.group)
}

// ladderFoot names rungs below a box, the ends first, and their number.
func ladderFoot(a *paint.Area, l *paint.Layer, beta []float64, x paint.Axis, box paint.Rect, group int) {
	t, u, n := a.Theme, a.Unit, len(beta)
	var put []paint.Rect
	name := func(k int) {
		if !num.Known(beta[k]) {
			return
		}
		s := ladder.RungName(beta[k])
		wide := a.Fonts.Width(s, paint.Tick)
		at := min(max(x.At(float64(k)), box.X+wide/2-8*u), box.X+box.W-wide/2+8*u)
		for _, o := range put {
			if math.Abs(o.X-at) < (o.W+wide)/2+12*u {
				return
			}
		}
		put = append(put, paint.XYWH(at, 0, wide, 0))
		l.Label(s, at, box.Y+box.H+19*u, paint.Tick, t.Ink3, paint.Centre)
	}
	name(0)
	name(n - 1)
	for k, step := 0, max(1, int(math.Ceil(58*u/max(x.At(1)-x.At(0), 1e-3)))); k < n; k += step {
		name(k)
	}
	s := format.Grouped(float64(n), 0) + " " + a.Say("rungs")
	if group > 1 {
		s += ", " + a.Say("each bar the farthest of") + " " + format.Grouped(float64(group), 0)
	}
	l.Label(s, box.X+box.W/2, box.Y+box.H+35*u, paint.Tick, t.Ink3, paint.Centre)
}

// bar is where the bar of the i-th group stands, whatever its height.
func (v *visitView) bar(i int) paint.Rect {
	x0 := v.x.At(float64(i*v.group) - 0.5)
	x1 := v.x.At(float64(min((i+1)*v.group, len(v.l.Occupancy))) - 0.5)
	gap := min(max((x1-x0)*0.2, v.a.Hairline()), 10*v.a.Unit)
	wide := min(x1-x0-gap, 40*v.a.Unit)
	return paint.XYWH((x0+x1-wide)/2, v.box.Y, wide, v.box.H)
}

func (v *visitView) bars(l, front *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	one := v.y.At(0)
	for i, k := range v.show {
		b, c := v.bar(i), t.BetaColor(v.l.Beta[k])
		if h := v.height(v.l.Occupancy[k]); num.Known(h) {
			y := v.y.At(h)
			l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(b.X, min(y, one), b.W,
				max(math.Abs(y-one), a.Hairline()))), Color: c})
		}
		if v.counts == nil || v.group > 1 {
			continue
		}
		if h := v.height(v.counts[k]); num.Known(h) {
			front.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(b.X+b.W/2, v.y.At(h)), R: min(3.6*u, max(b.W*0.4, 2*u)),
				Color: t.Ink, Hollow: 1.3 * u, Halo: true})
		}
	}
	l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: v.box.X - 5*u, Y: one}, {X: v.box.X + v.box.W, Y: one}},
		Width: 1.5 * u * t.Stroke, Color: t.Ink})
}

// signs marks rungs that are visited ten times too often or too rarely, the worst first.
func (v *visitView) signs(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	var put []float64

	// The worst rung first, then the worst of those that are not beside a sign.
	for {
		worst := -1
		for i, k := range v.show {
			c, x := v.l.Occupancy[k], v.bar(i).X
			near := false
			for _, o := range put {
				near = near || math.Abs(o-x) < 44*u
			}
			if near || !num.Finite(c) || c >= ladder.LowOccupancy && c <= ladder.HighOccupancy {
				continue
			}
			if worst < 0 || v.off(k) > v.off(v.show[worst]) {
				worst = i
			}
		}
		if worst < 0 {
			return
		}
		b, k := v.bar(worst), v.show[worst]
		put = append(put, b.X)
		x, y := b.X+b.W/2, v.y.At(0)-26*u
		if v.l.Occupancy[k] > 1 {
			y = v.y.At(0) + 18*u
		}
		s := format.Ratio(v.l.Occupancy[k])
		half := a.Fonts.Width(s, paint.Strong) / 2
		x = min(max(x, v.box.X+half), v.box.X+v.box.W-half)
		ladder.Caution(l, a, paint.Pt(x, y), 7*u)
		l.Label(s, x, y+18*u, paint.Strong, t.Ink, paint.Centre)
	}
}

func (v *visitView) title(l *paint.Layer, down float64) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	y, end := 19*u+down, a.W-v.pad
	if v.counts != nil && v.group == 1 {
		s := a.Say("counted")
		x := end - a.Fonts.Width(s, paint.Plain)
		l.Label(s, x, y, paint.Plain, t.Ink2, paint.Left)
		l.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(x-9*u, y-4*u), R: 3.6 * u, Color: t.Ink, Hollow: 1.3 * u, Halo: true})
		end = x - 30*u
	}
	below := a.Say("up: too often, down: too rarely")
	if v.tight {
		below = ""
	}
	a.Headline(l, v.pad, y, end, a.Say("Visits against those planned, c / r"), a.Say("Visits, c / r"), below)
}

// offer lets the pointer read a bar.
func (v *visitView) offer() {
	a := v.a
	if !a.Pointed(paint.XYWH(v.box.X, v.box.Y, v.box.W, v.box.H+24*a.Unit)) {
		return
	}
	for i, k := range v.show {
		b := v.bar(i)
		x := b.X + b.W/2
		a.OfferBar(x, v.box, func() string {
			s := a.Say("Rung") + " " + strconv.Itoa(k+1) + ", \u03b2 = " + strconv.FormatFloat(v.l.Beta[k], 'g', 3, 64)
			if c := v.l.Occupancy[k]; num.Finite(c) {
				s += "\nc / r = " + format.Ratio(c)
			}
			if v.counts != nil && num.Finite(v.counts[k]) {
				s += "\n" + a.Say("counted") + " " + format.Ratio(v.counts[k])
			}
			return s
		})
	}
}
