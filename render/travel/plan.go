package travel

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/hand"
	"logzlab/render/paint"
)

// priorPen draws weights of rungs, in proportion to how often they are to be visited.
var priorPen = hand.Pen{Param: "prior", Text: schedule.DrawnPrior, Place: schedule.PlaceWeight, Step: stepWeight}

// stepWeight is some steps of a fifth from a weight.
func stepWeight(w float64, steps int) float64 { return w * math.Pow(1.2, float64(steps)) }

// evenPlan is the plan of the same visits for every rung.
func evenPlan() []float64 { return slices.Repeat([]float64{1}, schedule.Weights) }

// planned is the plan of the method whose ladder is on show, nil if there is none.
func (s *visits) planned(now *frame.Ladder) *frame.Plan {
	if s.plan == nil || len(s.hand.Knots) < 2 || now != nil && !slices.Contains(s.plan.Methods, now.Method) {
		return nil
	}
	return s.plan
}

// Key takes a key for the plan.
func (s *visits) Key(key string) bool {
	_, _, now := s.Run.PickLadder(visited)
	return s.planned(now) != nil && s.hand.Key(key)
}

// Describe says which rung the knot of the keys stands at, and how often it is to be visited.
func (s *visits) Describe(a *paint.Area) string {
	o := &s.hand
	if s.plan == nil || len(o.Knots) < 2 {
		return ""
	}
	v := planView{a: a, s: s, hand: &s.hand, plan: s.plan}
	k := int(math.Round(float64(o.At) * float64(len(s.plan.Beta)-1) / float64(len(o.Knots)-1)))
	return o.Name(a) + ": " + a.Say("weight") + " " + strconv.FormatFloat(o.Knots[o.At], 'g', -1, 64) + ", " + v.read(k)
}

// planView is the geometry of a plan.
type planView struct {
	a    *paint.Area
	s    *visits
	hand *hand.Hand
	plan *frame.Plan
	box  paint.Rect
	x, y paint.Axis // rungs, log10 of weights
}

// newPlan is a plan over the rungs in a box, as weights to drag on a log scale.
func newPlan(a *paint.Area, s *visits, plan *frame.Plan, box paint.Rect) *planView {
	v := &planView{a: a, s: s, hand: &s.hand, plan: plan, box: box}
	lo, hi := 0.1, 10.0
	for _, x := range [...][]float64{plan.Knots, plan.Weights} {
		for _, w := range x {
			if w >= 1e-3 && w <= 1e3 { // what lies beyond is cut
				lo, hi = min(lo, w), max(hi, w)
			}
		}
	}
	v.x = paint.NewAxis(-0.5, float64(len(plan.Beta))-0.5, box.X, box.X+box.W)
	v.y = paint.NewAxis(math.Log10(lo), math.Log10(hi), box.Y+box.H, box.Y)
	return v
}

// layers draws the plan.
func (v *planView) layers() []paint.Layer {
	box, u := v.box, v.a.Unit
	var back, front paint.Layer
	lines := paint.Layer{Clip: paint.XYWH(box.X-2*u, box.Y-2*u, box.W+4*u, box.H+4*u)}
	v.scale(&back)
	v.curves(&lines)
	v.knots(&front)
	v.offer()
	return []paint.Layer{back, lines, front}
}

// planAbove draws the plan above the visits, or, where it stands alone, as large as can be. It returns where the visits
// begin.
func planAbove(a *paint.Area, s *visits, plan *frame.Plan, top *paint.Layer, pad, down float64,
	alone bool) ([]paint.Layer, float64) {
	u, head := a.Unit, 52*a.Unit
	below := a.Say("Drag the knots: chains go more often where the line is high.")
	if a.H < 400*u {
		head, below = 34*u, ""
	}
	height := min(max(0.26*a.H, 74*u), 160*u)
	if alone {
		height = a.H - head - down - 46*u
	}
	v := newPlan(a, s, plan, paint.Snap(paint.XYWH(pad+30*u, down+head, a.W-2*pad-30*u, height)))
	v.title(top, pad, down+19*u, a.W-pad, below)
	if alone {
		ladderFoot(a, top, plan.Beta, v.x, v.box, 1)
	}
	return v.layers(), down + head + height + 12*u
}

// height is where a weight stands, within the box.
func (v *planView) height(w float64) float64 {
	return min(max(v.y.At(math.Log10(max(w, 1e-9))), v.box.Y), v.box.Y+v.box.H)
}

// rung is the weight of a rung by hand, and its share of all.
func (v *planView) rung(k int) (weight, share float64) {
	sum, top := 0.0, len(v.plan.Beta)-1
	for i := range v.plan.Beta {
		sum += schedule.WeightAt(v.hand.Knots, i, top)
	}
	weight = schedule.WeightAt(v.hand.Knots, k, top)
	return weight, weight / sum
}

// scale draws the levels, and the one where all rungs would be visited as often.
func (v *planView) scale(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	steps := []float64{1, 2, 5}
	if (v.y.P0-v.y.P1)/(v.y.D1-v.y.D0) < 64*u { // a decade
		steps = steps[:1]
	}
	for e := math.Floor(v.y.D0); e <= v.y.D1; e++ {
		for _, step := range steps {
			h := e + math.Log10(step)
			if h < v.y.D0-1e-9 || h > v.y.D1+1e-9 {
				continue
			}
			y := v.y.At(h)
			l.HLine(a, v.box.X, v.box.X+v.box.W, y, t.Line)
			l.Label(format.AtMost(step*math.Pow(10, e), 3), v.box.X-9*u, y+4*u, paint.Tick, t.Ink3, paint.Right)
		}
	}
	w, share := v.rung(0)
	y := v.height(w / share / float64(len(v.plan.Beta)))
	l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: v.box.X, Y: y}, {X: v.box.X + v.box.W, Y: y}},
		Width: a.Hairline(), Dash: [2]float64{4 * u, 3 * u}, Color: t.Ink3})
	s, curve := a.Say("even"), v.own(8)
	wd := a.Fonts.Width(s, paint.Tick)
	for _, x := range [...]float64{v.box.X + v.box.W - wd - 4*u, v.box.X + 4*u} { // at an end that the curve leaves free
		if !paint.Crosses(curve, paint.XYWH(x-4*u, y-18*u, wd+8*u, 20*u)) {
			l.Label(s, x, y-5*u, paint.Tick, t.Ink3, paint.Left)
			break
		}
	}
}

// own is the curve by hand, with so many points between knots.
func (v *planView) own(between int) []paint.Point {
	knots, top := v.hand.Knots, float64(len(v.plan.Beta)-1)
	n := (len(knots) - 1) * between
	pts := v.a.Points(n + 1)
	for i := range n + 1 {
		pts = append(pts, paint.Pt(v.x.At(top*float64(i)/float64(n)), v.height(schedule.WeightAt(knots, i, n))))
	}
	return pts
}

func (v *planView) ink() color.RGBA { return v.a.Theme.Method(v.s.Run.Order(v.plan.Methods[0])) }

// curves draws the plan of the experiment, and over it the one by hand.
func (v *planView) curves(l *paint.Layer) {
	u, t, n := v.a.Unit, v.a.Theme, len(v.plan.Weights)
	bent := v.hand.Bent(v.plan.Knots)
	every := max(1, n/240)
	pts := v.a.Points(n/every + 2)
	for k := 0; k < n; k += every {
		pts = append(pts, paint.Pt(v.x.At(float64(k)), v.height(v.plan.Weights[k])))
	}
	pts = append(pts, paint.Pt(v.x.At(float64(n-1)), v.height(v.plan.Weights[n-1])))
	m := paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 3 * u * t.Stroke, Color: v.ink(), Halo: true}
	if bent { // it is being left
		m.Width, m.Dash = 1.75*u*t.Stroke, [2]float64{4 * u, 4 * u}
	}
	solid := pts
	if bent {
		solid = v.own(12)
	}
	foot := v.a.Points(len(solid))
	for _, q := range solid {
		foot = append(foot, paint.Pt(q.X, v.box.Y+v.box.H))
	}
	l.Add(paint.Mark{Kind: paint.Band, Pts: solid, Lower: foot, Color: paint.Fade(v.ink(), 0.12)}, m)
	if bent {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: solid, Width: 3 * u * t.Stroke, Color: v.ink(), Halo: true})
	}
}

// knots draws the knots, and lets them be dragged up and down.
func (v *planView) knots(l *paint.Layer) {
	v.hand.Grips(v.a, l, v.ink(), v.own(1), func(y float64) float64 {
		return math.Pow(10, v.y.D0+(min(max(y, v.box.Y), v.box.Y+v.box.H)-v.y.P0)/(v.y.P1-v.y.P0)*(v.y.D1-v.y.D0))
	})
}

// read says how often a rung is to be visited.
func (v *planView) read(k int) string {
	_, share := v.rung(k)
	s := v.a.Say("Rung") + " " + strconv.Itoa(k+1)
	if b := v.plan.Beta[k]; num.Known(b) {
		s += ", \u03b2 = " + strconv.FormatFloat(b, 'g', 3, 64)
	}
	return s + ": " + format.Short(100*share, 2) + "\u00a0% " + v.a.Say("of the visits")
}

// offer lets the pointer read a rung.
func (v *planView) offer() {
	a := v.a
	if a.Dragging || !a.Pointed(v.box) {
		return
	}
	n := len(v.plan.Beta)
	k := min(int((a.Pointer.At.X-v.box.X)/v.box.W*float64(n)), n-1)
	a.OfferBar(v.x.At(float64(k)), v.box, func() string { return v.read(k) })
}

// title names the plan, and offers an even one.
func (v *planView) title(l *paint.Layer, x, y, end float64, below string) {
	a, t := v.a, v.a.Theme
	if s := a.Say("Visit all evenly"); slices.Max(v.hand.Knots) > slices.Min(v.hand.Knots) && !a.Print {
		end -= a.Fonts.Width(s, paint.Plain)
		a.Link(l, s, end, y, paint.Plain, t.Ink2, 8, paint.Action{Do: func(paint.Point) { v.hand.Restart() }})
		end -= 14 * a.Unit
	}
	a.Headline(l, x, y, end, a.Say("Planned visits of each rung, r"), a.Say("Planned visits, r"), below)
}
