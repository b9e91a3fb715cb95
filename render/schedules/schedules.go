// Package schedules is the scene schedule: the inverse temperature over the course of a run, and the costs of
// alternative schedules. The schedule of the experiment can be edited.
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
	"logzlab/render/chart"
	"logzlab/render/curve"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("schedule", func(r *record.Run) scene.Scene { return &schedules{Base: scene.Base{Run: r}} })

// schedules shows the inverse temperature over the course of a run for several schedules. In the background is a grey
// area whose width is the standard deviation of log f at each temperature. The curve of the experiment has knots to
// edit it; next to the chart is a table of costs.
type schedules struct {
	scene.Base
	path   *frame.Path
	editor curve.Editor
}

// Draw implements Scene.
func (s *schedules) Draw(a *paint.Area) []paint.Layer {
	if s.path == nil || len(s.path.Lines) == 0 || a.W < 200*a.Unit || a.H < 160*a.Unit {
		return []paint.Layer{paint.Note(a, "No schedule yet")}
	}
	v := newView(a, s)
	c := v.chart
	c.Draw(v.drawSD)
	v.curves()
	c.DrawOver(v.method)
	c.DrawOver(v.knots)
	c.DrawOver(v.names)
	c.DrawOver(v.costs)
	return c.Layers()
}

// Take stores the curves.
func (s *schedules) Take(f *frame.Frame) {
	if f.Path != nil {
		s.path = f.Path
		s.editor.Take(&schedulePen, s.optimum, f.Path.Schedule, f.Path.Knots, s.Run.Now)
	}
}

// Clear removes the curves; the edited one stays.
func (s *schedules) Clear() { s.path = nil }

// TakeEdit returns the curve that the viewer has edited.
func (s *schedules) TakeEdit() string {
	if s.path == nil {
		return ""
	}
	return s.editor.TakeEdit(s.path.Method, s.Run.Now)
}

// Key implements Scene.
func (s *schedules) Key(name string) bool { return s.path != nil && s.editor.Key(name) }

// view is a layout of the scene.
type view struct {
	a      *paint.Area
	editor *curve.Editor
	p      *record.Run
	path   *frame.Path
	chart  *chart.Chart
	plot   paint.Rect // of the chart
	pane   paint.Rect // of the table of costs
	list   paint.Rect // of the list of starts, if the costs are below the chart
	ink    color.RGBA

	own    []paint.Point   // the edited curve
	edited bool            // it differs from the curve of the experiment
	best   float64         // variance predicted for the optimum, NaN if unknown
	shapes [][]paint.Point // of path.Lines
	taken  []paint.Rect    // boxes of words and knots on the chart
}

func newView(a *paint.Area, s *schedules) *view {
	u, b := a.Unit, chart.Inset(a)
	v := &view{a: a, p: s.Run, editor: &s.editor, path: s.path, best: s.path.OptimalVar(),
		ink: a.Theme.Method(s.Run.MethodIndex(s.path.Method))}
	run := chart.Axis{Hi: 1, Ticks: []float64{0, 0.25, 0.5, 0.75, 1}, Title: a.Say("share of the run"),
		Label: func(x float64) string { return format.Trimmed(100*x, 0) + " %" }}
	if a.W >= 600*u {
		v.pane = paint.XYWH(b.X+b.W-192*u, b.Y+26*u, 192*u, b.H-26*u)
		b.W -= 216 * u
	} else {
		room, list := 0.0, 0.0
		if a.H >= 330*u {
			room = 112 * u
		}
		if v.path.Start != "" && a.H >= 380*u {
			list, run.Title = narrowStarts*u, ""
		}
		b.H = a.H - b.Y - room - list - 6*u
		v.pane = paint.XYWH(b.X, a.H-room-list+6*u, b.W, room)
		v.list = paint.XYWH(b.X, a.H-list, b.W, list)
	}
	v.chart = chart.New(a, b, run, chart.Axis{Hi: 1})
	v.chart.Title = a.Say("Inverse temperature") + " \u03b2"
	v.plot = v.chart.Plot()
	for _, l := range v.path.Lines {
		v.shapes = append(v.shapes, v.points(l.Beta))
	}
	if o := &s.editor; len(o.Knots) > 0 {
		v.own, v.edited = v.points(withEnds(o.Knots)), o.Differs(v.path.Knots)
	}
	return v
}

// withEnds returns knots with the ends of the curve, 0 and 1.
func withEnds(knots []float64) []float64 { return append(append([]float64{0}, knots...), 1) }

// share returns the fraction of the run at step i of a curve.
func share(beta []float64, i int) float64 { return float64(i) / float64(max(len(beta)-1, 1)) }

// height returns the y coordinate of an inverse temperature.
func (v *view) height(beta float64) float64 { return v.chart.At(0, beta).Y }

// beta is the inverse of height.
func (v *view) beta(y float64) float64 { return (v.plot.Y + v.plot.H - y) / v.plot.H }

// points returns the points of a curve of inverse temperatures at equal steps of the run.
func (v *view) points(beta []float64) (pts []paint.Point) {
	for i, b := range beta {
		pts = append(pts, v.chart.At(share(beta, i), b))
	}
	return pts
}

// current returns the index of the experiment's schedule among the lines, -1 if its curve is unknown.
func (v *view) current() int { return v.path.Index(v.path.Schedule) }

// method writes the method of the schedule if there are several.
func (v *view) method(l *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	name, x, y := a.MethodLabel(v.path.Method), v.plot.X+v.plot.W, v.chart.Box().Y+12*u
	wide := a.Fonts.Width(name, paint.Strong)
	if len(v.p.Methods) > 1 && a.Fonts.Width(v.chart.Title, paint.Strong)+wide+40*u < v.chart.Box().W {
		l.MethodMark(a, v.p.MethodIndex(v.path.Method), x-wide-10*u, y-4*u, 4*u, false)
		l.Label(name, x, y, paint.Strong, t.Ink, paint.Right)
	}
}

// sdShare is the width of the grey area as a fraction of the chart.
const sdShare = 0.36

// drawSD draws the square root of g, the standard deviation of log f, along the axis of temperatures, with its measured
// points.
func (v *view) drawSD(l *paint.Layer) {
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

	// The outline of the area, and the measured points.
	reach := sdShare * v.plot.W
	wide := func(g float64) float64 { return v.plot.X + reach*min(math.Sqrt(max(g, 0)/top), 1.15) }
	var edge, foot, measured []paint.Point
	for i, b := range p.Beta {
		y := v.height(b)
		if n := len(edge); n > 0 && i+1 < len(p.Beta) && edge[n-1].Y-y < u/2 {
			continue
		}
		edge, foot = append(edge, paint.Pt(wide(p.G[i]), y)), append(foot, paint.Pt(v.plot.X, y))
	}
	last := math.Inf(1)
	for i, g := range p.Raw {
		if y := v.height(p.Beta[i]); num.Finite(g) && last-y >= 2*u {
			measured, last = append(measured, paint.Pt(wide(g), y)), y
		}
	}

	l.Add(paint.Mark{Kind: paint.Band, Sideways: true, Pts: foot, Lower: edge, Color: paint.Fade(t.Grey, 0.16)},
		paint.Mark{Kind: paint.Stroke, Pts: edge, Width: u, Color: paint.Fade(t.Grey, 0.6)})
	m := paint.Mark{Kind: paint.Dots, Pts: measured, Radii: a.Numbers(len(measured)), Colors: a.Colors(len(measured))}
	for range measured {
		m.Radii, m.Colors = append(m.Radii, 1.5*u), append(m.Colors, paint.Fade(t.Grey, 0.75))
	}
	l.Add(m)
	if len(p.Joint) > 0 {
		v.drawJointSD(l, wide)
	}
	v.explain(l, edge)
	v.offerSD(edge)
}

// explain writes the meaning of the grey area right of its edge, as close to its widest point as no curve is in the
// way. Next to its narrower half it would mislead.
func (v *view) explain(l *paint.Layer, edge []paint.Point) {
	a, u := v.a, v.a.Unit
	s := a.Say("wide: go slowly here")
	wd, best, at := a.Fonts.Width(s, paint.Tick)+4*u, v.plot.X+sdShare*v.plot.W/2, paint.Rect{}
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

// offerSD adds a tooltip to the grey area.
func (v *view) offerSD(edge []paint.Point) {
	a, p := v.a, v.path
	if a.Dragging || !a.Pointed(v.plot) {
		return
	}
	b := v.beta(a.Pointer.At.Y)
	for i := 1; i < len(edge); i++ {
		if q := edge[i]; q.Y <= a.Pointer.At.Y && a.Pointer.At.X < q.X {
			g := p.G[0]
			for k, at := range p.Beta {
				if at <= b {
					g = p.G[k]
				}
			}
			a.Pointer.Offer(0.9, 1, paint.Pt(q.X, a.Pointer.At.Y), 0, paint.Rect{}, func() string {
				return "\u221ag = " + format.SI(math.Sqrt(g), 2) + "\n\u03b2 = " + format.Trimmed(b, 2)
			})
			return
		}
	}
}

// curves draws the schedules: the experiment's is strongest, then the optimum.
func (v *view) curves() {
	t, now, best := v.a.Theme, v.current(), v.path.Index("varopt")
	line := func(beta []float64, s chart.Style) {
		shares := make([]float64, len(beta))
		for i := range beta {
			shares[i] = share(beta, i)
		}
		v.chart.Line(shares, beta, s)
	}
	put := func(i int, s chart.Style) {
		line(v.path.Lines[i].Beta, s)
		v.offerLine(i)
	}
	for i := range v.path.Lines {
		if i != now && i != best {
			put(i, chart.Style{Color: paint.Mix(t.Ground, t.Line2, 0.75), Width: 1.25, NoHalo: true})
		}
	}
	if best >= 0 && best != now {
		put(best, chart.Style{Color: t.Ink, Width: 1.75, NoHalo: true})
	}
	strong := chart.Style{Color: v.ink, Width: 3}
	switch {
	case now >= 0 && v.edited: // it has been edited
		put(now, chart.Style{Color: v.ink, Width: 1.75, Dash: [2]float64{4, 4}})
	case now >= 0:
		put(now, strong)
	}
	if len(v.own) > 0 && (v.edited || now < 0) {
		line(withEnds(v.editor.Knots), strong)
	}
}

// offerLine adds a tooltip to a schedule.
func (v *view) offerLine(i int) {
	a, pts, line := v.a, v.shapes[i], &v.path.Lines[i]
	if a.Dragging || !a.Pointed(v.plot) || len(pts) < 2 {
		return
	}
	s := (a.Pointer.At.X - v.plot.X) / v.plot.W
	k := min(max(int(s*float64(len(pts)-1)), 0), len(pts)-2)
	part := s*float64(len(pts)-1) - float64(k)
	spot := paint.Pt(a.Pointer.At.X, pts[k].Y+(pts[k+1].Y-pts[k].Y)*part)
	a.Pointer.Offer(a.Pointer.Distance(spot), 10*a.Unit, spot, 2*a.Unit, paint.Rect{}, func() string {
		b := line.Beta[k] + (line.Beta[k+1]-line.Beta[k])*part
		text := scheduleName(a, line.Schedule) + "\n" + format.Trimmed(100*s, 0) + " %: \u03b2 = " + format.Trimmed(b, 3)
		if num.Finite(line.Var) {
			text += "\n" + a.Say("predicted variance") + " " + format.Ratio(line.Var)
		}
		return text
	})
}

// scheduleWords are translatable names of schedules; others keep their names.
var scheduleWords = map[string]string{"varopt": "optimal", "linear": "linear", "power": "power",
	"geometric": "geometric", "sigmoid": "sigmoid", "adaptive": "adaptive", "betas": "your curve"}

// scheduleName returns the name of a schedule in the picture.
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

// cost returns the variance of log w predicted for a line, for -1 the edited curve.
func (v *view) cost(i int) float64 {
	if i >= 0 {
		return v.path.Lines[i].Var
	}
	if len(v.editor.Knots) == 0 {
		return math.NaN()
	}
	return schedule.Forecast(v.path.Beta, v.path.G, withEnds(v.editor.Knots), v.path.Steps)
}
