package render

import (
	"image/color"
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

var _ = register(scene{name: "function", draw: function,
	moves: (*Picture).changing, key: (*Picture).leaf, tell: tellStage, miss: (*Picture).unmark})

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
	if c.unseen() { // the strips have its room
		c.box.h = 60 * a.u
	}
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

// unseen tells whether there is nothing to draw functions over: they have no inputs, or too many.
func (c *classifier) unseen() bool { return c.l.D == 0 && c.l.W*c.l.H == 0 }

func (c *classifier) draw() []layer {
	switch {
	case c.unseen():
		var l layer
		x, y := c.box.x+c.box.w/2, c.box.y+c.box.h/2
		l.label(c.a.say("These functions cannot be drawn"), x, y, strong, c.a.theme.Ink2, centre)
		l.label(c.a.say("Only functions of one or two inputs can be"), x, y+18*c.a.u, plain, c.a.theme.Ink3, centre)
		return []layer{l}
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
	if p := c.fits(i); num.Known(p) {
		text += "\n" + c.a.say("its probability") + " " + format.Fixed(p, 2)
	}
	return text
}
