package render

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/schedule"
)

var _ = register(scene{name: "schedule", draw: schedules, key: (*Picture).bend, tell: tellKnot})

// schedules shows how the inverse temperature rises in the course of a run, by several schedules, over a hill that is
// as wide as log f varies at each temperature. The curve of the experiment has knots to draw it by hand; beside the
// chart stands what curves cost.
func schedules(a *area, p *Picture) []layer {
	if p.path == nil || len(p.path.Lines) == 0 || a.w < 200*a.u || a.h < 160*a.u {
		return []layer{note(a, "No schedule yet")}
	}
	v := newScheduleView(a, p)
	var back, lines, front layer
	v.axes(&back)
	v.hill(&back)
	v.curves(&lines)
	v.knots(&front)
	v.names(&front)
	v.costs(&front)
	return []layer{back, lines, front}
}

// scheduleView is the geometry of the scene.
type scheduleView struct {
	a    *area
	p    *Picture
	path *frame.Path
	plot rect
	x, y axis // share of the run, beta
	pane rect // of the costs
	ink  color.RGBA

	own    []point   // the curve by hand
	bent   bool      // it is another one than the experiment's
	best   float64   // variance that the optimum predicts, NaN if it is not known
	shapes [][]point // of path.Lines
	taken  []rect    // where words and knots stand on the chart
}

func newScheduleView(a *area, p *Picture) *scheduleView {
	u := a.u
	v := &scheduleView{a: a, p: p, path: p.path, best: p.path.Best(), ink: a.theme.method(p.order(p.path.Method))}
	start, top, foot, end := 52*u, 40*u, 44*u, 24*u
	if a.w >= 600*u {
		v.plot = rect{start, top, a.w - start - end - 216*u, a.h - top - foot}
		v.pane = rect{a.w - end - 192*u, top, 192 * u, v.plot.h + 28*u}
	} else {
		end = 14 * u
		room := 0.0
		if a.h >= 330*u {
			room = 112 * u
		}
		v.plot = rect{start - 8*u, top - 8*u, a.w - start - end + 8*u, a.h - top - foot - room + 8*u}
		v.pane = rect{16 * u, a.h - room + 6*u, a.w - 16*u - end, room}
	}
	v.plot = snap(v.plot)
	v.x, v.y = axis{0, 1, v.plot.x, v.plot.x + v.plot.w}, axis{0, 1, v.plot.y + v.plot.h, v.plot.y}
	for _, l := range v.path.Lines {
		v.shapes = append(v.shapes, v.points(l.Beta))
	}
	if k := p.own.beta; len(k) > 0 {
		v.own, v.bent = v.points(whole(k)), schedule.Drawn(k) != schedule.Drawn(v.path.Knots)
	}
	return v
}

// whole are knots with the ends of the curve.
func whole(knots []float64) []float64 { return append(append([]float64{0}, knots...), 1) }

// points are a curve of inverse temperatures at even steps of the run.
func (v *scheduleView) points(beta []float64) (pts []point) {
	for i, b := range beta {
		pts = append(pts, point{v.x.at(float64(i) / float64(max(len(beta)-1, 1))), v.y.at(b)})
	}
	return pts
}

// current is the index of the experiment's schedule among the lines, -1 if its curve is not known.
func (v *scheduleView) current() int { return v.path.Index(v.path.Schedule) }

// axes draws the scales and their names.
func (v *scheduleView) axes(l *layer) {
	a, u, t := v.a, v.a.u, v.a.theme
	for k := 0; k <= 5; k++ {
		b := float64(k) / 5
		y := v.y.at(b)
		l.hline(a, v.plot.x, v.plot.x+v.plot.w, y, t.Line)
		l.label(format.AtMost(b, 1), v.plot.x-8*u, y+4*u, tick, t.Ink3, right)
	}
	for k := 0; k <= 4; k++ {
		x := v.x.at(float64(k) / 4)
		l.vline(a, x, v.plot.y+v.plot.h, v.plot.y+v.plot.h+4*u, t.Line2)
		l.label(format.AtMost(25*float64(k), 0)+" %", min(x, a.w-20*u), v.plot.y+v.plot.h+16*u, tick, t.Ink3, centre)
	}
	name := a.say("Inverse temperature") + " \u03b2"
	l.label(name, v.plot.x-28*u, v.plot.y-14*u, strong, t.Ink, left)
	method, end := a.methodLabel(v.path.Method), v.plot.x+v.plot.w
	if wd := a.fonts.width(method, strong); len(v.p.methods) > 1 &&
		v.plot.x-28*u+a.fonts.width(name, strong)+wd+40*u < end {
		l.glyph(a, v.p.order(v.path.Method), end-wd-10*u, v.plot.y-18*u, 4*u, false)
		l.label(method, end, v.plot.y-14*u, strong, t.Ink, right)
	}
	l.label(a.say("share of the run"), v.plot.x+v.plot.w/2, v.plot.y+v.plot.h+33*u, tick, t.Ink3, centre)
}

// hillShare is how far the hill reaches over the chart.
const hillShare = 0.36

// hill draws the root of g on the axis of temperatures, and where it was measured.
func (v *scheduleView) hill(l *layer) {
	a, u, t, p := v.a, v.a.u, v.a.theme, v.path
	if len(p.G) == 0 {
		return
	}
	top := 0.0
	for _, g := range p.G {
		if num.Finite(g) {
			top = max(top, g)
		}
	}
	if top == 0 {
		return
	}
	reach := hillShare * v.plot.w
	wide := func(g float64) float64 { return v.plot.x + reach*min(math.Sqrt(max(g, 0)/top), 1.15) }
	var edge, foot, spots []point
	for i, b := range p.Beta {
		y := v.y.at(b)
		if n := len(edge); n > 0 && i+1 < len(p.Beta) && edge[n-1].y-y < u/2 {
			continue
		}
		edge, foot = append(edge, point{wide(p.G[i]), y}), append(foot, point{v.plot.x, y})
	}
	last := math.Inf(1)
	for i, g := range p.Raw {
		if y := v.y.at(p.Beta[i]); num.Finite(g) && last-y >= 2*u {
			spots, last = append(spots, point{wide(g), y}), y
		}
	}
	l.add(mark{kind: band, sideways: true, pts: foot, more: edge, color: fade(t.Grey, 0.16)},
		mark{kind: stroke, pts: edge, width: u, color: fade(t.Grey, 0.6)})
	m := mark{kind: dots, pts: spots, radii: a.numbers(len(spots)), colors: a.colors(len(spots))}
	for range spots {
		m.radii, m.colors = append(m.radii, 1.5*u), append(m.colors, fade(t.Grey, 0.75))
	}
	l.add(m)
	v.explain(l, edge)
	v.readHill(edge)
}

// explain writes what the hill is beside its edge, as near to its top as no curve is in the way. Beside its lower half
// it would mislead.
func (v *scheduleView) explain(l *layer, edge []point) {
	a, u := v.a, v.a.u
	s := a.say("wide: go slowly here")
	wd, best, at := a.fonts.width(s, tick)+4*u, v.plot.x+hillShare*v.plot.w/2, rect{}
	curves := append(v.shapes[:len(v.shapes):len(v.shapes)], v.own)
	for _, q := range edge {
		b := rect{q.x + 8*u, q.y - 9*u, wd, 18 * u}
		if q.x <= best || b.y < v.plot.y || b.y+b.h > v.plot.y+v.plot.h || b.x+b.w > v.plot.x+v.plot.w ||
			slices.ContainsFunc(curves, func(c []point) bool { return crosses(c, b) }) {
			continue
		}
		best, at = q.x, b
	}
	if at.w > 0 {
		l.label(s, at.x, at.y+13*u, tick, a.theme.Ink2, left)
		v.taken = append(v.taken, at)
	}
}

// crosses tells whether a line comes into a box.
func crosses(pts []point, b rect) bool {
	for i := 1; i < len(pts); i++ {
		for k := range 9 {
			f := float64(k) / 8
			if b.holds(point{pts[i-1].x + (pts[i].x-pts[i-1].x)*f, pts[i-1].y + (pts[i].y-pts[i-1].y)*f}) {
				return true
			}
		}
	}
	return false
}

// readHill lets the pointer read the hill.
func (v *scheduleView) readHill(edge []point) {
	a, p := v.a, v.path
	if a.held || !a.asks(v.plot) {
		return
	}
	b := v.y.d0 + (a.probe.at.y-v.y.p0)/(v.y.p1-v.y.p0)
	for i := 1; i < len(edge); i++ {
		if q := edge[i]; q.y <= a.probe.at.y && a.probe.at.x < q.x {
			g := p.G[0]
			for k, at := range p.Beta {
				if at <= b {
					g = p.G[k]
				}
			}
			a.probe.offer(0.9, 1, point{q.x, a.probe.at.y}, 0, rect{}, func() string {
				return "\u221ag = " + format.Short(math.Sqrt(g), 2) + "\n\u03b2 = " + format.AtMost(b, 2)
			})
			return
		}
	}
}

// curves draws the schedules: the experiment's strongest, the optimum next.
func (v *scheduleView) curves(l *layer) {
	u, t, now := v.a.u, v.a.theme, v.current()
	l.clip = rect{v.plot.x - 4*u, v.plot.y - 4*u, v.plot.w + 8*u, v.plot.h + 8*u}
	best := v.path.Index("varopt")
	put := func(i int, width float64, ink color.RGBA) {
		l.add(mark{kind: stroke, pts: v.shapes[i], width: width * u * t.Stroke, color: ink})
		v.readLine(i)
	}
	for i := range v.path.Lines {
		if i != now && i != best {
			put(i, 1.25, mix(t.Ground, t.Line2, 0.75))
		}
	}
	if best >= 0 && best != now {
		put(best, 1.75, t.Ink)
	}
	if now >= 0 {
		m := mark{kind: stroke, pts: v.shapes[now], width: 3 * u * t.Stroke, color: v.ink, halo: true}
		if v.bent { // it is being left
			m.width, m.dash = 1.75*u*t.Stroke, [2]float64{4 * u, 4 * u}
		}
		l.add(m)
		v.readLine(now)
	}
	if v.bent || now < 0 {
		l.add(mark{kind: stroke, pts: v.own, width: 3 * u * t.Stroke, color: v.ink, halo: true})
	}
}

// readLine lets the pointer read a schedule.
func (v *scheduleView) readLine(i int) {
	a, pts, line := v.a, v.shapes[i], &v.path.Lines[i]
	if a.held || !a.asks(v.plot) || len(pts) < 2 {
		return
	}
	s := (a.probe.at.x - v.x.p0) / (v.x.p1 - v.x.p0)
	k := min(max(int(s*float64(len(pts)-1)), 0), len(pts)-2)
	part := s*float64(len(pts)-1) - float64(k)
	spot := point{a.probe.at.x, pts[k].y + (pts[k+1].y-pts[k].y)*part}
	a.probe.offer(a.probe.near(spot), 10*a.u, spot, 2*a.u, rect{}, func() string {
		b := line.Beta[k] + (line.Beta[k+1]-line.Beta[k])*part
		text := a.scheduleName(line.Schedule) + "\n" + format.AtMost(100*s, 0) + " %: \u03b2 = " + format.AtMost(b, 3)
		if num.Finite(line.Var) {
			text += "\n" + a.say("predicted variance") + " " + format.Ratio(line.Var)
		}
		return text
	})
}

// scheduleWords are the words for schedules; the others keep their names.
var scheduleWords = map[string]string{"varopt": "optimal", "linear": "linear", "power": "power",
	"geometric": "geometric", "sigmoid": "sigmoid", "adaptive": "adaptive", "betas": "your curve"}

// scheduleName is what a schedule is called in the picture.
func (a *area) scheduleName(text string) string {
	name, arg, _ := strings.Cut(text, ":")
	if w, ok := scheduleWords[name]; ok {
		name = a.say(w)
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
	if len(v.p.own.beta) == 0 {
		return math.NaN()
	}
	return schedule.Forecast(v.path.Beta, v.path.G, whole(v.p.own.beta), v.path.Steps)
}
