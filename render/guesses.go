package render

import (
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

var (
	_ = register(scene{name: "rounds", draw: rounds})
	_ = register(scene{name: "weights", draw: weights})
)

// rounds draws the initial iterations of a tempering run ([RTS] Figure 1): the guesses of log Z at each rung, which
// come closer to the exact curve from iteration to iteration, and beside them the shares of samples at each rung,
// log c_k, which become even.
func rounds(a *area, p *Picture) []layer {
	v := newGuesses(a, p, func(l *frame.Ladder) bool { return shared(l.Guesses) > 0 })
	if v == nil || !v.lay(true) {
		return []layer{note(a, "No initial iterations yet")}
	}
	var back, lines, front layer
	v.pick()
	v.curves(&back, &lines, &front)
	v.shares(&back, &lines)
	v.offer()
	return []layer{back, lines, front, v.top}
}

// weights draws how guesses of log Z approach the exact curve: at each rung, the newest strongest; and the distance
// of the guesses of every method from the exact curve against cost.
func weights(a *area, p *Picture) []layer {
	v := newGuesses(a, p, func(l *frame.Ladder) bool { return len(l.Guesses)-shared(l.Guesses) > 1 })
	if v == nil { // nothing adapts but by initial iterations
		v = newGuesses(a, p, func(*frame.Ladder) bool { return true })
	}
	if v == nil || !v.lay(false) {
		return []layer{note(a, "No guesses yet")}
	}
	var back, lines, front layer
	v.pick()
	v.curves(&back, &lines, &front)
	v.distances(p, &back, &lines, &front)
	v.offer()
	return []layer{back, lines, front, v.top}
}

// guessed reports whether a ladder has guesses.
func guessed(l *frame.Ladder) bool { return len(l.Guesses) > 0 }

// guessView is the geometry of guesses over rungs.
type guessView struct {
	a      *area
	l      *frame.Ladder
	list   []frame.Guess
	order  int // of the method
	pad    float64
	down   float64 // room of the head
	top    layer
	box    rect      // of log Z
	right  rect      // of what stands beside it, or below; no width: nothing
	y      axis      // log Z above that of the base
	minus  []float64 // taken off it, nil: nothing
	widest float64   // name of a method with guesses
	bright int       // the guess that stands out
}

// newGuesses is of the method on show, if it has guesses of the kind asked for, else of another one.
func newGuesses(a *area, p *Picture, kind func(*frame.Ladder) bool) *guessView {
	w, among, l := p.pickLadder(func(l *frame.Ladder) bool { return guessed(l) && kind(l) })
	if l == nil {
		return nil
	}
	v := &guessView{a: a, l: l, order: p.order(l.Method), pad: 24 * a.u}
	for _, g := range l.Guesses {
		if len(g.LogZ) > 1 && num.Finite(g.LogZ[0]) {
			v.list = append(v.list, g)
		}
	}
	if len(v.list) == 0 {
		return nil
	}
	if a.compact() {
		v.pad = 16 * a.u
	}
	for _, m := range p.methods {
		if p.lastLadder(m, guessed) != nil {
			v.widest = max(v.widest, a.fonts.width(a.methodLabel(m), mark11))
		}
	}
	if w != nil {
		v.down = head(a, p, &v.top, v.pad, w, among)
	}
	return v
}

// shared counts the guesses that come with shares of samples.
func shared(list []frame.Guess) (n int) {
	for _, g := range list {
		if len(g.LogC) > 1 || len(g.Counts) > 1 {
			n++
		}
	}
	return n
}

// lay places two boxes: beside each other, or one above the other on a phone. The right one has names of methods at
// its end, or the word even.
func (v *guessView) lay(even bool) bool {
	a, u := v.a, v.a.u
	left, gutter, head, foot := v.pad+34*u, 46*u, 46*u+v.down, 44*u
	end := gutter
	if !even {
		end = max(gutter, v.widest+10*u-v.pad/2)
	}
	all := rect{left, head, a.w - left - v.pad - end, a.h - head - foot}
	v.box, v.right = all, all
	if a.compact() {
		v.box.h = (all.h - head - foot + v.down) / 2
		v.right.y, v.right.h = all.y+v.box.h+foot+head-v.down, v.box.h
	} else {
		v.box.w = (all.w - gutter - 40*u) / 2
		v.right.x, v.right.w = all.x+v.box.w+gutter+40*u, v.box.w
	}
	v.box, v.right = snap(v.box), snap(v.right)
	if v.box.h < 40*u || v.box.w < 80*u {
		return false
	}
	lo, hi := v.span()
	if n := v.entries(); len(v.list) > 1 || len(v.l.Exact) > 0 {
		// Guesses that lie on one another at this scale are drawn from the exact curve, or from the newest one.
		v.minus = make([]float64, n)
		for i := range v.minus {
			if v.minus[i] = v.exact(i); len(v.l.Exact) == 0 {
				v.minus[i] = v.list[len(v.list)-1].LogZ[i] - v.list[len(v.list)-1].LogZ[0]
			}
		}
		if l, h := v.span(); h-l < 0.1*(hi-lo) {
			lo, hi = l, h
		} else {
			v.minus = nil
		}
	}
	if hi-lo < 1e-9 {
		lo, hi = -1, 1
	}
	v.y = axis{lo - 0.04*(hi-lo), hi + 0.04*(hi-lo), v.box.y + v.box.h, v.box.y}
	return true
}

// span is what the guesses and the exact curve take.
func (v *guessView) span() (lo, hi float64) {
	for i := range v.entries() {
		lo, hi = spanOf(lo, hi, v.exact(i)-v.base(i))
		for k := range v.list {
			lo, hi = spanOf(lo, hi, v.rise(k, i))
		}
	}
	return lo, hi
}

// base is what is taken off log Z at entry i.
func (v *guessView) base(i int) float64 {
	if v.minus == nil {
		return 0
	}
	return v.minus[i]
}

// entries is how many rungs a guess tells of.
func (v *guessView) entries() int { return len(v.list[len(v.list)-1].LogZ) }

// rung is the rung of entry i.
func (v *guessView) rung(i int) int { return i * (len(v.l.Beta) - 1) / max(v.entries()-1, 1) }

// rise is the log Z of guess k at entry i above that at the base of the ladder, as it is drawn; NaN if it is not known.
func (v *guessView) rise(k, i int) float64 {
	if z := v.list[k].LogZ; len(z) == v.entries() {
		return z[i] - z[0] - v.base(i)
	}
	return math.NaN()
}

// exact is the same of the exact log Z.
func (v *guessView) exact(i int) float64 {
	if len(v.l.Exact) == 0 {
		return math.NaN()
	}
	return v.l.Exact[v.rung(i)] - v.l.Exact[0]
}

// along is where entry i stands in a box.
func (v *guessView) along(b rect, i int) float64 {
	return b.x + b.w*float64(i)/float64(max(v.entries()-1, 1))
}

// pick chooses the guess that stands out: the one at the pointer, else the newest.
func (v *guessView) pick() {
	v.bright = len(v.list) - 1
	if !v.a.asks(v.box) {
		return
	}
	at, best := v.a.probe.at, math.Inf(1)
	i := v.entry(v.box)
	for k := range v.list {
		if z := v.rise(k, i); num.Finite(z) && math.Abs(v.y.at(z)-at.y) < best {
			v.bright, best = k, math.Abs(v.y.at(z)-at.y)
		}
	}
}

// entry is the one nearest to the pointer.
func (v *guessView) entry(b rect) int {
	n := v.entries() - 1
	return min(max(int(math.Round((v.a.probe.at.x-b.x)/b.w*float64(n))), 0), n)
}

// polyline joins the entries of a box in stretches where they are known.
func (v *guessView) polyline(b rect, y axis, f func(i int) float64, use func(pts []point)) {
	pts := v.a.points(v.entries())
	for i := range v.entries() {
		if z := f(i); math.Abs(z) <= largest {
			pts = append(pts, point{v.along(b, i), y.at(z)})
			continue
		}
		if len(pts) > 1 {
			use(pts)
		}
		pts = v.a.points(v.entries())
	}
	if len(pts) > 1 {
		use(pts)
	}
}

// pen is how guess k is drawn: the later the stronger.
func (v *guessView) pen(k int) mark {
	t, u := v.a.theme, v.a.u
	age := float64(k+1) / float64(len(v.list))
	m := mark{kind: stroke, width: (1 + 0.5*age) * u * t.Stroke,
		color: mix(mix(t.Ground, t.Line2, 0.55), t.method(v.order), age*age)}
	if k == v.bright {
		m.width, m.color, m.halo = 2.25*u*t.Stroke, t.method(v.order), true
	}
	return m
}

// curves draws the guesses of log Z, the exact curve, and which is which at the right.
func (v *guessView) curves(back, lines, front *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	title := "Guess of log Z by rung, nats"
	if v.minus != nil {
		if title = "Guess minus exact, nats"; len(v.l.Exact) == 0 {
			title = "Guess minus the last, nats"
		}
	}
	back.label(a.say(title), v.box.x-34*u, v.box.y-18*u, strong, t.Ink, left)
	at, step := format.Ticks(v.y.d0, v.y.d1, max(3, min(7, int(v.box.h/(36*u)))))
	for _, q := range at {
		back.hline(a, v.box.x, v.box.x+v.box.w, v.y.at(q), t.Line)
		back.label(format.Tick(q, step), v.box.x-8*u, v.y.at(q)+4*u, tick, t.Ink3, right)
	}
	v.foot(back, v.box)
	draw := func(k int) {
		m := v.pen(k)
		v.polyline(v.box, v.y, func(i int) float64 { return v.rise(k, i) }, func(pts []point) {
			m.pts = pts
			lines.add(m)
		})
	}
	for k := range v.list {
		if k != v.bright {
			draw(k)
		}
	}
	v.polyline(v.box, v.y, func(i int) float64 { return v.exact(i) - v.base(i) }, func(pts []point) {
		lines.add(mark{kind: stroke, pts: pts, width: 1.5 * u * t.Stroke, color: t.Ink})
	})
	draw(v.bright)
	v.ends(front)
}

// ends names the exact curve and as many guesses as there is room for, the one that stands out first.
func (v *guessView) ends(l *layer) {
	a, t, u := v.a, v.a.theme, v.a.u
	n := v.entries() - 1
	x := v.box.x + v.box.w + 7*u
	var put []float64
	name := func(s string, z float64, st style, bold bool) {
		if !num.Finite(z) {
			return
		}
		y := v.y.at(z)
		for _, o := range put {
			gap := 14 * u
			if !bold && len(v.list) > 12 { // a few of many will do
				gap = 40 * u
			}
			if math.Abs(o-y) < gap {
				if !bold {
					return
				}
				y = o + 14*u // what must be named moves away
			}
		}
		if y > v.box.y+v.box.h+2*u {
			return
		}
		put = append(put, y)
		ink := t.Ink3
		if bold {
			ink = t.Ink
		}
		l.label(s, x, y+4*u, st, ink, left)
	}
	name(a.say("exact"), v.exact(n)-v.base(n), mark11, true)
	name(strconv.Itoa(v.bright+1), v.rise(v.bright, n), mark11, true)
	for k := len(v.list) - 1; k >= 0; k-- {
		if k != v.bright {
			name(strconv.Itoa(k+1), v.rise(k, n), tick, false)
		}
	}
}

// foot names the ends of the ladder below a box.
func (v *guessView) foot(l *layer, b rect) {
	a, t, u := v.a, v.a.theme, v.a.u
	l.hline(a, b.x, b.x+b.w, b.y+b.h, t.Line2)
	for i := range v.entries() {
		box := rect{v.along(b, i) - 1.5*u, b.y + b.h + 2*u, 3 * u, 4 * u}
		if v.entries() > int(b.w/(5*u)) { // too many to stand apart
			box.x, box.w = v.along(b, i), b.w/float64(v.entries())+1
		}
		l.add(mark{kind: fill, box: snap(box), color: t.BetaColor(v.l.Beta[v.rung(i)])})
	}
	l.label(rungName(v.l.Beta[0]), b.x, b.y+b.h+20*u, tick, t.Ink3, left)
	l.label(rungName(v.l.Beta[len(v.l.Beta)-1]), b.x+b.w, b.y+b.h+20*u, tick, t.Ink3, right)
	s := format.Grouped(float64(len(v.l.Beta)), 0) + " " + a.say("rungs")
	if a.fonts.width(s, tick) < b.w-100*u {
		l.label(s, b.x+b.w/2, b.y+b.h+20*u, tick, t.Ink3, centre)
	}
}

// offer lets the pointer read a guess.
func (v *guessView) offer() {
	a := v.a
	if !a.asks(v.box) {
		return
	}
	i, k := v.entry(v.box), v.bright
	z := v.rise(k, i)
	if !num.Finite(z) {
		return
	}
	spot := point{v.along(v.box, i), v.y.at(z)}
	a.probe.offer(0, 1, spot, 3*a.u, rect{spot.x, v.box.y, 0, v.box.h}, func() string {
		g := v.list[k]
		s := a.say("Guess") + " " + strconv.Itoa(k+1)
		if g.Sweeps > 0 {
			s += ", " + format.Short(g.Sweeps, 3) + " " + a.say("sweeps")
		}
		z := z + v.base(i)
		s += "\n" + a.say("Rung") + " " + strconv.Itoa(v.rung(i)+1) + ": log Z " + format.Fixed(z, 2)
		if e := v.exact(i); num.Finite(e) {
			s += "\n" + a.say("exact") + " " + format.Fixed(e, 2) + ", " + a.say("error") + " " + format.Signed(z-e, 2)
		}
		if len(g.LogC) == len(g.LogZ) && num.Finite(g.LogC[i]) {
			s += "\nlog c " + format.Fixed(g.LogC[i], 2)
		}
		return s
	})
}
