// Package travel has the scene travel, which says whether neighbouring rungs overlap and whether the chains travel
// between base and target, and the scene weights, which shows how guesses of log Z at each rung converge to the exact
// curve.
//
// travel.go: layout and headline; panels.go: quantities by rung; plan.go: the plan of visits, which the viewer can
// edit; weights.go: the guesses.
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
	"logzlab/render/curve"
	"logzlab/render/ladder"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("travel", func(r *record.Run) scene.Scene { return &travel{Base: scene.Base{Run: r}} })

// travel draws, over the rungs from the base at the left to the target at the right, the overlap of neighbouring
// rungs, the visits over the planned visits, and the share of the visits by chains on their way up. A headline says
// whether neighbours overlap and chains travel. Instead of the visits, their plan can be shown and edited.
type travel struct {
	scene.Base
	plan     *frame.Plan
	editor   curve.Editor
	showPlan bool // the viewer has switched to the plan
	motion   chart.Motion
}

// lowOverlap is the overlap below which neighbouring rungs are too far apart: moves between them are accepted so
// rarely that an additional rung is worth its cost.
const lowOverlap = 0.2

// fewTrips is the number of round trips of all chains below which they do not travel, the same as in the verdict.
const fewTrips = 10

// Take stores the planned visits.
func (s *travel) Take(f *frame.Frame) {
	if f.Plan != nil {
		s.plan = f.Plan
		s.editor.Take(&priorPen, evenPlan, f.Plan.Prior, f.Plan.Knots, s.Run.Now)
	}
}

// Clear removes the plan of the experiment; the edited one stays.
func (s *travel) Clear() { s.plan, s.motion = nil, chart.Motion{} }

// IsAnimating implements Scene.
func (s *travel) IsAnimating(still bool) bool { return !still && s.motion.IsAnimating(s.Run.Now) }

// TakeEdit returns the plan that the viewer has edited.
func (s *travel) TakeEdit() string {
	if s.plan == nil {
		return ""
	}
	return s.editor.TakeEdit(s.plan.Methods[0], s.Run.Now)
}

// Key handles a key: d shows or hides the plan; the curve editor handles the other keys.
func (s *travel) Key(key string) bool {
	v := s.view(nil)
	switch {
	case v == nil || v.plan == nil:
		return false
	case v.planOnly():
		return s.editor.Key(key)
	case key == "d", key == "Escape" && s.showPlan:
		if s.editor.Key("Escape"); !s.showPlan {
			s.editor.Key("d")
		}
		s.showPlan = !s.showPlan
		return true
	}
	return s.showPlan && s.editor.Key(key)
}

// Describe returns the headline or, while the plan is shown, the planned visits at the selected knot.
func (s *travel) Describe(a *paint.Area) string {
	v := s.view(a)
	if v == nil {
		return ""
	}
	if v.plan != nil && (s.showPlan || v.planOnly()) {
		return v.describePlan()
	}
	var texts []string
	for _, f := range v.findings() {
		texts = append(texts, f.long)
	}
	return strings.Join(texts, ". ")
}

// view is one layout of the scene.
type view struct {
	a     *paint.Area
	s     *travel
	l     *frame.Ladder // or nil
	t     *frame.Travel // or nil
	plan  *frame.Plan   // nil: it cannot be edited
	n     int           // number of rungs
	beta  []float64     // of each rung; nil: unknown
	w     *record.Particles
	among []*record.Particles
}

// view returns the layout of the shown method, nil if there is nothing to show.
func (s *travel) view(a *paint.Area) *view {
	v := &view{a: a, s: s}
	v.w, v.among, v.l = s.Run.PickLadder(func(l *frame.Ladder) bool { return overlaps(l) || len(l.Occupancy) == len(l.Beta) })
	v.t = s.Run.Travel(func(t *frame.Travel) bool {
		return v.l == nil && len(t.FractionUp) > 1 || v.l != nil && slices.Contains(t.Methods, v.l.Method)
	})
	if p := s.plan; p != nil && len(s.editor.Knots) > 1 && (v.l == nil || slices.Contains(p.Methods, v.l.Method)) {
		v.plan = p
	}
	switch {
	case v.l != nil:
		v.n, v.beta = len(v.l.Beta), v.l.Beta
	case v.t != nil:
		v.n = len(v.t.FractionUp)
	case v.plan != nil:
		v.n, v.beta = len(v.plan.Beta), v.plan.Beta
	}
	if v.n == 0 {
		return nil
	}
	return v
}

// overlaps reports whether a ladder has the overlaps of its neighbours.
func overlaps(l *frame.Ladder) bool { return len(l.Overlap) > 0 && len(l.Beta) == len(l.Overlap)+1 }

// planOnly reports whether there is nothing but the plan, as before a run.
func (v *view) planOnly() bool { return v.plan != nil && v.l == nil && v.t == nil }

// Draw implements Scene.
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

	// As many panels as fit, the most important ones first.
	box := paint.XYWH(pad, y, a.W-2*pad, a.H-y-6*u)
	panels := v.panels()
	for minHeight := 78 * u; len(panels) > 1 && box.H < float64(len(panels))*minHeight+38*u; {
		leastImportant := 0
		for i := range panels {
			if panels[i].rank > panels[leastImportant].rank {
				leastImportant = i
			}
		}
		panels = slices.Delete(panels, leastImportant, leastImportant+1)
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
	for _, c := range charts { // laid out together, after all series have been added
		out = append(out, c.Layers()...)
	}
	return append(out, top)
}

// panel is one of the charts above each other.
type panel struct {
	rank  int // panels of the highest rank are omitted first
	share float64
	draw  func(*chart.Chart)
}

// panels returns the panels with data, from the top down.
func (v *view) panels() (list []panel) {
	if v.l != nil && overlaps(v.l) {
		list = append(list, panel{1, 1, v.overlap})
	}
	switch {
	case v.plan != nil && (v.s.showPlan || v.planOnly()):
		list = append(list, panel{0, 2, v.drawPlan})
	case v.l != nil && len(v.l.Occupancy) == v.n:
		list = append(list, panel{3, 1, v.visits})
	}
	if v.t != nil && len(v.t.FractionUp) == v.n && countKnown(v.t.FractionUp) > 1 {
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

// axis returns the axis of the rungs, for plots of about a width.
func (v *view) axis(width float64) chart.Axis {
	x := rungAxis(v.a, v.beta, v.n, width)
	if g := v.group(width); x.Title != "" && g > 1 {
		x.Title += ", " + v.a.Say("each bar the worst of") + " " + format.Grouped(float64(g), 0)
	}
	return x
}

// rungAxis returns an axis of n rungs for plots of a width. Rungs are evenly spaced, whatever their temperatures. Both
// ends always have a label: the temperature, or the number of the rung if it is unknown.
func rungAxis(a *paint.Area, beta []float64, n int, width float64) chart.Axis {
	pitch, labelWidth := width/float64(n), 56*a.Unit
	x := chart.Axis{Lo: -0.5, Hi: float64(n) - 0.5, Label: func(k float64) string {
		if i := int(k); i < len(beta) && num.NotNaN(beta[i]) {
			return ladder.RungName(beta[i])
		}
		return strconv.Itoa(int(k) + 1)
	}}
	for k, step := 0, max(int(math.Ceil(labelWidth/pitch)), 1); k < n-1; k += step {
		if k == 0 || float64(n-1-k)*pitch >= labelWidth {
			x.Ticks = append(x.Ticks, float64(k))
		}
	}
	if x.Ticks = append(x.Ticks, float64(n-1)); !a.Compact() {
		x.Title = format.Grouped(float64(n), 0) + " " + a.Say("rungs")
	}
	return x
}

// betaAt returns the inverse temperature of a rung; unknown ones are taken as evenly spaced.
func (v *view) betaAt(k int) float64 {
	if k < len(v.beta) && num.NotNaN(v.beta[k]) {
		return v.beta[k]
	}
	return float64(k) / float64(max(v.n-1, 1))
}

// finding answers one of the questions of the scene.
type finding struct {
	long, short string
	verdict     int // 1: good, -1: bad, 0: not yet known
}

// findings say whether neighbours overlap and whether the chains travel, as far as it is known.
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
		f.long, f.short = fill(f.long, formatOverlap(o), beta), fill(f.short, formatOverlap(o), beta)
		list = append(list, f)
	}
	if v.t == nil || v.t.Chains < 1 {
		return list
	}

	var f finding
	switch isDone := v.s.Run.State == runstate.Done; {
	case v.t.Total >= fewTrips:
		f = finding{long: a.Say("# round trips by @ chains: they travel"), verdict: 1}
	case !isDone && v.t.Total == 0:
		f = finding{long: a.Say("No round trip so far by @ chains")}
	case !isDone && v.t.Total == 1:
		f = finding{long: a.Say("1 round trip so far by @ chains")}
	case !isDone:
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

// lowest returns the lower rung of the pair with the least overlap, -1 if none is known.
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

// headline draws the findings from y down, in the largest style that fits, each with a sign for good or bad, and
// returns the y at which they end.
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

// formatOverlap formats an overlap. A small positive one is not rounded to 0.
func formatOverlap(o float64) string {
	if o > 0 && o < 0.005 {
		return "< 0.01"
	}
	return format.Fixed(o, 2)
}
