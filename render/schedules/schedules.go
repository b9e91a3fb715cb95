// Package schedules is the scene schedule: how the inverse temperature rises in the course of a run, and what other
// schedules would cost. The schedule of the experiment can be drawn by hand.
package schedules

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/hand"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("schedule", func(r *record.Run) scene.Scene { return &schedules{Base: scene.Base{Run: r}} })

// schedules shows how the inverse temperature rises in the course of a run, by several schedules, over a hill that is
// as wide as log f varies at each temperature. The curve of the experiment has knots to draw it by hand; beside the
// chart stands what curves cost.
type schedules struct {
	scene.Base
	path *frame.Path
	hand hand.Hand
}

// Draw lays the scene out.
func (s *schedules) Draw(a *paint.Area) []paint.Layer {
	if s.path == nil || len(s.path.Lines) == 0 || a.W < 200*a.Unit || a.H < 160*a.Unit {
		return []paint.Layer{paint.Note(a, "No schedule yet")}
	}
	v := newScheduleView(a, s)
	var back, lines, front paint.Layer
	v.axes(&back)
	v.hill(&back)
	v.curves(&lines)
	v.knots(&front)
	v.names(&front)
	v.costs(&front)
	return []paint.Layer{back, lines, front}
}

// Take keeps the curves.
func (s *schedules) Take(f *frame.Frame) {
	if f.Path != nil {
		s.path = f.Path
		s.hand.Take(&schedulePen, s.optimum, f.Path.Schedule, f.Path.Knots, s.Run.Now)
	}
}

// Clear forgets the curves, but not the one that the viewer draws.
func (s *schedules) Clear() { s.path = nil }

// News returns the curve that the viewer has drawn.
func (s *schedules) News() string {
	if s.path == nil {
		return ""
	}
	return s.hand.News(s.path.Method, s.Run.Now)
}

// Key takes a key of the scene.
func (s *schedules) Key(name string) bool { return s.path != nil && s.hand.Key(name) }

// scheduleView is the geometry of the scene.
type scheduleView struct {
	a    *paint.Area
	hand *hand.Hand
	p    *record.Run
	path *frame.Path
	plot paint.Rect
	x, y paint.Axis // share of the run, beta
	pane paint.Rect // of the costs
	list paint.Rect // of the starts where the costs are below the chart
	ink  color.RGBA

	own    []paint.Point   // the curve by hand
	bent   bool            // it is another one than the experiment's
	best   float64         // variance that the optimum predicts, NaN if it is not known
	shapes [][]paint.Point // of path.Lines
	taken  []paint.Rect    // where words and knots stand on the chart
}

func newScheduleView(a *paint.Area, s *schedules) *scheduleView {
	p := s.Run
	u := a.Unit
	v := &scheduleView{a: a, p: p, hand: &s.hand, path: s.path, best: s.path.Best(), ink: a.Theme.Method(p.Order(s.path.Method))}
	start, top, foot, end := 52*u, 40*u, 44*u, 24*u
	if a.W >= 600*u {
		v.plot = paint.XYWH(start, top, a.W-start-end-216*u, a.H-top-foot)
		v.pane = paint.XYWH(a.W-end-192*u, top, 192*u, v.plot.H+28*u)
	} else {
		end = 14 * u
		room, list := 0.0, 0.0
		if a.H >= 330*u {
			room = 112 * u
		}
		if v.path.Start != "" && a.H >= 380*u {
			list, foot = narrowStarts*u, 28*u // without a name of the shares
		}
		v.plot = paint.XYWH(start-8*u, top-8*u, a.W-start-end+8*u, a.H-top-foot-room-list+8*u)
		v.pane = paint.XYWH(16*u, a.H-room-list+6*u, a.W-16*u-end, room)
		v.list = paint.XYWH(v.pane.X, a.H-list, v.pane.W, list)
	}
	v.plot = paint.Snap(v.plot)
	v.x, v.y = paint.NewAxis(0, 1, v.plot.X, v.plot.X+v.plot.W), paint.NewAxis(0, 1, v.plot.Y+v.plot.H, v.plot.Y)
	for _, l := range v.path.Lines {
		v.shapes = append(v.shapes, v.points(l.Beta))
	}
	if o := &s.hand; len(o.Knots) > 0 {
		v.own, v.bent = v.points(whole(o.Knots)), o.Bent(v.path.Knots)
	}
	return v
}

// whole are knots with the ends of the curve.
func whole(knots []float64) []float64 { return append(append([]float64{0}, knots...), 1) }

// points are a curve of inverse temperatures at even steps of the run.
func (v *scheduleView) points(beta []float64) (pts []paint.Point) {
	for i, b := range beta {
		pts = append(pts, paint.Pt(v.x.At(float64(i)/float64(max(len(beta)-1, 1))), v.y.At(b)))
	}
	return pts
}

// current is the index of the experiment's schedule among the lines, -1 if its curve is not known.
func (v *scheduleView) current() int { return v.path.Index(v.path.Schedule) }

// axes draws the scales and their names.
func (v *scheduleView) axes(l *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	for k := 0; k <= 5; k++ {
		b := float64(k) / 5
		y := v.y.At(b)
		l.HLine(a, v.plot.X, v.plot.X+v.plot.W, y, t.Line)
		l.Label(format.AtMost(b, 1), v.plot.X-8*u, y+4*u, paint.Tick, t.Ink3, paint.Right)
	}
	for k := 0; k <= 4; k++ {
		x := v.x.At(float64(k) / 4)
		l.VLine(a, x, v.plot.Y+v.plot.H, v.plot.Y+v.plot.H+4*u, t.Line2)
		l.Label(format.AtMost(25*float64(k), 0)+" %", min(x, a.W-20*u), v.plot.Y+v.plot.H+16*u, paint.Tick, t.Ink3,
			paint.Centre)
	}
	name := a.Say("Inverse temperature") + " \u03b2"
	l.Label(name, v.plot.X-28*u, v.plot.Y-14*u, paint.Strong, t.Ink, paint.Left)
	method, end := a.MethodLabel(v.path.Method), v.plot.X+v.plot.W
	if wd := a.Fonts.Width(method, paint.Strong); len(v.p.Methods) > 1 &&
		v.plot.X-28*u+a.Fonts.Width(name, paint.Strong)+wd+40*u < end {
		l.MethodMark(a, v.p.Order(v.path.Method), end-wd-10*u, v.plot.Y-18*u, 4*u, false)
		l.Label(method, end, v.plot.Y-14*u, paint.Strong, t.Ink, paint.Right)
	}
	if v.list.H == 0 {
		l.Label(a.Say("share of the run"), v.plot.X+v.plot.W/2, v.plot.Y+v.plot.H+33*u, paint.Tick, t.Ink3, paint.Centre)
	}
}

// hillShare is how far the hill reaches over the chart.
const hillShare = 0.36

// hill draws the root of g on the axis of temperatures, and where it was measured.
func (v *scheduleView) hill(l *paint.Layer) {
	a, u, t, p := v.a, v.a.Unit, v.a.Theme, v.path
	if len(p.G) == 0 {
		return
	}
	top := 0.0
	for _, g := range append(p.G[:len(p.G):len(p.G)], p.Joint...) {
		if num.Finite(g) {
			top = max(top, g)
		}
	}
	if top == 0 {
		return
	}

	// The outline of g, which is as wide as the square root, and the measured points.
	reach := hillShare * v.plot.W
	wide := func(g float64) float64 { return v.plot.X + reach*min(math.Sqrt(max(g, 0)/top), 1.15) }
	var edge, foot, spots []paint.Point
	for i, b := range p.Beta {
		y := v.y.At(b)
		if n := len(edge); n > 0 && i+1 < len(p.Beta) && edge[n-1].Y-y < u/2 {
			continue
		}
		edge, foot = append(edge, paint.Pt(wide(p.G[i]), y)), append(foot, paint.Pt(v.plot.X, y))
	}
	last := math.Inf(1)
	for i, g := range p.Raw {
		if y := v.y.At(p.Beta[i]); num.Finite(g) && last-y >= 2*u {
			spots, last = append(spots, paint.Pt(wide(g), y)), y
		}
	}

	l.Add(paint.Mark{Kind: paint.Band, Sideways: true, Pts: foot, Lower: edge, Color: paint.Fade(t.Grey, 0.16)},
		paint.Mark{Kind: paint.Stroke, Pts: edge, Width: u, Color: paint.Fade(t.Grey, 0.6)})
	m := paint.Mark{Kind: paint.Dots, Pts: spots, Radii: a.Numbers(len(spots)), Colors: a.Colors(len(spots))}
	for range spots {
		m.Radii, m.Colors = append(m.Radii, 1.5*u), append(m.Colors, paint.Fade(t.Grey, 0.75))
	}
	l.Add(m)
	if len(p.Joint) > 0 {
		v.jointHill(l, wide)
	}
	v.explain(l, edge)
	v.readHill(edge)
}

// explain writes what the hill is beside its edge, as near to its top as no curve is in the way. Beside its lower half
// it would mislead.
func (v *scheduleView) explain(l *paint.Layer, edge []paint.Point) {
	a, u := v.a, v.a.Unit
	s := a.Say("wide: go slowly here")
	wd, best, at := a.Fonts.Width(s, paint.Tick)+4*u, v.plot.X+hillShare*v.plot.W/2, paint.Rect{}
	curves := append(v.shapes[:len(v.shapes):len(v.shapes)], v.own)
	for _, q := range edge {
		b := paint.XYWH(q.X+8*u, q.Y-9*u, wd, 18*u)
		if q.X <= best || b.Y < v.plot.Y || b.Y+b.H > v.plot.Y+v.plot.H || b.X+b.W > v.plot.X+v.plot.W ||
			slices.ContainsFunc(curves, func(c []paint.Point) bool { return paint.Crosses(c, b) }) {
			continue
		}
		best, at = q.X, b
	}
	if at.W > 0 {
		l.Label(s, at.X, at.Y+13*u, paint.Tick, a.Theme.Ink2, paint.Left)
		v.taken = append(v.taken, at)
	}
}

// readHill lets the pointer read the hill.
func (v *scheduleView) readHill(edge []paint.Point) {
	a, p := v.a, v.path
	if a.Dragging || !a.Pointed(v.plot) {
		return
	}
	b := v.y.D0 + (a.Pointer.At.Y-v.y.P0)/(v.y.P1-v.y.P0)
	for i := 1; i < len(edge); i++ {
		if q := edge[i]; q.Y <= a.Pointer.At.Y && a.Pointer.At.X < q.X {
			g := p.G[0]
			for k, at := range p.Beta {
				if at <= b {
					g = p.G[k]
				}
			}
			a.Pointer.Offer(0.9, 1, paint.Pt(q.X, a.Pointer.At.Y), 0, paint.Rect{}, func() string {
				return "\u221ag = " + format.Short(math.Sqrt(g), 2) + "\n\u03b2 = " + format.AtMost(b, 2)
			})
			return
		}
	}
}

// curves draws the schedules: the experiment's strongest, the optimum next.
func (v *scheduleView) curves(l *paint.Layer) {
	u, t, now := v.a.Unit, v.a.Theme, v.current()
	l.Clip = paint.XYWH(v.plot.X-4*u, v.plot.Y-4*u, v.plot.W+8*u, v.plot.H+8*u)
	best := v.path.Index("varopt")
	put := func(i int, width float64, ink color.RGBA) {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: v.shapes[i], Width: width * u * t.Stroke, Color: ink})
		v.readLine(i)
	}
	for i := range v.path.Lines {
		if i != now && i != best {
			put(i, 1.25, paint.Mix(t.Ground, t.Line2, 0.75))
		}
	}
	if best >= 0 && best != now {
		put(best, 1.75, t.Ink)
	}
	if now >= 0 {
		m := paint.Mark{Kind: paint.Stroke, Pts: v.shapes[now], Width: 3 * u * t.Stroke, Color: v.ink, Halo: true}
		if v.bent { // it is being left
			m.Width, m.Dash = 1.75*u*t.Stroke, [2]float64{4 * u, 4 * u}
		}
		l.Add(m)
		v.readLine(now)
	}
	if v.bent || now < 0 {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: v.own, Width: 3 * u * t.Stroke, Color: v.ink, Halo: true})
	}
}

// readLine lets the pointer read a schedule.
func (v *scheduleView) readLine(i int) {
	a, pts, line := v.a, v.shapes[i], &v.path.Lines[i]
	if a.Dragging || !a.Pointed(v.plot) || len(pts) < 2 {
		return
	}
	s := (a.Pointer.At.X - v.x.P0) / (v.x.P1 - v.x.P0)
	k := min(max(int(s*float64(len(pts)-1)), 0), len(pts)-2)
	part := s*float64(len(pts)-1) - float64(k)
	spot := paint.Pt(a.Pointer.At.X, pts[k].Y+(pts[k+1].Y-pts[k].Y)*part)
	a.Pointer.Offer(a.Pointer.Distance(spot), 10*a.Unit, spot, 2*a.Unit, paint.Rect{}, func() string {
		b := line.Beta[k] + (line.Beta[k+1]-line.Beta[k])*part
		text := scheduleName(a, line.Schedule) + "\n" + format.AtMost(100*s, 0) + " %: \u03b2 = " + format.AtMost(b, 3)
		if num.Finite(line.Var) {
			text += "\n" + a.Say("predicted variance") + " " + format.Ratio(line.Var)
		}
		return text
	})
}

// scheduleWords are the words for schedules; the others keep their names.
var scheduleWords = map[string]string{"varopt": "optimal", "linear": "linear", "power": "power",
	"geometric": "geometric", "sigmoid": "sigmoid", "adaptive": "adaptive", "betas": "your curve"}

// scheduleName is what a schedule is called in the picture.
func scheduleName(a *paint.Area, text string) string {
	name, arg, _ := strings.Cut(text, ":")
	if w, ok := scheduleWords[name]; ok {
		name = a.Say(w)
	}
	if arg != "" && !strings.HasPrefix(text, "betas") {
		name += " " + arg
	}
	return name
}

// cost is the variance that a line, or with -1 the curve by hand, predicts.
func (v *scheduleView) cost(i int) float64 {
	if i >= 0 {
		return v.path.Lines[i].Var
	}
	if len(v.hand.Knots) == 0 {
		return math.NaN()
	}
	return schedule.Forecast(v.path.Beta, v.path.G, whole(v.hand.Knots), v.path.Steps)
}
