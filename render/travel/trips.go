package travel

import (
	"math"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/ladder"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("trips", func(r *record.Run) scene.Scene { return &trips{Base: scene.Base{Run: r}} })

// trips draws how the chains of a tempering run go up and down the ladder: a strip for each of the first chains, its
// rung against sweeps, the latest round trip in the colours of the temperatures; and of each rung the share of visits
// by chains on their way up, which falls evenly where nothing holds them.
type trips struct {
	scene.Base
}

// Draw lays the scene out.
func (s *trips) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	t := p.Travel(func(t *frame.Travel) bool { return len(t.Paths) > 0 })
	if t == nil || a.W < 200*a.Unit || a.H < 140*a.Unit {
		return []paint.Layer{paint.Note(a, "No round trips yet")}
	}
	v := &tripView{a: a, t: t, done: p.State == "done", beta: p.Betas(t), pad: 24 * a.Unit}
	if a.Compact() {
		v.pad = 16 * a.Unit
	}
	v.lay()
	var back, paths, front paint.Layer
	v.title(&front)
	v.axes(&back)
	for i := range v.shown {
		v.strip(&back, &paths, &front, i)
	}
	if v.flow.W > 0 {
		v.upward(&back, &front)
	}
	v.offer()
	return []paint.Layer{back, paths, front}
}

// tripView is the geometry of the strips.
type tripView struct {
	a     *paint.Area
	t     *frame.Travel
	done  bool // the run is over
	beta  []float64
	pad   float64
	top   float64    // rungs of the ladder, less one
	shown int        // strips
	box   paint.Rect // of all strips
	pitch float64
	x     paint.Axis // sweeps
	flow  paint.Rect // the share on the way up; no width: not shown
}

// lay places the strips, and the panel beside them where there is room.
func (v *tripView) lay() {
	a, u := v.a, v.a.Unit
	for _, path := range v.t.Paths {
		for _, k := range path {
			v.top = max(v.top, float64(k))
		}
	}
	v.top = max(v.top, float64(len(v.beta)-1), 1)
	left, right, head, foot := v.pad+26*u, 44*u, 54*u, 44*u
	v.box = paint.XYWH(left, head, a.W-left-right-v.pad+8*u, a.H-head-foot)
	if known := countKnown(v.t.Up); !a.Compact() && known >= 2 {
		wide := max(150*u, 0.24*a.W)
		v.flow = paint.Snap(paint.XYWH(a.W-v.pad-wide, head, wide, v.box.H))
		v.box.W = v.flow.X - 62*u - left - right
	}
	v.shown = min(len(v.t.Paths), max(1, int(v.box.H/(24*u))))
	v.pitch = v.box.H / float64(v.shown)
	if v.pitch > 64*u { // few chains need no towers
		v.pitch = 64 * u
		v.box.H = v.pitch * float64(v.shown)
	}
	v.box = paint.Snap(v.box)
	end := float64(max(v.t.Steps, 1))
	for _, path := range v.t.Paths {
		end = max(end, float64(len(path)*v.t.Every))
	}
	v.x = paint.NewAxis(0, end, v.box.X, v.box.X+v.box.W)
}

func countKnown(x []float64) (n int) {
	for _, v := range x {
		if num.Finite(v) {
			n++
		}
	}
	return n
}

func (v *tripView) title(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	end := a.W - v.pad
	all := a.Say("in all")
	if v.t.Total == 0 {
		all = a.Say("so far")
		if v.done {
			ladder.Caution(l, a, paint.Pt(end-6*u, 15*u), 7*u)
			end -= 20 * u
		}
	}
	l.Label(all, end, 19*u, paint.Plain, t.Ink2, paint.Right)
	end -= a.Fonts.Width(all, paint.Plain) + 6*u
	number := format.Grouped(float64(v.t.Total), 0)
	l.Label(number, end, 20*u, paint.Figure, t.Ink, paint.Right)
	end -= a.Fonts.Width(number, paint.Figure) + 16*u
	l.Label(a.Say("Round trips"), v.pad, 19*u, paint.Strong, t.Ink, paint.Left)
	s := a.Say("Each row is a chain: up is cold. In colour: its latest trip.")
	if v.pad+a.Fonts.Width(s, paint.Plain) > a.W-v.pad {
		s = a.Say("a row for each chain, up is cold")
	}
	if v.flow.W > 0 && v.pad+a.Fonts.Width(s, paint.Plain) > v.flow.X-40*u {
		s = a.Say("a row for each chain, up is cold")
	}
	l.Label(s, v.pad, 36*u, paint.Plain, t.Ink2, paint.Left)
}

// axes draws the scale of sweeps below the strips.
func (v *tripView) axes(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	y := v.box.Y + v.box.H + 4*u
	l.HLine(a, v.x.P0, v.x.P1, y, t.Line2)
	at, step := format.Ticks(0, v.x.D1, max(2, int(v.box.W/(64*u))))
	for _, s := range at {
		l.VLine(a, v.x.At(s), y, y+4*u, t.Line2)
		l.Label(format.Tick(s, step), v.x.At(s), y+17*u, paint.Tick, t.Ink3, paint.Centre)
	}
	says := a.Say("sweep")
	if more := v.t.Chains - v.shown; more > 0 {
		long := format.Grouped(float64(v.shown), 0) + " " + a.Say("of") + " " + format.Grouped(float64(v.t.Chains), 0) + " " +
			a.Say("chains") + ", " + a.Say("sweeps")
		if a.Fonts.Width(long, paint.Tick) < v.box.W {
			says = long
		}
	}
	l.Label(says, (v.x.P0+v.x.P1)/2, y+33*u, paint.Tick, t.Ink3, paint.Centre)
	l.Label(a.Say("trips"), v.box.X+v.box.W+12*u, v.box.Y-8*u, paint.Tick, t.Ink3, paint.Left)
}

// row is the place of strip i: rungs run upwards in it.
func (v *tripView) row(i int) paint.Axis {
	y := v.box.Y + float64(i)*v.pitch
	gap := min(5*v.a.Unit, v.pitch*0.2)
	return paint.NewAxis(0, v.top, y+v.pitch-gap, y+gap)
}

// strip draws one chain.
func (v *tripView) strip(back, paths, front *paint.Layer, i int) {
	a, t, u, y := v.a, v.a.Theme, v.a.Unit, v.row(i)
	path := v.t.Paths[i]
	back.HLine(a, v.x.P0, v.x.P1, y.P0, t.Line)

	// The path in grey, the latest round trip in the colours of the temperatures.
	from, mid, to, any := v.latest(i)
	grey := paint.Mark{Kind: paint.Wires, Width: a.Hairline(), Color: paint.Mix(t.Ground, t.Ink3, 0.72),
		Pts: a.Points(4 * len(path))}
	warm := paint.Mark{Kind: paint.Wires, Width: 1.75 * u * t.Stroke, Halo: true}
	at := func(j int) float64 { return v.x.At(float64((j + 1) * v.t.Every)) }
	for j := 1; j < len(path); j++ {
		x0, x1, y0, y1 := at(j-1), at(j), y.At(float64(path[j-1])), y.At(float64(path[j]))
		grey.Pts = append(grey.Pts, paint.Pt(x0, y0), paint.Pt(x1, y0), paint.Pt(x1, y0), paint.Pt(x1, y1))
		s := (j + 1) * v.t.Every
		if !any || s < from || s-v.t.Every > to {
			continue
		}
		warm.Pts = append(warm.Pts, paint.Pt(x0, y0), paint.Pt(x1, y0))
		warm.Colors = append(warm.Colors, t.BetaColor(v.betaOf(path[j-1])))
		v.jump(&warm, x1, y, path[j-1], path[j])
	}
	paths.Add(grey)
	if any {
		paths.Add(warm)
		for k, s := range [...]int{from, mid, to} {
			rung := 0.0
			if k == 1 {
				rung = v.top
			}
			paths.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(v.x.At(float64(s)), y.At(rung)), R: 2.4 * u,
				Color: t.BetaColor(rung / v.top), Halo: true})
		}
	}

	// The number of the chain, and of its trips.
	middle := (y.P0+y.P1)/2 + 4*u
	front.Label(format.Grouped(float64(i+1), 0), v.box.X-10*u, middle, paint.Tick, t.Ink3, paint.Right)
	number := format.Grouped(float64(v.t.Trips[i]), 0)
	ink := t.Ink
	if v.t.Trips[i] == 0 {
		ink = t.Ink2
	}
	front.Label(number, v.box.X+v.box.W+12*u, middle, paint.Strong, ink, paint.Left)
}

// jump adds a change of rungs at x, in the colours of what it passes.
func (v *tripView) jump(m *paint.Mark, x float64, y paint.Axis, from, to int32) {
	n := 1
	if from != to {
		n = min(6, max(2, int(math.Abs(y.At(float64(to))-y.At(float64(from)))/(3*v.a.Unit))))
	}
	for k := range n {
		f, g := float64(k)/float64(n), float64(k+1)/float64(n)
		rung := func(s float64) float64 { return float64(from) + s*float64(to-from) }
		m.Pts = append(m.Pts, paint.Pt(x, y.At(rung(f))), paint.Pt(x, y.At(rung(g))))
		m.Colors = append(m.Colors, v.a.Theme.BetaColor(v.betaOf(int32(rung((f+g)/2)))))
	}
}

// betaOf is the inverse temperature of a rung, evenly spaced ones where they are not known.
func (v *tripView) betaOf(rung int32) float64 {
	if k := int(rung); k >= 0 && k < len(v.beta) && num.Finite(v.beta[k]) {
		return v.beta[k]
	}
	return float64(rung) / v.top
}

// latest is the last whole round trip of strip i: the sweeps at the base, at the target, and back at the base.
func (v *tripView) latest(i int) (from, mid, to int, any bool) {
	if i >= len(v.t.Turns) {
		return 0, 0, 0, false
	}
	turns := v.t.Turns[i]
	n := len(turns) - 1 + len(turns)%2 // they begin and end at the base
	if n < 3 {
		return 0, 0, 0, false
	}
	return int(turns[n-3]), int(turns[n-2]), int(turns[n-1]), true
}

// upward draws, of each rung, the share of visits by chains that come from the base.
func (v *tripView) upward(back, front *paint.Layer) {
	a, t, u, b := v.a, v.a.Theme, v.a.Unit, v.flow
	x, y := paint.NewAxis(0, 1, b.X, b.X+b.W), paint.NewAxis(0, float64(len(v.t.Up)-1), b.Y+b.H-4*u, b.Y+6*u)
	front.Label(a.Say("On the way up"), b.X, 36*u, paint.Strong, t.Ink, paint.Left)
	for _, s := range [...]float64{0, 0.5, 1} {
		back.VLine(a, x.At(s), b.Y, b.Y+b.H+4*u, t.Line)
		back.Label(format.AtMost(100*s, 0)+"\u00a0%", x.At(s), b.Y+b.H+21*u, paint.Tick, t.Ink3, paint.Centre)
	}
	back.Label(a.Say("of the visits"), b.X+b.W/2, b.Y+b.H+37*u, paint.Tick, t.Ink3, paint.Centre)
	back.Label(ladder.RungName(0), b.X-10*u, y.P0+4*u, paint.Tick, t.Ink3, paint.Right)
	back.Label(ladder.RungName(1), b.X-10*u, y.P1+4*u, paint.Tick, t.Ink3, paint.Right)

	// The straight line is what the best ladder would have.
	front.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: x.At(1), Y: y.P0}, {X: x.At(0), Y: y.P1}},
		Width: 1.25 * u * t.Stroke, Color: t.Ink3, Dash: [2]float64{4 * u, 3 * u}})

	var pts []paint.Point
	d := paint.Mark{Kind: paint.Dots, Width: u}
	for k, s := range v.t.Up {
		if !num.Finite(s) {
			continue
		}
		pts = append(pts, paint.Pt(x.At(min(max(s, 0), 1)), y.At(float64(k))))
		if len(v.t.Up) <= int(b.H/(7*u)) {
			d.Pts, d.Radii = append(d.Pts, pts[len(pts)-1]), append(d.Radii, 3*u)
			d.Colors = append(d.Colors, t.BetaColor(v.betaOf(int32(k))))
		}
	}
	if len(pts) > 1 {
		front.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 1.75 * u * t.Stroke, Color: t.Line2, Halo: true})
	}
	front.Add(d)
}

// offer lets the pointer read a chain, or a rung.
func (v *tripView) offer() {
	a, u := v.a, v.a.Unit
	if a.Pointed(paint.XYWH(0, v.box.Y, v.box.X+v.box.W+40*u, v.box.H)) {
		i := min(max(int((a.Pointer.At.Y-v.box.Y)/v.pitch), 0), v.shown-1)
		y := v.row(i)
		a.Pointer.Offer(0, 1, paint.Pt(a.Pointer.At.X, y.P1), 0,
			paint.XYWH(v.box.X-4*u, y.P1-3*u, v.box.W+8*u, y.P0-y.P1+6*u),
			func() string {
				s := a.Say("Chain") + " " + format.Grouped(float64(i+1), 0) + "\n" + a.Say("round trips") + ": " +
					format.Grouped(float64(v.t.Trips[i]), 0)
				if from, _, to, any := v.latest(i); any {
					s += "\n" + a.Say("the latest took") + " " + format.Grouped(float64(to-from), 0) + " " + a.Say("sweeps")
				}
				return s
			})
	}
	if n := len(v.t.Up); v.flow.W > 0 && a.Pointed(v.flow) {
		k := int(math.Round((v.flow.Y + v.flow.H - 4*u - a.Pointer.At.Y) / (v.flow.H - 10*u) * float64(n-1)))
		if k = min(max(k, 0), n-1); !num.Finite(v.t.Up[k]) {
			return
		}
		y := v.flow.Y + v.flow.H - 4*u - float64(k)/float64(n-1)*(v.flow.H-10*u)
		a.Pointer.Offer(0, 1, paint.Pt(a.Pointer.At.X, y), 0, paint.XYWH(v.flow.X, y, v.flow.W, 0), func() string {
			return a.Say("Rung") + " " + format.Grouped(float64(k+1), 0) + "\n" +
				strings.Replace(a.Say("# % of the visits here are on the way up"), "#", format.AtMost(100*v.t.Up[k], 0), 1)
		})
	}
}
