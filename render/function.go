package render

import (
	"image/color"
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
)

var _ = register(scene{name: "function", draw: function,
	moves: (*Picture).changing, key: (*Picture).leaf, miss: (*Picture).unmark})

// view is the newest sight of random functions of one lane.
type view struct {
	latent *frame.Latent
	logW   []float32
	first  int
	when   float64
	reach  float64
}

// look takes a sight of functions. Lanes report at their own pace: one stays on show
// until it has been silent for a second.
func (w *wall) look(f *frame.Frame, now float64) {
	s := &w.seen
	if s.latent != nil && f.First != s.first && now-s.when < 1 {
		return
	}
	is := island{reach: s.reach}
	is.stretch(f.Latent.Values)
	*s = view{f.Latent, f.LogW, f.First, now, is.reach}
}

// classifier is one layout of random functions and their data.
type classifier struct {
	a     *area
	l     *frame.Latent
	m     *moment // values, mean, at and log weights on show
	there int     // data that have come
	last  int     // the newest of them, -1: they came all at once
	reach float64
	hue   color.RGBA            // of the mean
	eyed  int                   // row that is followed, -1: none
	on    func(b rect, row int) // makes a row answer to taps
	box   rect
	x, y  axis
}

// function shows random functions: in one dimension a line for each particle on
// the scale of probabilities, in two the probability as a field, of pictures the
// pictures sorted by how well they fit; below them the strips of formation.
func function(a *area, p *Picture) []layer {
	w, among := p.pick(func(w *wall) bool { return w.latent() != nil })
	if w == nil || a.w < 200*a.u || a.h < 140*a.u {
		return []layer{note(a, "No functions yet")}
	}
	var top layer
	pad := 24 * a.u
	if a.compact() {
		pad = 16 * a.u
	}
	down := head(a, p, &top, pad, w, among)
	c := &classifier{a: a, l: w.latent(), hue: a.theme.method(p.order(w.method)), eyed: -1}
	v := newForming(a, p, w)
	if v == nil || v.is.latent == nil {
		c.m = &moment{values: c.l.Values, mean: c.l.Mean, at: c.l.At, logW: w.seen.logW}
		c.there, c.reach, c.last = len(c.l.Label), w.seen.reach, -1
		if n := c.l.GW * c.l.GH; n > 0 {
			c.m.rows = len(c.l.Values) / n
		}
		line := layer{}
		line = status(a, w, rect{pad, 4*a.u + down, a.w - 2*pad, 20 * a.u}, max(c.m.rows, 1), 0)
		c.box = rect{pad + 8*a.u, 36*a.u + down, a.w - 2*pad - 48*a.u, a.h - 72*a.u - down}
		return append(c.draw(), line, top)
	}
	v.gutters()
	v.stateLine(&top, down)
	c.m, c.there, c.reach = v.m, min(v.m.stage, len(c.l.Label)), v.is.reach
	c.last = c.there - 1
	if v.following() {
		c.eyed = v.eyed()
	}
	c.on = func(b rect, row int) { a.on(b, action{do: v.follow(row)}) }
	y := 32*a.u + down
	c.box = rect{v.x.p0, y, v.x.p1 - v.x.p0, math.Round(0.5*a.h - y)}
	if c.l.D == 0 {
		c.box.x, c.box.w = pad, a.w-2*pad
	} else {
		top.label(a.say("Function"), v.pad, y+10*a.u, strong, a.theme.Ink, left)
		if s := a.say("probability of 1"); !a.compact() && a.fonts.width(s, tick) < v.x.p0-v.pad-8*a.u {
			top.label(s, v.pad, y+25*a.u, tick, a.theme.Ink3, left)
		}
	}
	below := 36 * a.u
	if c.l.D == 0 {
		below = 18 * a.u
		if !a.compact() {
			below = 24 * a.u
		}
	}
	return append(append(c.draw(), v.charts(c.box.y+c.box.h+below)...), top)
}

// latent is the newest view of functions of a wall, nil if there is none.
func (w *wall) latent() *frame.Latent {
	if is := w.island(); is != nil && is.latent != nil {
		return is.latent
	}
	return w.seen.latent
}

func (c *classifier) draw() []layer {
	switch {
	case c.l.D == 0:
		return c.album()
	case c.l.D == 2:
		return c.plane()
	}
	return c.lines()
}

// probit is the value whose normal probability is p.
func probit(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// fits is the probability of a datum's own label, NaN where it is not known.
func (c *classifier) fits(i int) float64 {
	if i >= len(c.m.at) {
		return math.NaN()
	}
	if c.l.Label[i] < 0 {
		return 1 - float64(c.m.at[i])
	}
	return float64(c.m.at[i])
}

// misfit tells whether a datum's label is the less probable one.
func (c *classifier) misfit(i int) bool { return c.fits(i) < 0.5 }

// hueOf is the colour of a label.
func (c *classifier) hueOf(label int32) color.RGBA {
	if label < 0 {
		return c.a.theme.Methods[1]
	}
	return c.a.theme.Methods[0]
}

// datum draws a mark of a label: a disc or a square, hollow if it does not fit.
func (c *classifier) datum(l *layer, i int, at point, r float64) {
	k := disc
	if c.l.Label[i] < 0 {
		k = square
	}
	m := mark{kind: k, at: at, r: r, color: c.hueOf(c.l.Label[i]), halo: true}
	if c.misfit(i) {
		m.hollow = max(1.5*c.a.u, 0.36*r)
	}
	l.add(m)
	if c.a.asks(rect{at.x - 10*c.a.u, at.y - 10*c.a.u, 20 * c.a.u, 20 * c.a.u}) {
		c.a.probe.offer(c.a.probe.near(at), 10*c.a.u, at, r, rect{}, func() string { return c.read(i) })
	}
}

// read says what is known of a datum.
func (c *classifier) read(i int) string {
	text := c.a.say("Datum") + " " + strconv.Itoa(i+1) + "\n" + c.a.say("label") + " " +
		format.Grouped(float64(c.l.Label[i]), 0)
	if p := c.fits(i); p == p {
		text += "\n" + c.a.say("its probability") + " " + format.Fixed(p, 2)
	}
	return text
}

// lines draws functions of one variable. The axis is linear in the latent value and
// labelled by its probability, so that lines keep their shape; the mean probability
// is the thick line.
func (c *classifier) lines() []layer {
	a, u, t, f := c.a, c.a.u, c.a.theme, c.l
	rail := 9 * u
	b := rect{c.box.x, c.box.y + rail, c.box.w, c.box.h - 2*rail}
	reach := min(max(c.reach, 2.5), 6)
	c.x, c.y = axis{float64(f.X0), float64(f.X1), b.x, b.x + b.w}, axis{-reach, reach, b.y + b.h, b.y}
	if !(f.X1 > f.X0) || f.GW < 2 || b.h < 30*u {
		return nil
	}
	var back layer
	last := math.Inf(1)
	for _, p := range [...]float64{0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999} {
		y := c.y.at(probit(p))
		if y < b.y+7*u || y > b.y+b.h-9*u || last-y < 13*u {
			continue
		}
		last = y
		back.hline(a, b.x, b.x+b.w, y, t.Line)
		st, ink := tick, t.Ink3
		if p == 0.5 {
			st, ink = mark11, t.Ink
		}
		back.label(strconv.FormatFloat(p, 'g', 3, 64), b.x+b.w+7*u, y+4*u, st, ink, left)
	}
	at, step := format.Ticks(c.x.d0, c.x.d1, 7)
	foot := c.box.y + c.box.h
	for _, x := range at {
		back.vline(a, c.x.at(x), foot, foot+4*u, t.Line2)
		back.label(format.Tick(x, step), c.x.at(x), foot+16*u, tick, t.Ink3, centre)
	}
	back.hline(a, b.x, b.x+b.w, foot, t.Line2)

	front := layer{clip: b}
	xs := func(k int) float64 { return b.x + b.w*float64(k)/float64(f.GW-1) }
	rel := c.m.weights()
	lines := mark{kind: vines, slot: f.GW}
	rows := 0
	if len(c.m.values) > 0 {
		rows = min(c.m.rows, len(c.m.values)/f.GW)
	}
	lines.pts, lines.colors = a.points(rows*f.GW), a.colors(rows)
	// The more there are, the fainter; heavy ones darker.
	base := min(0.5, 5/math.Sqrt(float64(max(rows, 1)))/8+0.06)
	for r := range rows {
		share := base
		if r < len(rel) {
			share = base * (0.35 + 1.3*math.Sqrt(rel[r]))
		}
		for k := range f.GW {
			lines.pts = append(lines.pts, point{xs(k), c.latent(c.m.values[r*f.GW+k])})
		}
		lines.radii = append(lines.radii, 1.1*u*t.Stroke)
		lines.colors = append(lines.colors, fade(t.Ink2, min(share*1.5, 1)))
	}
	front.add(lines)
	curve := func(v []float32, to func(float32) float64) (pts []point) {
		for k, x := range v {
			pts = append(pts, point{xs(k), to(x)})
		}
		return pts
	}
	if c.eyed >= 0 && c.eyed < rows {
		front.add(mark{kind: stroke, pts: curve(c.m.values[c.eyed*f.GW:(c.eyed+1)*f.GW], c.latent),
			width: 1.75 * u * t.Stroke, color: t.Ink, halo: true})
	}
	if len(c.m.mean) == f.GW {
		front.add(mark{kind: stroke, width: 2.5 * u * t.Stroke, color: c.hue, halo: true,
			pts: curve(c.m.mean, func(p float32) float64 {
				if p != p {
					p = 0.5
				}
				return c.y.at(min(max(probit(min(max(float64(p), 1e-9), 1-1e-9)), -reach), reach))
			})})
	}
	c.pickLine(rows)

	// Data: label 1 on the upper rail, -1 on the lower one.
	var data layer
	upper, lower := c.box.y+rail/2-u, foot-rail/2
	for _, k := range [...]int{1, -1} {
		y := upper
		if k < 0 {
			y = lower - 2*u
		}
		if s := a.say("label") + " " + format.Grouped(float64(k), 0); b.x+b.w+9*u+a.fonts.width(s, tick) < a.w {
			back.label(s, b.x+b.w+7*u, y+4*u, tick, t.Ink3, left)
		}
	}
	rails := func(i int) point {
		if f.Label[i] < 0 {
			return point{c.x.at(float64(f.X[i])), lower}
		}
		return point{c.x.at(float64(f.X[i])), upper}
	}
	for i := c.there; i < len(f.Label); i++ {
		if q := rails(i); finite(q.x) {
			data.add(mark{kind: disc, at: q, r: 1.6 * u, color: t.Absent})
		}
	}
	for i := range c.there {
		q := rails(i)
		if !finite(q.x) {
			continue
		}
		if i == c.last {
			far := b.y
			if f.Label[i] < 0 {
				far += b.h
			}
			c.newest(&data, q, far)
		}
		c.datum(&data, i, q, 3.6*u)
	}
	return []layer{back, front, data}
}

// latent is where a latent value lies, on the canvas even if it is far off.
func (c *classifier) latent(v float32) float64 {
	x := float64(v)
	if x != x {
		x = 0
	}
	return c.y.at(min(max(x, 2*c.y.d0), 2*c.y.d1))
}

// newest marks the datum that came last: a ring, and a line to the functions.
func (c *classifier) newest(l *layer, at point, far float64) {
	u, t := c.a.u, c.a.theme
	mid := c.y.at(0)
	l.add(mark{kind: stroke, pts: []point{{at.x, far}, {at.x, mid}}, width: c.a.hair(),
		dash: [2]float64{2 * u, 3 * u}, color: t.Ink3},
		mark{kind: disc, at: at, r: 7 * u, color: t.Ink, hollow: 1.5 * u, halo: true})
}

// pickLine lets a tap follow the line nearest to it.
func (c *classifier) pickLine(rows int) {
	if c.on == nil || rows == 0 {
		return
	}
	f := c.l
	strips := 12
	for s := range strips {
		x := (float64(s) + 0.5) / float64(strips)
		k := int(x * float64(f.GW-1))
		for r := range rows {
			y := c.latent(c.m.values[r*f.GW+k])
			if y > c.box.y && y < c.box.y+c.box.h {
				w := c.box.w / float64(strips)
				c.on(rect{c.box.x + float64(s)*w, y - 3*c.a.u, w, 6 * c.a.u}, r)
			}
		}
	}
}
