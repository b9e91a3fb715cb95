// Package function is the scene of random functions, which are the particles of Gaussian process classification: a
// line for each in one dimension, a field of probabilities in two, or pictures sorted by how well they fit.
package function

import (
	"image/color"
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/formation"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("function", func(r *record.Run) scene.Scene { return &function{Base: scene.Base{Run: r}} })

// classifier is one layout of random functions and their data.
type classifier struct {
	a           *paint.Area
	l           *frame.Latent
	m           *record.Moment // values, mean, probabilities and log weights
	assimilated int            // number of data assimilated so far
	last        int            // the newest of them, -1: all at once
	reach       float64
	hue         color.RGBA                  // of the mean
	highlighted int                         // highlighted row, -1: none
	onTap       func(b paint.Rect, row int) // registers the tap action of a row
	box         paint.Rect
	x, y        paint.Axis
}

// function draws random functions: in one dimension a line for each particle on a probability scale, in two the
// probability as a field, of pictures the pictures sorted by how well they fit; below them the strips of package
// formation.
type function struct {
	scene.Base
}

// Draw implements Scene.
func (s *function) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	w, among := p.Pick(func(w *record.Particles) bool { return w.Latent() != nil })
	if w == nil || a.W < 200*a.Unit || a.H < 140*a.Unit {
		return []paint.Layer{paint.Note(a, "No functions yet")}
	}
	var top paint.Layer
	pad := 24 * a.Unit
	if a.Compact() {
		pad = 16 * a.Unit
	}
	down := record.Header(a, p, &top, pad, w, among)
	a.OnBackground(p.Unmark)

	// Without stages: only the functions.
	c := &classifier{a: a, l: w.Latent(), hue: a.Theme.Method(p.MethodIndex(w.Method)), highlighted: -1}
	v := formation.NewStageView(a, p, w)
	if v == nil || v.Island.Latent == nil {
		c.m = &record.Moment{Values: c.l.Values, Mean: c.l.Mean, At: c.l.ProbAtData, LogW: w.LatentView.LogW}
		c.assimilated, c.reach, c.last = len(c.l.Label), w.LatentView.HalfRange, -1
		if n := c.l.GW * c.l.GH; n > 0 {
			c.m.Rows = len(c.l.Values) / n
		}
		line := paint.Layer{}
		line = record.Status(a, w, paint.XYWH(pad, 4*a.Unit+down, a.W-2*pad, 20*a.Unit), max(c.m.Rows, 1), 0)
		c.box = paint.XYWH(pad+8*a.Unit, 36*a.Unit+down, a.W-2*pad-48*a.Unit, a.H-72*a.Unit-down)
		return append(c.draw(), line, top)
	}

	// With stages: the functions above, the strips of the stages below.
	v.Gutters()
	v.StateLine(&top, down)
	c.m, c.assimilated, c.reach = v.Moment, min(v.Moment.Stage, len(c.l.Label)), v.Island.HalfRange
	c.last = c.assimilated - 1
	if v.Following() {
		c.highlighted = v.HighlightedRow()
	}

	c.onTap = func(b paint.Rect, row int) { a.OnTap(b, paint.Action{Do: v.Follow(row)}) }
	y := 32*a.Unit + down
	c.box = paint.XYWH(v.X.P0, y, v.X.P1-v.X.P0, math.Round(0.5*a.H-y))
	if c.notDrawable() { // the strips use its space
		c.box.H = 60 * a.Unit
	}

	if c.l.D == 0 {
		c.box.X, c.box.W = pad, a.W-2*pad
	} else {
		top.Label(a.Say("Function"), v.Pad, y+10*a.Unit, paint.Strong, a.Theme.Ink, paint.Left)
		if s := a.Say("probability of 1"); !a.Compact() && a.Fonts.Width(s, paint.Tick) < v.X.P0-v.Pad-8*a.Unit {
			top.Label(s, v.Pad, y+25*a.Unit, paint.Tick, a.Theme.Ink3, paint.Left)
		}
	}
	below := 36 * a.Unit
	if c.l.D == 0 {
		below = 18 * a.Unit
		if !a.Compact() {
			below = 24 * a.Unit
		}
	}
	return append(append(c.draw(), v.Charts(c.box.Y+c.box.H+below)...), top)
}

// Key implements Scene.
func (s *function) Key(name string) bool { return s.Run.HandleStageKey(name) }

// Describe implements Scene.
func (s *function) Describe(a *paint.Area) string { return record.DescribeStage(a, s.Run) }

// IsAnimating implements Scene.
func (s *function) IsAnimating(still bool) bool { return s.Run.StageIsAnimating(still) }

// notDrawable reports whether functions cannot be drawn because they have no inputs, or too many.
func (c *classifier) notDrawable() bool { return c.l.D == 0 && c.l.W*c.l.H == 0 }

// draw draws the functions in c.box.
func (c *classifier) draw() []paint.Layer {
	switch {
	case c.notDrawable():
		var l paint.Layer
		x, y := c.box.X+c.box.W/2, c.box.Y+c.box.H/2
		l.Label(c.a.Say("These functions cannot be drawn"), x, y, paint.Strong, c.a.Theme.Ink2, paint.Centre)
		l.Label(c.a.Say("Only functions of one or two inputs can be"), x, y+18*c.a.Unit, paint.Plain, c.a.Theme.Ink3,
			paint.Centre)
		return []paint.Layer{l}
	case c.l.D == 0:
		return c.sortedPictures()
	case c.l.D == 2:
		return c.plane()
	}
	return c.lines()
}

// probit returns the normal quantile of p.
func probit(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// fits returns the probability of the label of a datum, NaN if unknown.
func (c *classifier) fits(i int) float64 {
	if i >= len(c.m.At) {
		return math.NaN()
	}
	if c.l.Label[i] < 0 {
		return 1 - float64(c.m.At[i])
	}
	return float64(c.m.At[i])
}

// misfit reports whether the label of a datum has a probability below 1/2.
func (c *classifier) misfit(i int) bool { return c.fits(i) < 0.5 }

// labelColor returns the colour of a label.
func (c *classifier) labelColor(label int32) color.RGBA {
	if label < 0 {
		return c.a.Theme.Methods[1]
	}
	return c.a.Theme.Methods[0]
}

// datum draws a mark of a label: a disc or a square, hollow for a misfit.
func (c *classifier) datum(l *paint.Layer, i int, at paint.Point, r float64) {
	k := paint.Disc
	if c.l.Label[i] < 0 {
		k = paint.Square
	}
	m := paint.Mark{Kind: k, At: at, R: r, Color: c.labelColor(c.l.Label[i]), Halo: true}
	if c.misfit(i) {
		m.Hollow = max(1.5*c.a.Unit, 0.36*r)
	}
	l.Add(m)
	if c.a.Pointed(paint.XYWH(at.X-10*c.a.Unit, at.Y-10*c.a.Unit, 20*c.a.Unit, 20*c.a.Unit)) {
		c.a.Pointer.Offer(c.a.Pointer.Distance(at), 10*c.a.Unit, at, r, paint.Rect{}, func() string { return c.describe(i) })
	}
}

// describe returns the tooltip of a datum.
func (c *classifier) describe(i int) string {
	text := c.a.Say("Datum") + " " + strconv.Itoa(i+1) + "\n" + c.a.Say("label") + " " +
		format.Grouped(float64(c.l.Label[i]), 0)
	if p := c.fits(i); num.NotNaN(p) {
		text += "\n" + c.a.Say("its probability") + " " + format.Fixed(p, 2)
	}
	return text
}
