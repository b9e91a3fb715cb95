package render

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
)

// plane draws the probability of label 1 over two variables, its even odds as a
// line, and the data.
func (c *classifier) plane() []layer {
	a, u, t, f := c.a, c.a.u, c.a.theme, c.l
	b := c.box
	if !(f.X1 > f.X0) || !(f.Y1 > f.Y0) || b.h < 40*u || b.w < 60*u {
		return nil
	}
	// One scale for both variables, as far as there is room.
	aspect := min(max(float64(f.X1-f.X0)/float64(f.Y1-f.Y0), 0.7), 2)
	key := 150 * u
	if a.compact() {
		key = 0
	}
	b.w = math.Round(min(b.w-key, b.h*aspect))
	c.x, c.y = axis{float64(f.X0), float64(f.X1), b.x, b.x + b.w}, axis{float64(f.Y0), float64(f.Y1), b.y + b.h, b.y}

	back := layer{}
	front := layer{clip: b}
	if n := f.GW * f.GH; f.GW > 1 && f.GH > 1 && len(c.m.mean) == n {
		field := mark{kind: mosaic, cw: f.GW, pts: a.points(n), colors: a.colors(n)}
		at := func(k int) point {
			return point{b.x + b.w*float64(k%f.GW)/float64(f.GW-1), b.y + b.h*(1-float64(k/f.GW)/float64(f.GH-1))}
		}
		for k := range n {
			field.pts = append(field.pts, at(k))
			field.colors = append(field.colors, c.shade(float64(c.m.mean[k])))
		}
		front.add(field)
		for _, level := range [...]float64{0.1, 0.9, 0.5} {
			width, ink := a.hair(), mix(t.Ground, t.Ink3, 0.6)
			if level == 0.5 {
				width, ink = 2*u*t.Stroke, t.Ink
			}
			line := mark{kind: threads, width: width}
			for _, q := range contour(c.m.mean, f.GW, float32(level), at) {
				line.pts = append(line.pts, q)
				if len(line.pts)%2 == 0 {
					line.colors = append(line.colors, ink)
				}
			}
			front.add(line)
		}
	}
	xt, xs := format.Ticks(c.x.d0, c.x.d1, 5)
	for _, x := range xt {
		back.vline(a, c.x.at(x), b.y+b.h, b.y+b.h+4*u, t.Line2)
		back.label(format.Tick(x, xs), c.x.at(x), b.y+b.h+16*u, tick, t.Ink3, centre)
	}
	yt, ys := format.Ticks(c.y.d0, c.y.d1, 5)
	for _, y := range yt {
		back.hline(a, b.x+b.w, b.x+b.w+4*u, c.y.at(y), t.Line2)
		back.label(format.Tick(y, ys), b.x+b.w+7*u, c.y.at(y)+4*u, tick, t.Ink3, left)
	}
	back.hline(a, b.x, b.x+b.w, b.y+b.h, t.Line2)
	var data layer
	for i := range f.Label {
		at := point{c.x.at(float64(f.X[2*i])), c.y.at(float64(f.X[2*i+1]))}
		switch {
		case !num.Finite(at.x + at.y):
		case i >= c.there:
			data.add(mark{kind: disc, at: at, r: 1.6 * u, color: t.Line2})
		default:
			if i == c.last {
				data.add(mark{kind: disc, at: at, r: 8 * u, color: t.Ink, hollow: 1.5 * u, halo: true})
			}
			c.datum(&data, i, at, 3.8*u)
		}
	}
	if key > 0 {
		c.key(&back, b.x+b.w+52*u, b.y)
	}
	return []layer{back, front, data}
}

// shade is the colour of a probability: towards the colour of the likelier label,
// the surer the stronger, and the ground at even odds.
func (c *classifier) shade(p float64) color.RGBA {
	if !num.Known(p) {
		return c.a.theme.Absent
	}
	d := min(math.Abs(2*p-1), 1)
	if p < 0.5 {
		return mix(c.a.theme.Ground, c.hueOf(-1), 0.42*d)
	}
	return mix(c.a.theme.Ground, c.hueOf(1), 0.42*d)
}

// key says what the marks are and how many of them fit.
func (c *classifier) key(l *layer, x, y float64) {
	a, u, t := c.a, c.a.u, c.a.theme
	row := y + 10*u
	for _, label := range [...]int32{1, -1} {
		_, bad, of := c.of(label)
		k := disc
		if label < 0 {
			k = square
		}
		l.add(mark{kind: k, at: point{x + 4*u, row - 4*u}, r: 4 * u, color: c.hueOf(label)})
		l.label(a.say("label")+" "+format.Grouped(float64(label), 0), x+15*u, row, strong, t.Ink, left)
		s := format.Grouped(float64(len(of)), 0) + " " + a.say("data")
		l.label(s, x+15*u, row+15*u, tick, t.Ink3, left)
		l.label(format.Grouped(float64(bad), 0)+" "+a.say("misfits"), x+15*u, row+29*u, tick, t.Ink3, left)
		row += 54 * u
	}
	// The scale of the field, as cells.
	high := math.Round(5 * u)
	for k := range 11 {
		l.add(mark{kind: fill, box: rect{x, math.Round(row) + float64(k)*high, math.Round(12 * u), high},
			color: c.shade(1 - float64(k)/10)})
	}
	for k, s := range [...]string{"1", "0.5", "0"} {
		l.label(s, x+18*u, math.Round(row)+(float64(5*k)+0.5)*high+4*u, tick, t.Ink3, left)
	}
}

// contour are the segments of a level of a field on a grid of w columns: each
// square is cut into two triangles.
func contour(v []float32, w int, level float32, at func(int) point) (out []point) {
	cut := func(i, j int) (point, bool) {
		if (v[i] < level) == (v[j] < level) {
			return point{}, false
		}
		p, q, f := at(i), at(j), float64((level-v[i])/(v[j]-v[i]))
		return point{p.x + (q.x-p.x)*f, p.y + (q.y-p.y)*f}, num.Finite(f)
	}
	for i := 0; i+w < len(v); i++ {
		if i%w == w-1 {
			continue
		}
		for _, tri := range [...][3]int{{i, i + 1, i + w + 1}, {i, i + w + 1, i + w}} {
			var ends []point
			for k := range 3 {
				if q, ok := cut(tri[k], tri[(k+1)%3]); ok {
					ends = append(ends, q)
				}
			}
			if len(ends) == 2 && ends[0] != ends[1] {
				out = append(out, ends...)
			}
		}
	}
	return out
}
