package render

import (
	"math"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

var _ = register(scene{name: "trips", draw: trips})

// trips draws how the chains of a tempering run go up and down the ladder: a strip for each of the first chains, its
// rung against sweeps, the latest round trip in the colours of the temperatures; and of each rung the share of visits
// by chains on their way up, which falls evenly where nothing holds them.
func trips(a *area, p *Picture) []layer {
	t := p.travel(func(t *frame.Travel) bool { return len(t.Paths) > 0 })
	if t == nil || a.w < 200*a.u || a.h < 140*a.u {
		return []layer{note(a, "No round trips yet")}
	}
	v := &tripView{a: a, t: t, done: p.run == "done", beta: p.betas(t), pad: 24 * a.u}
	if a.compact() {
		v.pad = 16 * a.u
	}
	v.lay()
	var back, paths, front layer
	v.title(&front)
	v.axes(&back)
	for i := range v.shown {
		v.strip(&back, &paths, &front, i)
	}
	if v.flow.w > 0 {
		v.upward(&back, &front)
	}
	v.offer()
	return []layer{back, paths, front}
}

// travel is that of the run that the method on show reads, else the newest one that has something to show.
func (p *Picture) travel(has func(*frame.Travel) bool) (found *frame.Travel) {
	best := -1
	for i := range p.travels {
		t := &p.travels[i]
		if !has(t) {
			continue
		}
		rank := 0
		for k, want := range [...]string{p.active, p.chosen} {
			if indexOf(t.Methods, want) >= 0 {
				rank = k + 1
			}
		}
		if rank > best {
			found, best = t, rank
		}
	}
	return found
}

// betas are the inverse temperatures of a run's rungs, nil if they are not known.
func (p *Picture) betas(t *frame.Travel) (beta []float64) {
	for i := range p.ladders {
		if l := &p.ladders[i]; indexOf(t.Methods, l.Method) >= 0 {
			beta = l.Beta
		}
	}
	return beta
}

// tripView is the geometry of the strips.
type tripView struct {
	a     *area
	t     *frame.Travel
	done  bool // the run is over
	beta  []float64
	pad   float64
	top   float64 // rungs of the ladder, less one
	shown int     // strips
	box   rect    // of all strips
	pitch float64
	x     axis // sweeps
	flow  rect // the share on the way up; no width: not shown
}

// lay places the strips, and the panel beside them where there is room.
func (v *tripView) lay() {
	a, u := v.a, v.a.u
	for _, path := range v.t.Paths {
		for _, k := range path {
			v.top = max(v.top, float64(k))
		}
	}
	v.top = max(v.top, float64(len(v.beta)-1), 1)
	left, right, head, foot := v.pad+26*u, 44*u, 54*u, 44*u
	v.box = rect{left, head, a.w - left - right - v.pad + 8*u, a.h - head - foot}
	if known := countKnown(v.t.Up); !a.compact() && known >= 2 {
		wide := max(150*u, 0.24*a.w)
		v.flow = snap(rect{a.w - v.pad - wide, head, wide, v.box.h})
		v.box.w = v.flow.x - 62*u - left - right
	}
	v.shown = min(len(v.t.Paths), max(1, int(v.box.h/(24*u))))
	v.pitch = v.box.h / float64(v.shown)
	if v.pitch > 64*u { // few chains need no towers
		v.pitch = 64 * u
		v.box.h = v.pitch * float64(v.shown)
	}
	v.box = snap(v.box)
	end := float64(max(v.t.Steps, 1))
	for _, path := range v.t.Paths {
		end = max(end, float64(len(path)*v.t.Every))
	}
	v.x = axis{0, end, v.box.x, v.box.x + v.box.w}
}

func countKnown(x []float64) (n int) {
	for _, v := range x {
		if num.Finite(v) {
			n++
		}
	}
	return n
}

func (v *tripView) title(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	end := a.w - v.pad
	all := a.say("in all")
	if v.t.Total == 0 {
		all = a.say("so far")
		if v.done {
			caution(l, a, point{end - 6*u, 15 * u}, 7*u)
			end -= 20 * u
		}
	}
	l.label(all, end, 19*u, plain, t.Ink2, right)
	end -= a.fonts.width(all, plain) + 6*u
	number := format.Grouped(float64(v.t.Total), 0)
	l.label(number, end, 20*u, figure, t.Ink, right)
	end -= a.fonts.width(number, figure) + 16*u
	l.label(a.say("Round trips"), v.pad, 19*u, strong, t.Ink, left)
	s := a.say("Each row is a chain: up is cold. In colour: its latest trip.")
	if v.pad+a.fonts.width(s, plain) > a.w-v.pad {
		s = a.say("a row for each chain, up is cold")
	}
	if v.flow.w > 0 && v.pad+a.fonts.width(s, plain) > v.flow.x-40*u {
		s = a.say("a row for each chain, up is cold")
	}
	l.label(s, v.pad, 36*u, plain, t.Ink2, left)
}

// axes draws the scale of sweeps below the strips.
func (v *tripView) axes(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	y := v.box.y + v.box.h + 4*u
	l.hline(a, v.x.p0, v.x.p1, y, t.Line2)
	at, step := format.Ticks(0, v.x.d1, max(2, int(v.box.w/(64*u))))
	for _, s := range at {
		l.vline(a, v.x.at(s), y, y+4*u, t.Line2)
		l.label(format.Tick(s, step), v.x.at(s), y+17*u, tick, t.Ink3, centre)
	}
	says := a.say("sweep")
	if more := v.t.Chains - v.shown; more > 0 {
		long := format.Grouped(float64(v.shown), 0) + " " + a.say("of") + " " + format.Grouped(float64(v.t.Chains), 0) + " " +
			a.say("chains") + ", " + a.say("sweeps")
		if a.fonts.width(long, tick) < v.box.w {
			says = long
		}
	}
	l.label(says, (v.x.p0+v.x.p1)/2, y+33*u, tick, t.Ink3, centre)
	l.label(a.say("trips"), v.box.x+v.box.w+12*u, v.box.y-8*u, tick, t.Ink3, left)
}

// row is the place of strip i: rungs run upwards in it.
func (v *tripView) row(i int) axis {
	y := v.box.y + float64(i)*v.pitch
	gap := min(5*v.a.u, v.pitch*0.2)
	return axis{0, v.top, y + v.pitch - gap, y + gap}
}

// strip draws one chain.
func (v *tripView) strip(back, paths, front *layer, i int) {
	a, t, u, y := v.a, v.a.theme, v.a.u, v.row(i)
	path := v.t.Paths[i]
	back.hline(a, v.x.p0, v.x.p1, y.p0, t.Line)
	from, mid, to, any := v.latest(i)
	grey := mark{kind: wires, width: a.hair(), color: mix(t.Ground, t.Ink3, 0.72), pts: a.points(4 * len(path))}
	warm := mark{kind: wires, width: 1.75 * u * t.Stroke, halo: true}
	at := func(j int) float64 { return v.x.at(float64((j + 1) * v.t.Every)) }
	for j := 1; j < len(path); j++ {
		x0, x1, y0, y1 := at(j-1), at(j), y.at(float64(path[j-1])), y.at(float64(path[j]))
		grey.pts = append(grey.pts, point{x0, y0}, point{x1, y0}, point{x1, y0}, point{x1, y1})
		s := (j + 1) * v.t.Every
		if !any || s < from || s-v.t.Every > to {
			continue
		}
		warm.pts = append(warm.pts, point{x0, y0}, point{x1, y0})
		warm.colors = append(warm.colors, t.BetaColor(v.betaOf(path[j-1])))
		v.jump(&warm, x1, y, path[j-1], path[j])
	}
	paths.add(grey)
	if any {
		paths.add(warm)
		for k, s := range [...]int{from, mid, to} {
			rung := 0.0
			if k == 1 {
				rung = v.top
			}
			paths.add(mark{kind: disc, at: point{v.x.at(float64(s)), y.at(rung)}, r: 2.4 * u, color: t.BetaColor(rung / v.top),
				halo: true})
		}
	}
	middle := (y.p0+y.p1)/2 + 4*u
	front.label(format.Grouped(float64(i+1), 0), v.box.x-10*u, middle, tick, t.Ink3, right)
	number := format.Grouped(float64(v.t.Trips[i]), 0)
	ink := t.Ink
	if v.t.Trips[i] == 0 {
		ink = t.Ink2
	}
	front.label(number, v.box.x+v.box.w+12*u, middle, strong, ink, left)
}

// jump adds a change of rungs at x, in the colours of what it passes.
func (v *tripView) jump(m *mark, x float64, y axis, from, to int32) {
	n := 1
	if from != to {
		n = min(6, max(2, int(math.Abs(y.at(float64(to))-y.at(float64(from)))/(3*v.a.u))))
	}
	for k := range n {
		f, g := float64(k)/float64(n), float64(k+1)/float64(n)
		rung := func(s float64) float64 { return float64(from) + s*float64(to-from) }
		m.pts = append(m.pts, point{x, y.at(rung(f))}, point{x, y.at(rung(g))})
		m.colors = append(m.colors, v.a.theme.BetaColor(v.betaOf(int32(rung((f+g)/2)))))
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
func (v *tripView) upward(back, front *layer) {
	a, t, u, b := v.a, v.a.theme, v.a.u, v.flow
	x, y := axis{0, 1, b.x, b.x + b.w}, axis{0, float64(len(v.t.Up) - 1), b.y + b.h - 4*u, b.y + 6*u}
	front.label(a.say("On the way up"), b.x, 36*u, strong, t.Ink, left)
	for _, s := range [...]float64{0, 0.5, 1} {
		back.vline(a, x.at(s), b.y, b.y+b.h+4*u, t.Line)
		back.label(format.AtMost(100*s, 0)+"\u00a0%", x.at(s), b.y+b.h+21*u, tick, t.Ink3, centre)
	}
	back.label(a.say("of the visits"), b.x+b.w/2, b.y+b.h+37*u, tick, t.Ink3, centre)
	back.label(rungName(0), b.x-10*u, y.p0+4*u, tick, t.Ink3, right)
	back.label(rungName(1), b.x-10*u, y.p1+4*u, tick, t.Ink3, right)
	front.add(mark{kind: stroke, pts: []point{{x.at(1), y.p0}, {x.at(0), y.p1}}, width: 1.25 * u * t.Stroke, color: t.Ink3,
		dash: [2]float64{4 * u, 3 * u}})
	var pts []point
	d := mark{kind: dots, width: u}
	for k, s := range v.t.Up {
		if !num.Finite(s) {
			continue
		}
		pts = append(pts, point{x.at(min(max(s, 0), 1)), y.at(float64(k))})
		if len(v.t.Up) <= int(b.h/(7*u)) {
			d.pts, d.radii = append(d.pts, pts[len(pts)-1]), append(d.radii, 3*u)
			d.colors = append(d.colors, t.BetaColor(v.betaOf(int32(k))))
		}
	}
	if len(pts) > 1 {
		front.add(mark{kind: stroke, pts: pts, width: 1.75 * u * t.Stroke, color: t.Line2, halo: true})
	}
	front.add(d)
}

// offer lets the pointer read a chain, or a rung.
func (v *tripView) offer() {
	a, u := v.a, v.a.u
	if a.asks(rect{0, v.box.y, v.box.x + v.box.w + 40*u, v.box.h}) {
		i := min(max(int((a.probe.at.y-v.box.y)/v.pitch), 0), v.shown-1)
		y := v.row(i)
		a.probe.offer(0, 1, point{a.probe.at.x, y.p1}, 0, rect{v.box.x - 4*u, y.p1 - 3*u, v.box.w + 8*u, y.p0 - y.p1 + 6*u},
			func() string {
				s := a.say("Chain") + " " + format.Grouped(float64(i+1), 0) + "\n" + a.say("round trips") + ": " +
					format.Grouped(float64(v.t.Trips[i]), 0)
				if from, _, to, any := v.latest(i); any {
					s += "\n" + a.say("the latest took") + " " + format.Grouped(float64(to-from), 0) + " " + a.say("sweeps")
				}
				return s
			})
	}
	if n := len(v.t.Up); v.flow.w > 0 && a.asks(v.flow) {
		k := int(math.Round((v.flow.y + v.flow.h - 4*u - a.probe.at.y) / (v.flow.h - 10*u) * float64(n-1)))
		if k = min(max(k, 0), n-1); !num.Finite(v.t.Up[k]) {
			return
		}
		y := v.flow.y + v.flow.h - 4*u - float64(k)/float64(n-1)*(v.flow.h-10*u)
		a.probe.offer(0, 1, point{a.probe.at.x, y}, 0, rect{v.flow.x, y, v.flow.w, 0}, func() string {
			return a.say("Rung") + " " + format.Grouped(float64(k+1), 0) + "\n" +
				strings.Replace(a.say("# % of the visits here are on the way up"), "#", format.AtMost(100*v.t.Up[k], 0), 1)
		})
	}
}
