package render

import (
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
)

// lines draws functions of one variable. The axis is linear in the latent value and
// labelled by its probability, so that lines keep their shape; the mean probability
// is the thick line.
func (c *classifier) lines() []layer {
	u, f := c.a.u, c.l
	rail := 9 * u
	b := rect{c.box.x, c.box.y + rail, c.box.w, c.box.h - 2*rail}
	reach := min(max(c.reach, 2.5), 6)
	c.x, c.y = axis{float64(f.X0), float64(f.X1), b.x, b.x + b.w}, axis{-reach, reach, b.y + b.h, b.y}
	if !(f.X1 > f.X0) || f.GW < 2 || b.h < 30*u {
		return nil
	}
	back, front := c.scales(b), c.curves(b)
	data := c.rails(&back, b, rail)
	return []layer{back, front, data}
}

// scales draws the probabilities at the right and the inputs below.
func (c *classifier) scales(b rect) layer {
	a, u, t := c.a, c.a.u, c.a.theme
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
	return back
}

// curves draws the functions in b, the one that is followed and the mean.
func (c *classifier) curves(b rect) layer {
	a, u, t, f := c.a, c.a.u, c.a.theme, c.l
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
				if !num.Known(float64(p)) {
					p = 0.5
				}
				return c.y.at(min(max(probit(min(max(float64(p), 1e-9), 1-1e-9)), c.y.d0), c.y.d1))
			})})
	}
	c.pickLine(rows)
	return front
}

// rails draws the data, label 1 above the curves in b, -1 below them, and names the
// labels at the right of back.
func (c *classifier) rails(back *layer, b rect, rail float64) layer {
	a, u, t, f := c.a, c.a.u, c.a.theme, c.l
	foot := c.box.y + c.box.h
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
	place := func(i int) point {
		if f.Label[i] < 0 {
			return point{c.x.at(float64(f.X[i])), lower}
		}
		return point{c.x.at(float64(f.X[i])), upper}
	}
	for i := c.there; i < len(f.Label); i++ {
		if q := place(i); num.Finite(q.x) {
			data.add(mark{kind: disc, at: q, r: 1.6 * u, color: t.Absent})
		}
	}
	for i := range c.there {
		q := place(i)
		if !num.Finite(q.x) {
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
	return data
}

// latent is where a latent value lies, on the canvas even if it is far off.
func (c *classifier) latent(v float32) float64 {
	x := float64(v)
	if !num.Known(x) {
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
