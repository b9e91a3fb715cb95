package paint

// Axis maps data linearly to device pixels.
type Axis struct{ D0, D1, P0, P1 float64 }

// NewAxis maps data from d0 to d1 to pixels from p0 to p1.
func NewAxis(d0, d1, p0, p1 float64) Axis { return Axis{d0, d1, p0, p1} }

// At returns the pixel of v. It is limited to a few axis lengths: a line of a million pixels would need a million
// dashes, and the clip cuts it anyway.
func (a Axis) At(v float64) float64 {
	return a.P0 + min(max((v-a.D0)/(a.D1-a.D0), -3), 4)*(a.P1-a.P0)
}

// Value returns the data at a pixel.
func (a Axis) Value(pixel float64) float64 { return a.D0 + (pixel-a.P0)/(a.P1-a.P0)*(a.D1-a.D0) }

// Spread moves sorted label positions y apart such that neighbours differ by at least gap, with the least sum of
// squared displacements (isotonic regression of y_i - i gap), and keeps them in [lo, hi] if they fit.
func Spread(y []float64, gap, lo, hi float64) []float64 {
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

// Crosses reports whether a polyline passes through a box, tested at eight steps per segment.
func Crosses(pts []Point, b Rect) bool {
	for i := 1; i < len(pts); i++ {
		for k := range 9 {
			f := float64(k) / 8
			if b.Contains(Pt(pts[i-1].X+(pts[i].X-pts[i-1].X)*f, pts[i-1].Y+(pts[i].Y-pts[i-1].Y)*f)) {
				return true
			}
		}
	}
	return false
}
