package render

import (
	"logzlab/core/format"
	"math"
)

// axis maps data linearly to device pixels.
type axis struct{ d0, d1, p0, p1 float64 }

// at is where v lies. Values far off stay a few axes away: they are cut by the
// clip, and a line of a million pixels would take a million dashes.
func (a axis) at(v float64) float64 {
	return a.p0 + min(max((v-a.d0)/(a.d1-a.d0), -3), 4)*(a.p1-a.p0)
}

// spread moves labels apart so that neighbours are at least gap from each other,
// as little as possible in the sense of least squares (isotonic regression of
// y_i - i gap), and keeps them in [lo, hi] where they fit. y is sorted.
func spread(y []float64, gap, lo, hi float64) []float64 {
	type block struct{ sum, n float64 }
	var bs []block
	for i, v := range y {
		b := block{v - float64(i)*gap, 1}
		for len(bs) > 0 && bs[len(bs)-1].sum/bs[len(bs)-1].n > b.sum/b.n {
			last := bs[len(bs)-1]
			b = block{b.sum + last.sum, b.n + last.n}
			bs = bs[:len(bs)-1]
		}
		bs = append(bs, b)
	}
	out := make([]float64, 0, len(y))
	top := max(lo, hi-float64(len(y)-1)*gap)
	for _, b := range bs {
		for range int(b.n) {
			out = append(out, min(max(b.sum/b.n, lo), top)+float64(len(out))*gap)
		}
	}
	return out
}

// rules draws a horizontal hairline along x and a label at its left for each tick of y.
func (a *area) rules(l *layer, x, y axis, at []float64, name func(float64) string) {
	for _, v := range at {
		py := y.at(v)
		l.hline(a, x.p0, x.p1, py, a.theme.Line)
		l.label(name(v), x.p0-8*a.u, py+4*a.u, tick, a.theme.Ink3, right)
	}
}

// counts draws the whole numbers of an axis below a panel; 0 on the axis is the number off, and a number of a unit.
func (a *area) counts(l *layer, x axis, off float64, unit string, y float64) {
	u, t := a.u, a.theme
	l.hline(a, x.p0, x.p1, y, t.Line2)
	at, step := format.Ticks(x.d0+off, x.d1+off, min(max(int((x.p1-x.p0)/(70*u)), 2), 8))
	end := math.Inf(-1)
	for _, n := range at {
		s, px := format.Grouped(n, 0), x.at(n-off)
		half := a.fonts.width(s, tick) / 2
		if n != math.Trunc(n) || step < 1 || px-half < end+8*u || px < x.p0 || px > x.p1 || px+half > a.w-2*u {
			continue
		}
		l.vline(a, px, y, y+4*u, t.Line2)
		l.label(s, px, y+16*u, tick, t.Ink3, centre)
		end = px + half
	}
	if x.p1-end > a.fonts.width(unit, tick)+10*u {
		l.label(unit, x.p1, y+16*u, tick, t.Ink2, right)
	}
}
