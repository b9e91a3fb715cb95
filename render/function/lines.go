package function

import (
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// lines draws functions of one variable. The axis is linear in the latent value and labelled by its probability, so
// that lines keep their shape; the mean probability is the thick line.
func (c *classifier) lines() []paint.Layer {
	u, f := c.a.Unit, c.l
	margin := 9 * u
	b := paint.XYWH(c.box.X, c.box.Y+margin, c.box.W, c.box.H-2*margin)
	reach := min(max(c.reach, 2.5), 6)
	c.x, c.y = paint.NewAxis(float64(f.X0), float64(f.X1), b.X, b.X+b.W), paint.NewAxis(-reach, reach, b.Y+b.H, b.Y)
	if !(f.X1 > f.X0) || f.GW < 2 || b.H < 30*u {
		return nil
	}
	back, front := c.scales(b), c.curves(b)
	data := c.drawData(&back, b, margin)
	return []paint.Layer{back, front, data}
}

// scales draws the probabilities at the right and the inputs below.
func (c *classifier) scales(b paint.Rect) paint.Layer {
	a, u, t := c.a, c.a.Unit, c.a.Theme
	var back paint.Layer
	last := math.Inf(1)
	for _, p := range [...]float64{0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999} {
		y := c.y.At(probit(p))
		if y < b.Y+7*u || y > b.Y+b.H-9*u || last-y < 13*u {
			continue
		}
		last = y
		back.HLine(a, b.X, b.X+b.W, y, t.Line)
		st, ink := paint.Tick, t.Ink3
		if p == 0.5 {
			st, ink = paint.StrongTick, t.Ink
		}
		back.Label(strconv.FormatFloat(p, 'g', 3, 64), b.X+b.W+7*u, y+4*u, st, ink, paint.Left)
	}
	at, step := format.Ticks(c.x.D0, c.x.D1, 7)
	foot := c.box.Y + c.box.H
	for _, x := range at {
		back.VLine(a, c.x.At(x), foot, foot+4*u, t.Line2)
		back.Label(format.Tick(x, step), c.x.At(x), foot+16*u, paint.Tick, t.Ink3, paint.Centre)
	}
	back.HLine(a, b.X, b.X+b.W, foot, t.Line2)
	return back
}

// curves draws the functions in b, the highlighted one and the mean.
func (c *classifier) curves(b paint.Rect) paint.Layer {
	a, u, t, f := c.a, c.a.Unit, c.a.Theme, c.l
	front := paint.Layer{Clip: b}
	xs := func(k int) float64 { return b.X + b.W*float64(k)/float64(f.GW-1) }
	rel := c.m.Weights()
	lines := paint.Mark{Kind: paint.Polylines, Slot: f.GW}
	rows := 0
	if len(c.m.Values) > 0 {
		rows = min(c.m.Rows, len(c.m.Values)/f.GW)
	}
	lines.Pts, lines.Colors = a.Points(rows*f.GW), a.Colors(rows)

	// The more functions, the fainter; heavy ones are darker.
	base := min(0.5, 5/math.Sqrt(float64(max(rows, 1)))/8+0.06)
	for r := range rows {
		share := base
		if r < len(rel) {
			share = base * (0.35 + 1.3*math.Sqrt(rel[r]))
		}
		for k := range f.GW {
			lines.Pts = append(lines.Pts, paint.Pt(xs(k), c.latent(c.m.Values[r*f.GW+k])))
		}
		lines.Radii = append(lines.Radii, 1.1*u*t.Stroke)
		lines.Colors = append(lines.Colors, paint.Fade(t.Ink2, min(share*1.5, 1)))
	}
	front.Add(lines)

	// The highlighted function, and the mean.
	curve := func(v []float32, to func(float32) float64) (pts []paint.Point) {
		for k, x := range v {
			pts = append(pts, paint.Pt(xs(k), to(x)))
		}
		return pts
	}
	if c.highlighted >= 0 && c.highlighted < rows {
		front.Add(paint.Mark{Kind: paint.Stroke, Pts: curve(c.m.Values[c.highlighted*f.GW:(c.highlighted+1)*f.GW], c.latent),
			Width: 1.75 * u * t.Stroke, Color: t.Ink, Halo: true})
	}
	if len(c.m.Mean) == f.GW {
		front.Add(paint.Mark{Kind: paint.Stroke, Width: 2.5 * u * t.Stroke, Color: c.hue, Halo: true,
			Pts: curve(c.m.Mean, func(p float32) float64 {
				if !num.NotNaN(float64(p)) {
					p = 0.5
				}
				return c.y.At(min(max(probit(min(max(float64(p), 1e-9), 1-1e-9)), c.y.D0), c.y.D1))
			})})
	}
	c.pickLine(rows)
	return front
}

// drawData draws the data, label 1 above the curves in b, -1 below them, and the names of the labels at the right.
func (c *classifier) drawData(back *paint.Layer, b paint.Rect, margin float64) paint.Layer {
	a, u, t, f := c.a, c.a.Unit, c.a.Theme, c.l
	foot := c.box.Y + c.box.H
	var data paint.Layer
	upper, lower := c.box.Y+margin/2-u, foot-margin/2
	for _, k := range [...]int{1, -1} {
		y := upper
		if k < 0 {
			y = lower - 2*u
		}
		if s := a.Say("label") + " " + format.Grouped(float64(k), 0); b.X+b.W+9*u+a.Fonts.Width(s, paint.Tick) < a.W {
			back.Label(s, b.X+b.W+7*u, y+4*u, paint.Tick, t.Ink3, paint.Left)
		}
	}

	// Data not assimilated yet are faint, others have marks.
	place := func(i int) paint.Point {
		if f.Label[i] < 0 {
			return paint.Pt(c.x.At(float64(f.X[i])), lower)
		}
		return paint.Pt(c.x.At(float64(f.X[i])), upper)
	}
	for i := c.assimilated; i < len(f.Label); i++ {
		if q := place(i); num.Finite(q.X) {
			data.Add(paint.Mark{Kind: paint.Disc, At: q, R: 1.6 * u, Color: t.Absent})
		}
	}
	for i := range c.assimilated {
		q := place(i)
		if !num.Finite(q.X) {
			continue
		}
		if i == c.last {
			far := b.Y
			if f.Label[i] < 0 {
				far += b.H
			}
			c.newest(&data, q, far)
		}
		c.datum(&data, i, q, 3.6*u)
	}
	return data
}

// latent returns the y coordinate of a latent value, limited to near the canvas.
func (c *classifier) latent(v float32) float64 {
	x := float64(v)
	if !num.NotNaN(x) {
		x = 0
	}
	return c.y.At(min(max(x, 2*c.y.D0), 2*c.y.D1))
}

// newest marks the newest datum: a ring, and a line to the functions.
func (c *classifier) newest(l *paint.Layer, at paint.Point, far float64) {
	u, t := c.a.Unit, c.a.Theme
	mid := c.y.At(0)
	l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: at.X, Y: far}, {X: at.X, Y: mid}}, Width: c.a.Hairline(),
		Dash: [2]float64{2 * u, 3 * u}, Color: t.Ink3},
		paint.Mark{Kind: paint.Disc, At: at, R: 7 * u, Color: t.Ink, Hollow: 1.5 * u, Halo: true})
}

// pickLine lets a tap select the line nearest to it.
func (c *classifier) pickLine(rows int) {
	if c.onTap == nil || rows == 0 {
		return
	}
	f := c.l
	strips := 12
	for s := range strips {
		x := (float64(s) + 0.5) / float64(strips)
		k := int(x * float64(f.GW-1))
		for r := range rows {
			y := c.latent(c.m.Values[r*f.GW+k])
			if y > c.box.Y && y < c.box.Y+c.box.H {
				w := c.box.W / float64(strips)
				c.onTap(paint.XYWH(c.box.X+float64(s)*w, y-3*c.a.Unit, w, 6*c.a.Unit), r)
			}
		}
	}
}
