package posterior

import (
	"math"
	"sort"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/chart"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// maxDots is the maximum number of particles that a panel draws.
const maxDots = 600

// jitter returns a y coordinate between y0 and y1 for a row, evenly distributed, and the same in all panels and
// frames.
func jitter(place int, y0, y1 float64) float64 {
	_, part := math.Modf(float64(place+1) * 0.6180339887498949)
	return y0 + (y1-y0)*part
}

// dotStrip draws the particles of a panel in a strip below its curves: heavy ones first, rows without offspring as they
// fall, and lines from parents to children.
func (v *posteriorView) dotStrip(l *paint.Layer, c *chart.Chart, k int) {
	a, u, w, t, b := v.a, v.a.Unit, v.w, v.a.Theme, c.Plot()
	every := 1 + (v.dots-1)/maxDots
	n := v.dots / every
	r0 := 3.1 * u
	if a.Compact() {
		r0 = 2.5 * u
	}
	r0 *= math.Sqrt(min(1, max(150/float64(max(n, 1)), 0.25)))
	floor, foot := c.At(c.X.Lo, 0).Y, b.Y+b.H
	y0, y1 := floor+min(4*u, r0), foot-min(4*u, r0)

	across := func(x float64) float64 { return c.At(x, 0).X }
	spot := func(i int) paint.Point {
		at := v.place[i]
		q := paint.Pt(across(v.rows[i].GlidingValue(k, w.Now, w.Still)), jitter(at, y0, y1))
		if f := v.rows[i].CopyProgress(w.Now, w.Still); f < 1 {
			from := jitter(v.rows[i].ParentSlot, y0, y1)
			q.Y = from + (q.Y-from)*f
		}
		return q
	}

	// Large dots first, so that small ones are on top.
	sum := 0.0
	order := make([]int, 0, n)
	for i := 0; i < v.dots; i += every {
		sum += v.share[i]
		if v.share[i] > 0 {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return v.share[order[i]] > v.share[order[j]] })
	ways := paint.Mark{Kind: paint.Segments, Width: u * t.Stroke}
	m := paint.Mark{Kind: paint.Dots, Pts: a.Points(len(order)), Radii: a.Numbers(len(order)),
		Colors: a.Colors(len(order)),
		Width:  0.75 * u * t.Stroke}
	for _, i := range order {
		s, q := &v.rows[i], spot(i)
		if !(q.X >= b.X && q.X <= b.X+b.W) {
			continue
		}
		r := max(r0*min(math.Sqrt(v.share[i]*float64(n)/max(sum, 1e-300)), 5), 0.5*u)
		hue := v.hue(s.Beta)
		m.Pts, m.Radii, m.Colors = append(m.Pts, q), append(m.Radii, r), append(m.Colors, hue)
		if f := s.CopyProgress(w.Now, w.Still); f < 1 && len(s.ValuesBefore) == len(s.Values) {
			ways.Pts = append(ways.Pts, paint.Pt(across(float64(s.ValuesBefore[k])), jitter(s.ParentSlot, y0, y1)), q)
			ways.Colors = append(ways.Colors, paint.Fade(hue, 0.6*(1-f)))
		}
		if a.Pointed(paint.XYWH(b.X, floor, b.W, foot-floor)) {
			a.Pointer.Offer(max(a.Pointer.Distance(q)-r, 0), 14*u, q, r, paint.Rect{}, func() string { return v.describeRow(i, k) })
		}
	}

	// Rows without offspring fall.
	gone := paint.Mark{Kind: paint.Dots}
	for i := range w.Dropped {
		d := &w.Dropped[i]
		if g := d.DropProgress(w.Now, w.Still); g < 1 && len(d.Values) == len(v.names) && !v.p.Scrubber.Active {
			gone.Pts = append(gone.Pts, paint.Pt(across(float64(d.Values[k])), jitter(d.Index, y0, y1)+24*u*g*g))
			gone.Radii, gone.Colors = append(gone.Radii, 2.5*u), append(gone.Colors, paint.Fade(t.Ink3, 1-g))
		}
	}
	for _, q := range [...]paint.Mark{gone, ways, m} {
		if len(q.Pts) > 0 {
			l.Add(q)
		}
	}
}

// describeRow returns the tooltip of a row.
func (v *posteriorView) describeRow(i, k int) string {
	s := &v.rows[i]
	text := v.a.Say("Particle") + " " + strconv.Itoa(v.place[i]+1)
	for j, name := range v.names {
		if len(v.names) <= 4 || j == k {
			text += "\n" + name + " = " + format.Grouped(float64(s.Values[j]), 2)
		}
	}
	if num.NotNaN(s.Beta) {
		text += "\n" + record.FormatBeta(s.Beta)
	}
	if num.NotNaN(s.LogW) {
		text += "\n" + v.a.Say("weight") + " " + format.Grouped(v.share[i]*float64(len(v.rows)), 2) + " " +
			v.a.Say("of the mean")
	}
	return text
}
