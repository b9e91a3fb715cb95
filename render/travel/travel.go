// Package travel has the scene of temperatures, which says whether neighbours overlap and whether the chains travel, and
// the scene of weights, which shows how guesses of log Z at each rung come closer to the exact curve.
//
// travel.go has the layout and the headline, panels.go what is measured of each rung, plan.go the plan of visits, which
// can be drawn by hand, weights.go the guesses.
package travel

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/render/chart"
	"logzlab/render/hand"
	"logzlab/render/ladder"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("travel", func(r *record.Run) scene.Scene { return &travel{Base: scene.Base{Run: r}} })

// travel draws, over the rungs from the base at the left to the target at the right, the overlap of neighbouring rungs,
// the visits of each rung against those planned, and the share of the visits by chains on their way up. A headline says
// in words whether neighbours overlap and chains travel. In place of the visits, their plan can be drawn by hand.
type travel struct {
	scene.Base
	plan     *frame.Plan
	hand     hand.Hand
	planning bool // the viewer asked for the plan
	motion   chart.Motion
}

// lowOverlap is the overlap below which neighbouring rungs are too far apart: moves between them are accepted so rarely
// that a rung between them is worth its cost.
const lowOverlap = 0.2

// fewTrips is the number of round trips of all chains below which they do not travel: the verdict asks for as many.
const fewTrips = 10

// Take keeps the planned visits.
func (s *travel) Take(f *frame.Frame) {
	if f.Plan != nil {
		s.plan = f.Plan
		s.hand.Take(&priorPen, evenPlan, f.Plan.Prior, f.Plan.Knots, s.Run.Now)
	}
}

// Clear forgets the plan, but not the one that the viewer draws.
func (s *travel) Clear() { s.plan, s.motion = nil, chart.Motion{} }

// Moves reports whether bars are on their way to new values.
func (s *travel) IsAnimating(still bool) bool { return !still && s.motion.Moving(s.Run.Now) }

// TakeEdit returns the plan that the viewer has drawn.
func (s *travel) TakeEdit() string {
	if s.plan == nil {
		return ""
	}
	return s.hand.TakeEdit(s.plan.Methods[0], s.Run.Now)
}

// Key takes a key of the plan: d shows it and hides it again; the others are those of curves by hand.
func (s *travel) Key(key string) bool {
	v := s.view(nil)
	switch {
	case v == nil || v.plan == nil:
		return false
	case v.alone():
		return s.hand.Key(key)
	case key == "d", key == "Escape" && s.planning:
		if s.hand.Key("Escape"); !s.planning {
			s.hand.Key("d")
		}
		s.planning = !s.planning
		return true
	}
	return s.planning && s.hand.Key(key)
}

// Describe says the headline, and while the plan is on show, how often the rung at the knot of the keys is to be visited.
func (s *travel) Describe(a *paint.Area) string {
	v := s.view(a)
	if v == nil {
		return ""
	}
	if v.plan != nil && (s.planning || v.alone()) {
		return v.describePlan()
	}
	var says []string
	for _, f := range v.findings() {
		says = append(says, f.long)
	}
	return strings.Join(says, ". ")
}

// view is one layout of the scene, of one run.
type view struct {
	a     *paint.Area
	s     *travel
	l     *frame.Ladder // nil: none has come
	t     *frame.Travel // nil: none has come
	plan  *frame.Plan   // nil: it cannot be drawn by hand
	n     int           // rungs
	beta  []float64     // of each rung; nil: not known
	w     *record.Particles
	among []*record.Particles
}

// view is of the method on show; nil if there is nothing to show of it.
func (s *travel) view(a *paint.Area) *view {
	v := &view{a: a, s: s}
	v.w, v.among, v.l = s.Run.PickLadder(func(l *frame.Ladder) bool { return overlaps(l) || len(l.Occupancy) == len(l.Beta) })
	v.t = s.Run.Travel(func(t *frame.Travel) bool {
		return v.l == nil && len(t.Up) > 1 || v.l != nil && slices.Contains(t.Methods, v.l.Method)
	})
	if p := s.plan; p != nil && len(s.hand.Knots) > 1 && (v.l == nil || slices.Contains(p.Methods, v.l.Method)) {
		v.plan = p
	}
	switch {
	case v.l != nil:
		v.n, v.beta = len(v.l.Beta), v.l.Beta
	case v.t != nil:
		v.n = len(v.t.Up)
	case v.plan != nil:
		v.n, v.beta = len(v.plan.Beta), v.plan.Beta
	}
	if v.n == 0 {
		return nil
	}
	return v
}

// overlaps tells whether a ladder has the overlaps of its neighbours.
func overlaps(l *frame.Ladder) bool { return len(l.Overlap) > 0 && len(l.Beta) == len(l.Overlap)+1 }

// alone tells whether the plan is all that there is to show, as before a run.
func (v *view) alone() bool { return v.plan != nil && v.l == nil && v.t == nil }

// Draw lays the scene out.
func (s *travel) Draw(a *paint.Area) []paint.Layer {
	v, u := s.view(a), a.Unit
	if v == nil || a.W < 160*u || a.H < 140*u {
		return []paint.Layer{paint.Note(a, "No ladder yet")}
	}
	var top paint.Layer
	pad := 24 * u
	if a.Compact() {
		pad = 16 * u
	}
	y := 10 * u
	if v.w != nil {
		y += record.Header(a, s.Run, &top, pad, v.w, v.among)
	}
	y = v.headline(&top, pad, y)

	// As many panels as have room, the most important first.
	box := paint.XYWH(pad, y, a.W-2*pad, a.H-y-6*u)
	panels := v.panels()
	for least := 78 * u; len(panels) > 1 && box.H < float64(len(panels))*least+38*u; {
		last := 0
		for i := range panels {
			if panels[i].rank > panels[last].rank {
				last = i
			}
		}
		panels = slices.Delete(panels, last, last+1)
	}
	if len(panels) == 0 {
		return []paint.Layer{paint.Note(a, "No ladder yet")}
	}
	var shares []float64
	for i := range panels {
		shares = append(shares, panels[i].share)
	}
	charts := chart.Stack(a, box, v.axis(box.W-50*u), shares...)
	for i, c := range charts {
		panels[i].draw(c)
	}
	var out []paint.Layer
	for _, c := range charts { // laid out together, once all are known
		out = append(out, c.Layers()...)
	}
	return append(out, top)
}

// panel is one of the charts above each other.
type panel struct {
	rank  int // the highest goes first where there is no room
	share float64
	draw  func(*chart.Chart)
}

// panels are those with data, from the top down.
func (v *view) panels() (list []panel) {
	if v.l != nil && overlaps(v.l) {
		list = append(list, panel{1, 1, v.overlap})
	}
	switch {
	case v.plan != nil && (v.s.planning || v.alone()):
		list = append(list, panel{0, 2, v.drawPlan})
	case v.l != nil && len(v.l.Occupancy) == v.n:
		list = append(list, panel{3, 1, v.visits})
	}
	if v.t != nil && len(v.t.Up) == v.n && countKnown(v.t.Up) > 1 {
		list = append(list, panel{2, 1, v.wayUp})
	}
	return list
}

func countKnown(x []float64) (n int) {
	for _, v := range x {
		if num.Finite(v) {
			n++
		}
	}
	return n
}

// axis is that of the rungs for the panels, whose plots have about a width.
func (v *view) axis(wide float64) chart.Axis {
	x := rungAxis(v.a, v.beta, v.n, wide)
	if g := v.group(wide); x.Title != "" && g > 1 {
		x.Title += ", " + v.a.Say("each bar the worst of") + " " + format.Grouped(float64(g), 0)
	}
	return x
}

// rungAxis is an axis of n rungs for plots of a width. Rungs are evenly spaced, whatever their temperatures; both ends
// are always named, by numbers where temperatures are not known.
func rungAxis(a *paint.Area, beta []float64, n int, wide float64) chart.Axis {
	pitch, room := wide/float64(n), 56*a.Unit
	x := chart.Axis{Lo: -0.5, Hi: float64(n) - 0.5, Label: func(k float64) string {
		if i := int(k); i < len(beta) && num.Known(beta[i]) {
			return ladder.RungName(beta[i])
		}
		return strconv.Itoa(int(k) + 1)
	}}
	for k, step := 0, max(int(math.Ceil(room/pitch)), 1); k < n-1; k += step {
		if k == 0 || float64(n-1-k)*pitch >= room {
			x.Ticks = append(x.Ticks, float64(k))
		}
	}
	if x.Ticks = append(x.Ticks, float64(n-1)); !a.Compact() {
		x.Title = format.Grouped(float64(n), 0) + " " + a.Say("rungs")
	}
	return x
}

// betaAt is the inverse temperature of a rung, evenly spaced ones where they are not known.
func (v *view) betaAt(k int) float64 {
	if k < len(v.beta) && num.Known(v.beta[k]) {
		return v.beta[k]
	}
	return float64(k) / float64(max(v.n-1, 1))
}

// finding answers one of the questions of the scene.
type finding struct {
	long, short string
	verdict     int // 1: good, -1: bad, 0: too early to say
}

// findings answer whether neighbours overlap and whether the chains travel, as far as that is known.
func (v *view) findings() (list []finding) {
	a := v.a
	fill := func(s, x, y string) string { return strings.NewReplacer("#", x, "@", y).Replace(s) }
	if k := v.lowest(); k >= 0 {
		o := v.l.Overlap[k]
		f := finding{long: a.Say("Neighbours overlap by # at least, at \u03b2 = @: enough"),
			short: a.Say("Least overlap #, at \u03b2 = @: enough"), verdict: 1}
		if o < lowOverlap {
			f = finding{long: a.Say("Neighbours overlap by # at least, at \u03b2 = @: too little"),
				short: a.Say("Least overlap #, at \u03b2 = @: too little"), verdict: -1}
		}
		beta := strings.TrimPrefix(ladder.RungName(v.betaAt(k)), "\u03b2 = ")
		f.long, f.short = fill(f.long, overlapName(o), beta), fill(f.short, overlapName(o), beta)
		list = append(list, f)
	}
	if v.t == nil || v.t.Chains < 1 {
		return list
	}

	var f finding
	switch over := v.s.Run.State == runstate.Done; {
	case v.t.Total >= fewTrips:
		f = finding{long: a.Say("# round trips by @ chains: they travel"), verdict: 1}
	case !over && v.t.Total == 0:
		f = finding{long: a.Say("No round trip so far by @ chains")}
	case !over && v.t.Total == 1:
		f = finding{long: a.Say("1 round trip so far by @ chains")}
	case !over:
		f = finding{long: a.Say("# round trips so far by @ chains")}
	case v.t.Total == 0:
		f = finding{long: a.Say("No round trip by @ chains: they do not travel"), verdict: -1}
	case v.t.Total == 1:
		f = finding{long: a.Say("1 round trip by @ chains: too few"), verdict: -1}
	default:
		f = finding{long: a.Say("# round trips by @ chains: too few"), verdict: -1}
	}
	f.long = fill(f.long, format.Grouped(float64(v.t.Total), 0), format.Grouped(float64(v.t.Chains), 0))
	f.short = f.long
	return append(list, f)
}

// lowest is the pair of neighbours that overlap least, by the lower rung; -1 if no overlap is known.
func (v *view) lowest() int {
	low := -1
	if v.l == nil || !overlaps(v.l) {
		return -1
	}
	for k, o := range v.l.Overlap {
		if num.Finite(o) && (low < 0 || o < v.l.Overlap[low]) {
			low = k
		}
	}
	return low
}

// headline writes the findings from a height down, as large as they fit, each with a sign that says whether it is good,
// and returns where they end.
func (v *view) headline(l *paint.Layer, pad, y float64) float64 {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	list := v.findings()
	fits := func(st paint.Style, short bool) bool {
		return !slices.ContainsFunc(list, func(f finding) bool {
			return pad+20*u+a.Fonts.Width(f.text(short), st) > a.W-pad
		})
	}
	st, short := paint.Figure, false
	if !fits(st, false) {
		if st = paint.Strong; !fits(st, false) {
			short = true
		}
	}
	for _, f := range list {
		y += 18 * u
		switch f.verdict {
		case -1:
			ladder.Caution(l, a, paint.Pt(pad+7*u, y-5*u), 7*u)
		case 1:
			l.Add(paint.Mark{Kind: paint.Stroke, Width: 2 * u * t.Stroke, Color: t.Ink,
				Pts: []paint.Point{{X: pad + 2*u, Y: y - 5*u}, {X: pad + 6*u, Y: y - u}, {X: pad + 13*u, Y: y - 10*u}}})
		}
		l.Label(f.text(short), pad+20*u, y, st, t.Ink, paint.Left)
		y += 3 * u
	}
	if len(list) > 0 {
		y += 12 * u
	}
	return y
}

func (f *finding) text(short bool) string {
	if short {
		return f.short
	}
	return f.long
}

// overlapName writes an overlap; one that rounds to nothing is not nothing.
func overlapName(o float64) string {
	if o > 0 && o < 0.005 {
		return "< 0.01"
	}
	return format.Fixed(o, 2)
}
