package density

import (
	"logzlab/core/num"
	"logzlab/core/rng"
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
	const maxOut = 50
	d := &p.m.d
	copy(p.try, p.row(r))
	l0, l1 := p.l0[r], p.l1[r]
	at := func() float64 {
		l0, l1 = d.LogBase(p.try), d.LogF(p.try)
		return num.Mul(1-beta, l0) + num.Mul(beta, l1)
	}
	now := num.Mul(1-beta, l0) + num.Mul(beta, l1)
	for t := range p.try {
		i := t
		if p.back {
			i = len(p.try) - 1 - t
		}
		x := p.try[i]

		// The interval: stepping out.
		level := now + num.Log(s.Float64())
		lo := x - num.Mul(step, s.Float64())
		hi := lo + step
		left := s.Intn(maxOut)
		right := maxOut - 1 - left
		for p.try[i] = lo; left > 0 && at() > level; p.try[i] = lo {
			lo -= step
			left--
		}
		for p.try[i] = hi; right > 0 && at() > level; p.try[i] = hi {
			hi += step
			right--
		}

		// The point: shrinking.
		for {
			p.try[i] = lo + num.Mul(hi-lo, s.Float64())
			if now = at(); now > level || p.try[i] == x {
				break
			}
			if p.try[i] < x {
				lo = p.try[i]
			} else {
				hi = p.try[i]
			}
		}
	}
	p.keep(r, p.try, l0, l1)
}
