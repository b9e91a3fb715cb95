package render

import (
	"image/color"
	"math"
	"sort"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
)

var _ = register(scene{name: "plane", draw: plane, key: (*Picture).turn, tell: tellHand,
	moves: func(p *Picture, still bool) bool {
		return !still && p.gliding() || p.playing(still) || p.density != nil && p.density.pending // or the density is behind
	}})

// plane shows particles over the density they are drawn from: area is weight,
// colour is inverse temperature. Above and beside it the marginals, bars found
// and line exact; below it the path of temperatures. Both axes have one scale.
func plane(a *area, p *Picture) []layer {
	w, among := p.pick(func(w *wall) bool { return w.w == 0 && !w.blind })
	if w == nil && p.density == nil && len(p.walls) > 0 {
		return []layer{note(a, "No plane for this model")}
	}
	if w == nil && p.density == nil || a.w < 120*a.u || a.h < 120*a.u {
		return []layer{note(a, "No particles yet")}
	}
	live := w
	w = p.held(w, a.still)
	var top layer
	whole := a
	if live != nil && live.tempered() {
		a = columnBeside(a, &top, p.level(live, a), p.headRoom(among)*a.u)
	}
	v := newPlane(a, p, w)
	if v == nil {
		return []layer{note(a, "No particles yet")}
	}
	var back, front layer
	if p.density != nil {
		p.density.pending = false
		back.add(mark{kind: ground, box: v.box, relief: p.density.relief(0, v.box, v.sx, v.sy, v.beta, 6*a.u, p.now)})
	}
	v.frame(&front)
	if w == nil { // before the first frame: the target alone, faint
		back.add(mark{kind: fill, box: v.box, color: fade(a.theme.Ground, 0.35)})
		return []layer{back, front}
	}
	inside := layer{clip: v.box}
	v.trails(&inside)
	v.dropping(&inside)
	v.particles(&inside)
	v.marginals(&front)
	v.masses(&front)
	out := []layer{back, inside, front}
	if v.path > 0 {
		out = append(out, v.pathBar(p, live))
	}
	head(whole, p, &top, v.pad, live, among)
	return append(out, top)
}

// planeView is the geometry of a plane and the weights of its particles.
type planeView struct {
	a      *area
	d      *density // nil: unknown
	w      *wall    // nil: nothing yet
	box    rect
	sx, sy axis
	roi    rect
	pad    float64
	top    float64 // room for the upper marginal
	side   float64 // room for the right one
	path   float64 // height of the path of temperatures
	film   bool
	head   bool    // a line of methods stands above the upper marginal
	beta   float64 // of the density
	shared bool    // all particles have this beta
	known  bool    // particles have temperatures
	share  []float64
	rel    []float64 // weight over the mean weight
	now    float64
}

func newPlane(a *area, p *Picture, w *wall) *planeView {
	u := a.u
	v := &planeView{a: a, d: p.density, w: w, beta: 1, now: p.now, pad: 24 * u, top: 52 * u, side: 64 * u}
	left, bottom := 44*u, 30*u
	if a.compact() {
		v.pad, v.top, v.side, left = 16*u, 36*u, 44*u, 32*u
	}
	if _, among := p.pick(func(w *wall) bool { return w.w == 0 && !w.blind }); p.headed(among) {
		v.top, v.head = v.top+16*u, true
	}
	if w != nil {
		v.weigh()
		if v.known {
			switch {
			case !a.compact() && a.h >= 380*u && v.d != nil:
				v.path, v.film = min(131, 63+a.h/u*0.12)*u, true
			case a.h >= 260*u:
				v.path = 50 * u
			}
		}
	}
	v.box = snap(rect{left, v.top, a.w - left - v.side, a.h - v.top - bottom - v.path})
	if v.box.h < 40*u || v.box.w < 40*u {
		return nil
	}
	if v.d != nil {
		v.roi = v.d.roi
	} else if lo, hi, any := extent(w); any {
		v.roi = rect{lo.x, lo.y, hi.x - lo.x, hi.y - lo.y}
	} else {
		return nil
	}
	v.sx, v.sy = v.window(v.box)
	// Long names of ticks need a wider margin.
	widest := 0.0
	at, step := format.Ticks(v.sy.d0, v.sy.d1, v.yTicks())
	for _, y := range at {
		widest = max(widest, a.fonts.width(format.Tick(y, step), tick))
	}
	if more := widest + 10*u - v.box.x; more > 0 {
		v.box = snap(rect{v.box.x + more, v.box.y, v.box.w - more, v.box.h})
		v.sx, v.sy = v.window(v.box)
	}
	return v
}

func (v *planeView) yTicks() int { return min(7, max(2, int(v.box.h/(36*v.a.u)))) }

// window fits the region of interest into a box, one scale for both axes, and
// moves it onto the field where that helps.
func (v *planeView) window(b rect) (sx, sy axis) {
	unit := max(v.roi.w/b.w, v.roi.h/b.h)
	x, y := v.roi.x+v.roi.w/2-unit*b.w/2, v.roi.y+v.roi.h/2-unit*b.h/2
	if v.d != nil {
		f := v.d.f
		x = slide(x, unit*b.w, float64(f.X0), float64(f.X1))
		y = slide(y, unit*b.h, float64(f.Y0), float64(f.Y1))
	}
	return axis{x, x + unit*b.w, b.x, b.x + b.w}, axis{y, y + unit*b.h, b.y + b.h, b.y}
}

// slide moves an interval into [lo, hi] if it fits.
func slide(x, length, lo, hi float64) float64 {
	if length > hi-lo {
		return x
	}
	return min(max(x, lo), hi-length)
}

// weigh finds the weights of the particles and the temperature of the density.
func (v *planeView) weigh() {
	w := v.w
	v.beta, v.shared, v.known = w.beta()
	if !v.known {
		v.beta = 1
	} else if !v.shared {
		sum, n := 0.0, 0.0
		for i := range w.slots {
			if s := &w.slots[i]; s.filled && num.Known(s.beta) {
				sum, n = sum+s.beta, n+1
			}
		}
		v.beta = sum / n
	}
	// Weights compare only at one temperature: each group has the share of its number.
	rel, weighted := w.weights()
	type group struct{ sum, n float64 }
	groups, n := map[float64]group{}, 0.0
	key := func(s *slot) float64 {
		if num.Known(s.beta) {
			return s.beta
		}
		return -1
	}
	for i := range w.slots {
		if s := &w.slots[i]; s.filled && num.Finite(s.at.x+s.at.y) {
			if !weighted {
				rel[i] = 1
			}
			g := groups[key(s)]
			groups[key(s)] = group{g.sum + rel[i], g.n + 1}
			n++
		} else {
			rel[i] = 0
		}
	}
	v.share, v.rel = v.a.numbers(len(w.slots)), v.a.numbers(len(w.slots))
	for i := range w.slots {
		g := groups[key(&w.slots[i])]
		r := rel[i] * g.n / max(g.sum, 1e-300)
		v.rel, v.share = append(v.rel, r), append(v.share, r/max(n, 1))
	}
}

// frame draws the border, ticks and labels.
func (v *planeView) frame(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	b := v.box
	l.hline(a, b.x, b.x+b.w, b.y, t.Line)
	l.hline(a, b.x, b.x+b.w, b.y+b.h, t.Line)
	l.vline(a, b.x, b.y, b.y+b.h, t.Line)
	l.vline(a, b.x+b.w, b.y, b.y+b.h, t.Line)
	n := 7
	if a.compact() {
		n = 5
	}
	at, step := format.Ticks(v.sx.d0, v.sx.d1, n)
	for _, x := range at {
		l.vline(a, v.sx.at(x), b.y+b.h, b.y+b.h+4*u, t.Line2)
		l.label(format.Tick(x, step), v.sx.at(x), b.y+b.h+16*u, tick, t.Ink3, centre)
	}
	at, step = format.Ticks(v.sy.d0, v.sy.d1, v.yTicks())
	for _, y := range at {
		l.hline(a, b.x-4*u, b.x, v.sy.at(y), t.Line2)
		l.label(format.Tick(y, step), b.x-8*u, v.sy.at(y)+4*u, tick, t.Ink3, right)
	}
	l.label("x", b.x+b.w+10*u, b.y+b.h+4*u, tick, t.Ink2, left)
	l.label("y", b.x-8*u, b.y-8*u, tick, t.Ink2, right)
}

// spot is where a particle is drawn.
func (v *planeView) spot(s *slot) point {
	q := s.place(v.now, v.a.still)
	return point{v.sx.at(q.x), v.sy.at(q.y)}
}

// dotColour is the colour of a particle; without a temperature it is the target's.
func (v *planeView) dotColour(beta float64) color.RGBA {
	if !num.Known(beta) {
		return v.a.theme.BetaColor(1)
	}
	return v.a.theme.BetaColor(beta)
}

// particles draws the dots, heavy ones first, and offers them to the pointer.
func (v *planeView) particles(l *layer) {
	a, w := v.a, v.w
	u := a.u
	r0 := 3.1 * u
	if a.compact() {
		r0 = 2.5 * u
	}
	if n := float64(len(w.slots)); n > 500 {
		r0 *= math.Sqrt(max(500/n, 0.3)) // many must not cover the density
	}
	order := make([]int, 0, len(w.slots))
	for i := range w.slots {
		if v.rel[i] > 0 {
			order = append(order, i)
		}
	}
	sort.Slice(order, func(i, j int) bool {
		if x, y := v.rel[order[i]], v.rel[order[j]]; x != y {
			return x > y
		}
		return order[i] < order[j]
	})
	m := mark{kind: dots, pts: a.points(len(order)), radii: a.numbers(len(order)), colors: a.colors(len(order)),
		width: 0.75 * u * a.theme.Stroke}
	asks := a.asks(v.box)
	for _, i := range order {
		s := &w.slots[i]
		at := v.spot(s)
		r := max(r0*min(math.Sqrt(v.rel[i]), 6), 0.5*u)
		m.pts, m.radii, m.colors = append(m.pts, at), append(m.radii, r), append(m.colors, v.dotColour(s.beta))
		if asks {
			a.probe.offer(max(a.probe.near(at)-r, 0), 14*u, at, r, rect{}, func() string { return v.read(i) })
		}
	}
	l.add(m)
}

// dropping draws the particles that were just resampled away: they grey out and fall.
func (v *planeView) dropping(l *layer) {
	u := v.a.u
	m := mark{kind: dots, pts: v.a.points(len(v.w.fallen)), radii: v.a.numbers(len(v.w.fallen)),
		colors: v.a.colors(len(v.w.fallen))}
	for i := range v.w.fallen {
		d := &v.w.fallen[i]
		if g := d.gone(v.now, v.a.still); g < 1 {
			m.pts = append(m.pts, point{v.sx.at(d.at.x), v.sy.at(d.at.y) + 40*u*g*g})
			m.radii, m.colors = append(m.radii, 2.5*u), append(m.colors, fade(v.a.theme.Ink3, 1-g))
		}
	}
	if len(m.pts) > 0 {
		l.add(m)
	}
}

// read says what is known of a particle.
func (v *planeView) read(i int) string {
	s := &v.w.slots[i]
	text := v.a.say("Particle") + " " + strconv.Itoa(i+1) + "\nx = " + format.Grouped(s.at.x, 2) + ", y = " +
		format.Grouped(s.at.y, 2)
	if num.Known(s.beta) {
		text += "\n\u03b2 = " + format.AtMost(s.beta, 2)
	}
	if num.Known(s.logW) {
		text += "\n" + v.a.say("weight") + " " + format.Grouped(v.rel[i], 2) + " " + v.a.say("of the mean")
	}
	return text
}

// trails draws where points came from, fading; long jumps have no trail.
func (v *planeView) trails(l *layer) {
	a := v.a
	if a.still || v.shared || v.w.descends() {
		return
	}
	m := mark{kind: threads, width: 1.25 * a.u * a.theme.Stroke, pts: a.points(2 * 200 * trailLength),
		colors: a.colors(200 * trailLength)}
	longest := 0.14 * min(v.box.w, v.box.h)
	drawn := 0
	for i := range v.w.slots {
		s := &v.w.slots[i]
		if len(s.trail) == 0 || drawn >= 200 {
			continue
		}
		drawn++
		to := v.spot(s)
		for k := len(s.trail) - 1; k >= 0; k-- {
			q := s.trail[k]
			from := point{v.sx.at(q.at.x), v.sy.at(q.at.y)}
			d := math.Hypot(from.x-to.x, from.y-to.y)
			if !(d > 0.5) || d > longest {
				break
			}
			age := float64(len(s.trail)-k) / (trailLength + 1)
			m.pts, m.colors = append(m.pts, from, to), append(m.colors, fade(v.dotColour(q.beta), 0.75*(1-age)))
			to = from
		}
	}
	l.add(m)
}
