package plane

import (
	"math"

	"logzlab/render/paint"
)

// marginals draws histograms of the weights along the upper and right edge, and the exact marginal densities as lines.
func (v *planeView) marginals(l *paint.Layer) {
	a, t, u, b := v.a, v.a.Theme, v.a.Unit, v.Box
	n := 0
	for i := range v.relativeWeight {
		if v.relativeWeight[i] > 0 {
			n++
		}
	}
	if n == 0 {
		return
	}
	cols := int(min(max(2.2*math.Sqrt(float64(n)), 12), b.W/(8*u)))
	rows := max(int(float64(cols)*b.H/b.W), 6)
	hx, hy := v.histograms(cols, rows)
	ex, ey := v.exactMarginals(cols, rows)

	height := func(bars []float64, line []paint.Point, room float64) float64 {
		// A high bar must not flatten the line: bars above twice its peak are cut.
		top, peak := 0.0, 0.0
		for _, x := range bars {
			top = max(top, x)
		}
		for _, q := range line {
			peak = max(peak, q.Y)
		}
		if peak > 0 {
			top = max(peak, min(top, 2*peak))
		}
		return room / max(top, 1e-12)
	}

	// Above the plane: histogram and exact marginal.
	c := paint.Fade(v.DotColour(v.Beta), 0.32)
	if t.Dark {
		c = paint.Fade(v.DotColour(v.Beta), 0.45)
	}
	room := v.top - 14*u
	if v.hasHeader {
		room -= 22 * u
	}
	if v.noTopMarginal {
		hx, ex, room = nil, nil, 0
	}
	k := height(hx, ex, room)
	edge := func(i, n int, from, length float64) (float64, float64) {
		x0, x1 := math.Round(from+length*float64(i)/float64(n)), math.Round(from+length*float64(i+1)/float64(n))
		return x0, max(x1-x0-a.Hairline(), 1)
	}
	for i, x := range hx {
		x0, w := edge(i, cols, b.X, b.W)
		h := min(x*k, room)
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.XYWH(x0, math.Round(b.Y-4*u-h), w, math.Round(h)), Color: c})
	}
	line := func(pts []paint.Point) {
		if len(pts) > 1 {
			l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 1.25 * u * t.Stroke, Color: t.Ink})
		}
	}
	pts := a.Points(len(ex))
	for _, q := range ex {
		pts = append(pts, paint.Pt(q.X, b.Y-4*u-q.Y*k))
	}
	line(pts)

	// The same at the right.
	room = v.side - 28*u
	if a.Compact() {
		room = v.side - 16*u
	}
	k = height(hy, ey, room)
	for i, x := range hy {
		y0, h := edge(rows-1-i, rows, b.Y, b.H)
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.XYWH(b.X+b.W+4*u, y0, math.Round(min(x*k, room)), h), Color: c})
	}
	pts = a.Points(len(ey))
	for _, q := range ey {
		pts = append(pts, paint.Pt(b.X+b.W+4*u+q.Y*k, q.X))
	}
	line(pts)
}

// histograms returns the weights in bins of the two axes.
func (v *planeView) histograms(cols, rows int) (hx, hy []float64) {
	hx, hy = make([]float64, cols), make([]float64, rows)
	for i := range v.w.Slots {
		if v.weightShare[i] == 0 {
			continue
		}
		q := v.w.Slots[i].At
		if k := int(math.Floor((q.X - v.Sx.D0) / (v.Sx.D1 - v.Sx.D0) * float64(cols))); k >= 0 && k < cols {
			hx[k] += v.weightShare[i]
		}
		if k := int(math.Floor((q.Y - v.Sy.D0) / (v.Sy.D1 - v.Sy.D0) * float64(rows))); k >= 0 && k < rows {
			hy[k] += v.weightShare[i]
		}
	}
	return hx, hy
}

// exactMarginals returns the exact mass per bin along the two axes, nil if the density is unknown.
func (v *planeView) exactMarginals(cols, rows int) (ex, ey []paint.Point) {
	if v.d == nil {
		return nil, nil
	}
	s := v.exactSums()
	flip := make([]float64, len(s.y))
	for i := range flip {
		flip[i] = s.y[len(s.y)-1-i]
	}
	return perBin(s.x, float64(v.d.f.X0), float64(v.d.f.X1), v.Sx, cols),
		perBin(flip, float64(v.d.f.Y0), float64(v.d.f.Y1), v.Sy, rows)
}

// exactSums returns the sums of the density at the inverse temperatures of the particles.
func (v *planeView) exactSums() *sums {
	if v.hasSharedBeta || !v.hasBetas {
		return v.d.mixture(1, func(int) float64 { return v.Beta }, func(int) float64 { return 1 })
	}
	return v.d.mixture(len(v.w.Slots), func(i int) float64 { return v.w.Slots[i].Beta },
		func(i int) float64 { return v.weightShare[i] })
}

// perBin converts mass per cell on [lo, hi] to mass per bin, for n bins on an axis. X is a pixel.
func perBin(cells []float64, lo, hi float64, ax paint.Axis, n int) []paint.Point {
	cell := (hi - lo) / float64(len(cells))
	perBin := (ax.D1 - ax.D0) / float64(n) / cell
	var out []paint.Point
	for i, m := range cells {
		x := lo + (float64(i)+0.5)*cell
		if x >= ax.D0 && x <= ax.D1 {
			out = append(out, paint.Pt(ax.At(x), m*perBin))
		}
	}
	return out
}
