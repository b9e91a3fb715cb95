package plane

import (
	"math"

	"logzlab/core/format"
	"logzlab/render/paint"
)

// maxNamed is the maximum number of components whose mass is written.
const maxNamed = 9

// masses writes the estimated and the exact mass of each component next to it.
func (v *planeView) masses(l *paint.Layer) {
	if v.d == nil || len(v.d.f.Components) < 2 || len(v.d.f.Components) > maxNamed {
		return
	}
	a, t, u := v.a, v.a.Theme, v.a.Unit
	components := v.d.f.Components
	found := make([]float64, len(components))
	for i := range v.w.Slots {
		if v.weightShare[i] > 0 {
			q := v.w.Slots[i].At
			found[v.d.basin[v.d.cell(q.X, q.Y)]] += v.weightShare[i]
		}
	}

	exact := v.exactSums().components
	tail := " " + a.Say("of the mass")
	if a.Compact() || len(components) > 4 || v.Box.H < 100*u { // no space
		tail = ""
	}
	width := a.Fonts.Width(Percent(1)+tail, paint.Strong)
	width = max(width, a.Fonts.Width(a.Say("exact")+" "+Percent(1), paint.Tick)) + 8*u
	boxes := v.placeLabels(width, 32*u)
	for i, c := range components {
		e := exact[i]
		if v.Beta == 1 && (v.hasSharedBeta || !v.hasBetas) && math.Abs(e-float64(c.Mass)) < 0.02 {
			e = float64(c.Mass) // the same value without the discretization error of the grid
		}
		b := boxes[i]
		l.Label(Percent(found[i])+tail, b.X+b.W/2, b.Y+13*u, paint.Strong, t.Ink, paint.Centre)
		l.Label(a.Say("exact")+" "+Percent(e), b.X+b.W/2, b.Y+28*u, paint.Tick, t.Ink2, paint.Centre)
	}
}

// placeLabels returns a box next to each component, on the plot, that avoids its centre and the other boxes as far as
// possible.
func (v *planeView) placeLabels(w, h float64) []paint.Rect {
	u := v.a.Unit
	n := len(v.d.f.Components)
	at, rad := make([]paint.Point, n), make([]float64, n)
	for i, q := range v.d.f.Components {
		at[i] = paint.Pt(v.Sx.At(float64(q.X)), v.Sy.At(float64(q.Y)))
		rad[i] = max(1.9*v.d.sd[i]/(v.Sx.D1-v.Sx.D0)*v.Box.W, 14*u)
	}

	// Of sixteen directions the one with the least cost, for being far, covering components or overlapping boxes. Two
	// rounds: in the second all other boxes are known.
	in := paint.XYWH(v.Box.X+4*u, v.Box.Y+4*u, v.Box.W-8*u, v.Box.H-8*u)
	out := make([]paint.Rect, 0, n)
	for step := range 2 * n {
		i := step % n
		best, place := math.Inf(1), paint.Rect{}
		for k := range 16 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / 16)
			cx, cy := at[i].X+cos*(rad[i]+w*0.42), at[i].Y-sin*(rad[i]+h*0.6)
			b := paint.XYWH(min(max(cx-w/2, in.X), in.X+in.W-w), min(max(cy-h/2, in.Y), in.Y+in.H-h), w, h)
			cost := math.Hypot(b.X+w/2-cx, b.Y+h/2-cy)/(10*u) + 0.3*(1-sin) // prefer above
			for j := range at {
				// Avoid the centre of every component.
				dx := max(math.Abs(at[j].X-b.X-w/2)-w/2, 0)
				dy := max(math.Abs(at[j].Y-b.Y-h/2)-h/2, 0)
				off := math.Hypot(dx, dy)
				cost += 6 * max(0, 1-off/(rad[j]*0.9))
				if j != i { // be nearer to its own component than to others
					own := math.Hypot(b.X+w/2-at[i].X, b.Y+h/2-at[i].Y)
					cost += 5 * max(0, 1.5-(off+h/2)/max(own, 1))
				}
			}
			for j, o := range out {
				apart := max(math.Abs(b.X-o.X)-w, math.Abs(b.Y-o.Y)-h)
				switch {
				case j == i:
				case apart < 0:
					cost += 50
				case apart < 8*u && math.Abs(b.X-o.X) < w: // one above the other
					cost += 8 * (1 - apart/(8*u))
				}
			}
			if cost < best {
				best, place = cost, b
			}
		}
		if step < n {
			out = append(out, place)
		}
		out[i] = place
	}
	return out
}

// Percent formats a fraction in whole percent.
func Percent(share float64) string { return format.Trimmed(100*share, 0) + "\u00a0%" }
