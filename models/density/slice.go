package density

import (
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// ellipse is elliptical slice sampling: f_beta is f_0 times (f_1/f_0)^beta.
func (p *spaceRows) ellipse(s *rng.Stream, r int, beta, _ float64) {
	d := &p.m.d
	d.DrawBase(s, p.p)
	var l0, l1 float64
	now := num.Mul(beta, p.l1[r]-p.l0[r])
	found := EllipticalSlice(s, p.row(r), p.p, p.try, now, func(x []float64) float64 {
		l0, l1 = d.LogBase(x), d.LogF(x)
		return num.Mul(beta, l1-l0)
	})
	if found {
		p.keep(r, p.try, l0, l1)
	}
}

// EllipticalSlice sets try to a point of the ellipse through x and w whose log likelihood
// is above a random level below now, that of x.
func EllipticalSlice(s *rng.Stream, x, w, try []float64, now float64, logL func(x []float64) float64) bool {
	level := now + num.Log(s.Float64())
	t := num.Mul(2, s.Float64()) // in units of pi
	lo, hi := t-2, t             // the whole ellipse, cut there
	for range 200 {
		cos, sin := num.CosSinPi(t)
		for i := range x {
			try[i] = num.Mul(x[i], cos) + num.Mul(w[i], sin)
		}
		if logL(try) > level {
			return true
		}
		if t < 0 {
			lo = t
		} else {
			hi = t
		}
		t = lo + num.Mul(hi-lo, s.Float64())
	}
	return false
}

// slice samples one coordinate after another, each from the interval that stepping out
// by step finds, at most maxOut steps in all, and shrinks.
func (p *spaceRows) slice(s *rng.Stream, r int, beta, step float64) {
	copy(p.try, p.row(r))
	now := num.Mul(1-beta, p.l0[r]) + num.Mul(beta, p.l1[r])
	l0, l1 := p.l0[r], p.l1[r]
	for t := range p.try {
		i := t
		if p.back {
			i = len(p.try) - 1 - t
		}
		now = line(s, p.try[i], step, now, func(v float64) float64 {
			p.try[i] = v
			l0, l1 = p.m.d.LogBase(p.try), p.m.d.LogF(p.try)
			return num.Mul(1-beta, l0) + num.Mul(beta, l1)
		})
	}
	p.keep(r, p.try, l0, l1)
}

// sliceAcross samples the line through row r in a random direction. Unlike a trajectory, it moves however steep the
// density is.
func (p *spaceRows) sliceAcross(s *rng.Stream, r int, beta float64) {
	s.Norms(p.p)
	x, now := p.row(r), num.Mul(1-beta, p.l0[r])+num.Mul(beta, p.l1[r])
	l0, l1 := p.l0[r], p.l1[r]
	line(s, 0, 1, now, func(v float64) float64 {
		copy(p.try, x)
		num.Axpy(v, p.p, p.try)
		l0, l1 = p.m.d.LogBase(p.try), p.m.d.LogF(p.try)
		return num.Mul(1-beta, l0) + num.Mul(beta, l1)
	})
	p.keep(r, p.try, l0, l1)
}

// line samples a line by its log density at, which is now at x, and leaves at where it was called last. It returns what
// at was there.
func line(s *rng.Stream, x, step, now float64, at func(v float64) float64) float64 {
	const maxOut = 50

	// The interval: stepping out.
	level := now + num.Log(s.Float64())
	lo := x - num.Mul(step, s.Float64())
	hi := lo + step
	left := s.Intn(maxOut)
	right := maxOut - 1 - left
	for left > 0 && at(lo) > level {
		lo -= step
		left--
	}
	for right > 0 && at(hi) > level {
		hi += step
		right--
	}

	// The point: shrinking.
	for {
		v := lo + num.Mul(hi-lo, s.Float64())
		if now = at(v); now > level || v == x {
			return now
		}
		if v < x {
			lo = v
		} else {
			hi = v
		}
	}
}
