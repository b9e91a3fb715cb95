package function

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// plane draws the probability of label 1 over two variables, its contour at 1/2, and the data.
func (c *classifier) plane() []paint.Layer {
	a, u, t, f := c.a, c.a.Unit, c.a.Theme, c.l
	b := c.box
	if !(f.X1 > f.X0) || !(f.Y1 > f.Y0) || b.H < 40*u || b.W < 60*u {
		return nil
	}

	// One scale for both variables, as far as it fits.
	aspect := min(max(float64(f.X1-f.X0)/float64(f.Y1-f.Y0), 0.7), 2)
	key := 150 * u
	if a.Compact() {
		key = 0
	}
	b.W = math.Round(min(b.W-key, b.H*aspect))
	c.x, c.y = paint.NewAxis(float64(f.X0), float64(f.X1), b.X, b.X+b.W),
		paint.NewAxis(float64(f.Y0), float64(f.Y1), b.Y+b.H, b.Y)

	back := paint.Layer{}
	front := paint.Layer{Clip: b}
	if n := f.GW * f.GH; f.GW > 1 && f.GH > 1 && len(c.m.Mean) == n {
		field := paint.Mark{Kind: paint.Mosaic, Cols: f.GW, Pts: a.Points(n), Colors: a.Colors(n)}
		at := func(k int) paint.Point {
			return paint.Pt(b.X+b.W*float64(k%f.GW)/float64(f.GW-1), b.Y+b.H*(1-float64(k/f.GW)/float64(f.GH-1)))
		}
		for k := range n {
			field.Pts = append(field.Pts, at(k))
			field.Colors = append(field.Colors, c.shade(float64(c.m.Mean[k])))
		}
		front.Add(field)
		for _, level := range [...]float64{0.1, 0.9, 0.5} {
			width, ink := a.Hairline(), paint.Mix(t.Ground, t.Ink3, 0.6)
			if level == 0.5 {
				width, ink = 2*u*t.Stroke, t.Ink
			}
			line := paint.Mark{Kind: paint.Segments, Width: width}
			for _, q := range contour(c.m.Mean, f.GW, float32(level), at) {
				line.Pts = append(line.Pts, q)
				if len(line.Pts)%2 == 0 {
					line.Colors = append(line.Colors, ink)
				}
			}
			front.Add(line)
		}
	}
	xt, xs := format.Ticks(c.x.D0, c.x.D1, 5)
	for _, x := range xt {
		back.VLine(a, c.x.At(x), b.Y+b.H, b.Y+b.H+4*u, t.Line2)
		back.Label(format.Tick(x, xs), c.x.At(x), b.Y+b.H+16*u, paint.Tick, t.Ink3, paint.Centre)
	}
	yt, ys := format.Ticks(c.y.D0, c.y.D1, 5)
	for _, y := range yt {
		back.HLine(a, b.X+b.W, b.X+b.W+4*u, c.y.At(y), t.Line2)
		back.Label(format.Tick(y, ys), b.X+b.W+7*u, c.y.At(y)+4*u, paint.Tick, t.Ink3, paint.Left)
	}
	back.HLine(a, b.X, b.X+b.W, b.Y+b.H, t.Line2)
	var data paint.Layer
	for i := range f.Label {
		at := paint.Pt(c.x.At(float64(f.X[2*i])), c.y.At(float64(f.X[2*i+1])))
		switch {
		case !num.Finite(at.X + at.Y):
		case i >= c.assimilated:
			data.Add(paint.Mark{Kind: paint.Disc, At: at, R: 1.6 * u, Color: t.Line2})
		default:
			if i == c.last {
				data.Add(paint.Mark{Kind: paint.Disc, At: at, R: 8 * u, Color: t.Ink, Hollow: 1.5 * u, Halo: true})
			}
			c.datum(&data, i, at, 3.8*u)
		}
	}
	if key > 0 {
		c.key(&back, b.X+b.W+52*u, b.Y)
	}
	return []paint.Layer{back, front, data}
}

// shade returns the colour of a probability: the ground at 1/2, and the colour of the likelier label for a certain
// one.
func (c *classifier) shade(p float64) color.RGBA {
	if !num.NotNaN(p) {
		return c.a.Theme.Absent
	}
	d := min(math.Abs(2*p-1), 1)
	if p < 0.5 {
		return paint.Mix(c.a.Theme.Ground, c.labelColor(-1), 0.42*d)
	}
	return paint.Mix(c.a.Theme.Ground, c.labelColor(1), 0.42*d)
}

// key draws the legend: marks, numbers of data, and numbers of misfits.
func (c *classifier) key(l *paint.Layer, x, y float64) {
	a, u, t := c.a, c.a.Unit, c.a.Theme
	row := y + 10*u
	for _, label := range [...]int32{1, -1} {
		_, bad, of := c.of(label)
		k := paint.Disc
		if label < 0 {
			k = paint.Square
		}
		l.Add(paint.Mark{Kind: k, At: paint.Pt(x+4*u, row-4*u), R: 4 * u, Color: c.labelColor(label)})
		l.Label(a.Say("label")+" "+format.Grouped(float64(label), 0), x+15*u, row, paint.Strong, t.Ink, paint.Left)
		s := format.Grouped(float64(len(of)), 0) + " " + a.Say("data")
		l.Label(s, x+15*u, row+15*u, paint.Tick, t.Ink3, paint.Left)
		l.Label(format.Grouped(float64(bad), 0)+" "+a.Say("misfits"), x+15*u, row+29*u, paint.Tick, t.Ink3, paint.Left)
		row += 54 * u
	}
	// The scale of the field, as cells.
	high := math.Round(5 * u)
	for k := range 11 {
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.XYWH(x, math.Round(row)+float64(k)*high, math.Round(12*u), high),
			Color: c.shade(1 - float64(k)/10)})
	}
	for k, s := range [...]string{"1", "0.5", "0"} {
		l.Label(s, x+18*u, math.Round(row)+(float64(5*k)+0.5)*high+4*u, paint.Tick, t.Ink3, paint.Left)
	}
}

// contour returns the segments of a contour line of a field on a grid of w columns. Each square is divided into two
// triangles.
func contour(v []float32, w int, level float32, at func(int) paint.Point) (out []paint.Point) {
	cut := func(i, j int) (paint.Point, bool) {
		if (v[i] < level) == (v[j] < level) {
			return paint.Point{}, false
		}
		p, q, f := at(i), at(j), float64((level-v[i])/(v[j]-v[i]))
		return paint.Pt(p.X+(q.X-p.X)*f, p.Y+(q.Y-p.Y)*f), num.Finite(f)
	}
	for i := 0; i+w < len(v); i++ {
		if i%w == w-1 {
			continue
		}
		for _, tri := range [...][3]int{{i, i + 1, i + w + 1}, {i, i + w + 1, i + w}} {
			var ends []paint.Point
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
