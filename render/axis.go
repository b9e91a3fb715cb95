package render

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
