package rbm

import (
	"logzlab/core/frame"
	"logzlab/core/num"
)

// Read writes v of the first n rows to f.Pixels, and 2 to the pixels beyond the M-th. If there are none of these and
// the rows have been swept, f.Shades has the probabilities P(v_i = 1 | h).
func (p *population) Read(n int, f *frame.Frame) {
	f.W, f.H = p.m.info.W, p.m.info.H
	size := f.W * f.H
	f.Pixels, f.Shades = num.Sized(f.Pixels, n*size), f.Shades[:0]
	for r := 0; r < n; r++ {
		pic := f.Pixels[r*size : (r+1)*size]
		v, _, _, _ := p.Row(r)
		copy(pic, v)
		for i := p.m.M; i < size; i++ {
			pic[i] = 2
		}
	}
	isSwept := func(r int) bool { return p.Scale[r] != 0 || p.BaseScale[r] != 0 } // false before the first sweep
	if p.m.M != size || !isSwept(0) {
		return
	}
	f.Shades = num.Sized(f.Shades, n*size)
	for r := range n {
		p.Probabilities(r, f.Shades[r*size:(r+1)*size])
	}
}
