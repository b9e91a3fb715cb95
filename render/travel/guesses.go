// Package travel has the scenes of temperatures: whether neighbours overlap, and whether chains travel.
package travel

import (
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/ladder"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var (
	_ = scene.Register("rounds", func(r *record.Run) scene.Scene { return &rounds{scene.Base{Run: r}} })
	_ = scene.Register("weights", func(r *record.Run) scene.Scene { return &weights{scene.Base{Run: r}} })
)

// rounds draws the initial iterations of a tempering run ([RTS] Figure 1): the guesses of log Z at each rung, which
// come closer to the exact curve from iteration to iteration, and beside them the shares of samples at each rung,
// log c_k, which become even.
type rounds struct{ scene.Base }

// Draw lays the scene out.
func (s *rounds) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	v := newGuesses(a, p, func(l *frame.Ladder) bool { return shared(l.Guesses) > 0 })
	if v == nil || !v.lay(true) {
		return []paint.Layer{paint.Note(a, "No initial iterations yet")}
	}
	var back, lines, front paint.Layer
	v.pick()
	v.curves(&back, &lines, &front)
	v.shares(&back, &lines)
	v.offer()
	return []paint.Layer{back, lines, front, v.top}
}

// weights draws how guesses of log Z approach the exact curve: at each rung, the newest strongest; and the distance
// of the guesses of every method from the exact curve against cost.
type weights struct{ scene.Base }

// Draw lays the scene out.
func (s *weights) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	v := newGuesses(a, p, func(l *frame.Ladder) bool { return len(l.Guesses)-shared(l.Guesses) > 1 })
	if v == nil { // nothing adapts but by initial iterations
		v = newGuesses(a, p, func(*frame.Ladder) bool { return true })
	}
	if v == nil || !v.lay(false) {
		return []paint.Layer{paint.Note(a, "No guesses yet")}
	}
	var back, lines, front paint.Layer
	v.pick()
	v.curves(&back, &lines, &front)
	v.distances(p, &back, &lines, &front)
	v.offer()
	return []paint.Layer{back, lines, front, v.top}
}

// guessed reports whether a ladder has guesses.
func guessed(l *frame.Ladder) bool { return len(l.Guesses) > 0 }

// guessView is the geometry of guesses over rungs.
type guessView struct {
	a      *paint.Area
	l      *frame.Ladder
	list   []frame.Guess
	order  int // of the method
	pad    float64
	down   float64 // room of the head
	top    paint.Layer
	box    paint.Rect // of log Z
	right  paint.Rect // of what stands beside it, or below; no width: nothing
	y      paint.Axis // log Z above that of the base
	minus  []float64  // taken off it, nil: nothing
	widest float64    // name of a method with guesses
	bright int        // the guess that stands out
}

// newGuesses is of the method on show, if it has guesses of the kind asked for, else of another one.
func newGuesses(a *paint.Area, p *record.Run, kind func(*frame.Ladder) bool) *guessView {
	w, among, l := p.PickLadder(func(l *frame.Ladder) bool { return guessed(l) && kind(l) })
	if l == nil {
		return nil
	}
	v := &guessView{a: a, l: l, order: p.Order(l.Method), pad: 24 * a.Unit}
	for _, g := range l.Guesses {
		if len(g.LogZ) > 1 && num.Finite(g.LogZ[0]) {
			v.list = append(v.list, g)
		}
	}
	if len(v.list) == 0 {
		return nil
	}
	if a.Compact() {
		v.pad = 16 * a.Unit
	}
	for _, m := range p.Methods {
		if p.LastLadder(m, guessed) != nil {
			v.widest = max(v.widest, a.Fonts.Width(a.MethodLabel(m), paint.StrongTick))
		}
	}
	if w != nil {
		v.down = record.Header(a, p, &v.top, v.pad, w, among)
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
	a, u := v.a, v.a.Unit
	left, gutter, head, foot := v.pad+34*u, 46*u, 46*u+v.down, 44*u
	end := gutter
	if !even {
		end = max(gutter, v.widest+10*u-v.pad/2)
	}
	all := paint.XYWH(left, head, a.W-left-v.pad-end, a.H-head-foot)

	// Two panels: beside each other, on a phone one below the other.
	v.box, v.right = all, all
	if a.Compact() {
		v.box.H = (all.H - head - foot + v.down) / 2
		v.right.Y, v.right.H = all.Y+v.box.H+foot+head-v.down, v.box.H
	} else {
		v.box.W = (all.W - gutter - 40*u) / 2
		v.right.X, v.right.W = all.X+v.box.W+gutter+40*u, v.box.W
	}
	v.box, v.right = paint.Snap(v.box), paint.Snap(v.right)
	if v.box.H < 40*u || v.box.W < 80*u {
		return false
	}

	// The range of the guesses.
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
	v.y = paint.NewAxis(lo-0.04*(hi-lo), hi+0.04*(hi-lo), v.box.Y+v.box.H, v.box.Y)
	return true
}

// span is what the guesses and the exact curve take.
func (v *guessView) span() (lo, hi float64) {
	for i := range v.entries() {
		lo, hi = ladder.SpanOf(lo, hi, v.exact(i)-v.base(i))
		for k := range v.list {
			lo, hi = ladder.SpanOf(lo, hi, v.rise(k, i))
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
func (v *guessView) along(b paint.Rect, i int) float64 {
	return b.X + b.W*float64(i)/float64(max(v.entries()-1, 1))
}

// pick chooses the guess that stands out: the one at the pointer, else the newest.
func (v *guessView) pick() {
	v.bright = len(v.list) - 1
	if !v.a.Pointed(v.box) {
		return
	}
	at, best := v.a.Pointer.At, math.Inf(1)
	i := v.entry(v.box)
	for k := range v.list {
		if z := v.rise(k, i); num.Finite(z) && math.Abs(v.y.At(z)-at.Y) < best {
			v.bright, best = k, math.Abs(v.y.At(z)-at.Y)
		}
	}
}

// entry is the one nearest to the pointer.
func (v *guessView) entry(b paint.Rect) int {
	n := v.entries() - 1
	return min(max(int(math.Round((v.a.Pointer.At.X-b.X)/b.W*float64(n))), 0), n)
}

// polyline joins the entries of a box in stretches where they are known.
func (v *guessView) polyline(b paint.Rect, y paint.Axis, f func(i int) float64, use func(pts []paint.Point)) {
	pts := v.a.Points(v.entries())
	for i := range v.entries() {
		if z := f(i); math.Abs(z) <= record.Largest {
			pts = append(pts, paint.Pt(v.along(b, i), y.At(z)))
			continue
		}
		if len(pts) > 1 {
			use(pts)
		}
		pts = v.a.Points(v.entries())
	}
	if len(pts) > 1 {
		use(pts)
	}
}

// pen is how guess k is drawn: the later the stronger.
func (v *guessView) pen(k int) paint.Mark {
	t, u := v.a.Theme, v.a.Unit
	age := float64(k+1) / float64(len(v.list))
	m := paint.Mark{Kind: paint.Stroke, Width: (1 + 0.5*age) * u * t.Stroke,
		Color: paint.Mix(paint.Mix(t.Ground, t.Line2, 0.55), t.Method(v.order), age*age)}
	if k == v.bright {
		m.Width, m.Color, m.Halo = 2.25*u*t.Stroke, t.Method(v.order), true
	}
	return m
}

// curves draws the guesses of log Z, the exact curve, and which is which at the right.
func (v *guessView) curves(back, lines, front *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	title := "Guess of log Z by rung, nats"
	if v.minus != nil {
		if title = "Guess minus exact, nats"; len(v.l.Exact) == 0 {
			title = "Guess minus the last, nats"
		}
	}

	back.Label(a.Say(title), v.box.X-34*u, v.box.Y-18*u, paint.Strong, t.Ink, paint.Left)
	at, step := format.Ticks(v.y.D0, v.y.D1, max(3, min(7, int(v.box.H/(36*u)))))
	for _, q := range at {
		back.HLine(a, v.box.X, v.box.X+v.box.W, v.y.At(q), t.Line)
		back.Label(format.Tick(q, step), v.box.X-8*u, v.y.At(q)+4*u, paint.Tick, t.Ink3, paint.Right)
	}
	v.foot(back, v.box)

	// The curves of the guesses, the exact one, and the bright one last.
	draw := func(k int) {
		m := v.pen(k)
		v.polyline(v.box, v.y, func(i int) float64 { return v.rise(k, i) }, func(pts []paint.Point) {
			m.Pts = pts
			lines.Add(m)
		})
	}
	for k := range v.list {
		if k != v.bright {
			draw(k)
		}
	}
	v.polyline(v.box, v.y, func(i int) float64 { return v.exact(i) - v.base(i) }, func(pts []paint.Point) {
		lines.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 1.5 * u * t.Stroke, Color: t.Ink})
	})
	draw(v.bright)
	v.ends(front)
}

// ends names the exact curve and as many guesses as there is room for, the one that stands out first.
func (v *guessView) ends(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	n := v.entries() - 1
	x := v.box.X + v.box.W + 7*u
	var put []float64
	name := func(s string, z float64, st paint.Style, bold bool) {
		if !num.Finite(z) {
			return
		}
		y := v.y.At(z)
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
		if y > v.box.Y+v.box.H+2*u {
			return
		}
		put = append(put, y)
		ink := t.Ink3
		if bold {
			ink = t.Ink
		}
		l.Label(s, x, y+4*u, st, ink, paint.Left)
	}

	// What must be named, then the others from the newest one.
	name(a.Say("exact"), v.exact(n)-v.base(n), paint.StrongTick, true)
	name(strconv.Itoa(v.bright+1), v.rise(v.bright, n), paint.StrongTick, true)
	for k := len(v.list) - 1; k >= 0; k-- {
		if k != v.bright {
			name(strconv.Itoa(k+1), v.rise(k, n), paint.Tick, false)
		}
	}
}

// foot names the ends of the ladder below a box.
func (v *guessView) foot(l *paint.Layer, b paint.Rect) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	l.HLine(a, b.X, b.X+b.W, b.Y+b.H, t.Line2)
	for i := range v.entries() {
		box := paint.XYWH(v.along(b, i)-1.5*u, b.Y+b.H+2*u, 3*u, 4*u)
		if v.entries() > int(b.W/(5*u)) { // too many to stand apart
			box.X, box.W = v.along(b, i), b.W/float64(v.entries())+1
		}
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(box), Color: t.BetaColor(v.l.Beta[v.rung(i)])})
	}
	l.Label(ladder.RungName(v.l.Beta[0]), b.X, b.Y+b.H+20*u, paint.Tick, t.Ink3, paint.Left)
	l.Label(ladder.RungName(v.l.Beta[len(v.l.Beta)-1]), b.X+b.W, b.Y+b.H+20*u, paint.Tick, t.Ink3, paint.Right)
	s := format.Grouped(float64(len(v.l.Beta)), 0) + " " + a.Say("rungs")
	if a.Fonts.Width(s, paint.Tick) < b.W-100*u {
		l.Label(s, b.X+b.W/2, b.Y+b.H+20*u, paint.Tick, t.Ink3, paint.Centre)
	}
}

// offer lets the pointer read a guess.
func (v *guessView) offer() {
	a := v.a
	if !a.Pointed(v.box) {
		return
	}
	i, k := v.entry(v.box), v.bright
	z := v.rise(k, i)
	if !num.Finite(z) {
		return
	}
	spot := paint.Pt(v.along(v.box, i), v.y.At(z))
	a.Pointer.Offer(0, 1, spot, 3*a.Unit, paint.XYWH(spot.X, v.box.Y, 0, v.box.H), func() string {
		g := v.list[k]
		s := a.Say("Guess") + " " + strconv.Itoa(k+1)
		if g.Sweeps > 0 {
			s += ", " + format.Short(g.Sweeps, 3) + " " + a.Say("sweeps")
		}
		z := z + v.base(i)
		s += "\n" + a.Say("Rung") + " " + strconv.Itoa(v.rung(i)+1) + ": log Z " + format.Fixed(z, 2)
		if e := v.exact(i); num.Finite(e) {
			s += "\n" + a.Say("exact") + " " + format.Fixed(e, 2) + ", " + a.Say("error") + " " + format.Signed(z-e, 2)
		}
		if len(g.LogC) == len(g.LogZ) && num.Finite(g.LogC[i]) {
			s += "\nlog c " + format.Fixed(g.LogC[i], 2)
		}
		return s
	})
}
