package render

import (
	"math"

	"logzlab/core/format"
)

// maxNamed is the most hills whose mass is written out.
const maxNamed = 9

// masses writes the share found and the exact one beside each hill.
func (v *planeView) masses(l *layer) {
	if v.d == nil || len(v.d.f.Hills) < 2 || len(v.d.f.Hills) > maxNamed {
		return
	}
	a, t, u := v.a, v.a.theme, v.a.u
	hills := v.d.f.Hills
	found := make([]float64, len(hills))
	for i := range v.w.slots {
		if v.share[i] > 0 {
			q := v.w.slots[i].at
			found[v.d.basin[v.d.cell(q.x, q.y)]] += v.share[i]
		}
	}
	exact := v.exact().hills
	tail := " " + a.say("of the mass")
	if a.compact() || len(hills) > 4 {
		tail = ""
	}
	width := max(a.fonts.width("0.00"+tail, strong), a.fonts.width(a.say("exact")+" 0.00", tick)) + 8*u
	boxes := v.places(width, 32*u)
	for i, h := range hills {
		e := exact[i]
		if v.beta == 1 && (v.shared || !v.known) && math.Abs(e-float64(h.Mass)) < 0.02 {
			e = float64(h.Mass) // the same, without the error of the grid
		}
		b := boxes[i]
		l.label(format.Grouped(found[i], 2)+tail, b.x+b.w/2, b.y+13*u, strong, t.Ink, centre)
		l.label(a.say("exact")+" "+format.Grouped(e, 2), b.x+b.w/2, b.y+28*u, tick, t.Ink2, centre)
	}
}

// places finds a box beside each hill: off its middle, on the plot, and off the
// others as well as can be.
func (v *planeView) places(w, h float64) []rect {
	u := v.a.u
	n := len(v.d.f.Hills)
	at, rad := make([]point, n), make([]float64, n)
	for i, q := range v.d.f.Hills {
		at[i] = point{v.sx.at(float64(q.X)), v.sy.at(float64(q.Y))}
		rad[i] = max(1.9*v.d.spread[i]/(v.sx.d1-v.sx.d0)*v.box.w, 14*u)
	}
	in := rect{v.box.x + 4*u, v.box.y + 4*u, v.box.w - 8*u, v.box.h - 8*u}
	out := make([]rect, n)
	for i := range out {
		best := math.Inf(1)
		for k := range 16 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / 16)
			cx, cy := at[i].x+cos*(rad[i]+w*0.42), at[i].y-sin*(rad[i]+h*0.6)
			b := rect{min(max(cx-w/2, in.x), in.x+in.w-w), min(max(cy-h/2, in.y), in.y+in.h-h), w, h}
			cost := math.Hypot(b.x+w/2-cx, b.y+h/2-cy)/(10*u) + 0.3*(1-sin) // rather above
			for j := range at {
				// Keep off the middle of every hill.
				dx := max(math.Abs(at[j].x-b.x-w/2)-w/2, 0)
				dy := max(math.Abs(at[j].y-b.y-h/2)-h/2, 0)
				off := math.Hypot(dx, dy)
				cost += 6 * max(0, 1-off/(rad[j]*0.9))
				if j != i { // and nearer to its own than to others
					own := math.Hypot(b.x+w/2-at[i].x, b.y+h/2-at[i].y)
					cost += 5 * max(0, 1.5-(off+h/2)/max(own, 1))
				}
			}
			for _, o := range out[:i] {
				if b.x < o.x+o.w && o.x < b.x+b.w && b.y < o.y+o.h+8*u && o.y < b.y+b.h+8*u {
					cost += 50
				}
			}
			if cost < best {
				best, out[i] = cost, b
			}
		}
	}
	return out
}
