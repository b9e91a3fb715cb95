package density

import (
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// ellipticalSlice is elliptical slice sampling with f_0 as the Gaussian and (f_1/f_0)^beta as the likelihood.
func (p *pointRows) ellipticalSlice(s *rng.Stream, r int, beta, _ float64) {
	d := &p.m.d
	d.DrawBase(s, p.p)
	var l0, l1 float64
	now := num.Mul(beta, p.l1[r]-p.l0[r])
	found := EllipticalSlice(s, p.row(r), p.p, p.proposal, now, func(x []float64) float64 {
		l0, l1 = d.LogBase(x), d.LogF(x)
		return num.Mul(beta, l1-l0)
	})
	if found {
		p.setRow(r, p.proposal, l0, l1)
	}
	p.noteMove(r, p.row(r), true)
}

// EllipticalSlice sets try to a point of the ellipse through x and w whose log likelihood is above a random level below
// now, the log likelihood at x. It returns false if 200 proposals failed.
func EllipticalSlice(s *rng.Stream, x, w, try []float64, now float64, logL func(x []float64) float64) bool {
	level := now + num.Log(s.Float64())
	t := num.Mul(2, s.Float64()) // in units of pi
	lo, hi := t-2, t             // the bracket is the whole ellipse, cut at t
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

// slice updates one coordinate after another by sampleLine.
func (p *pointRows) slice(s *rng.Stream, r int, beta, step float64) {
	copy(p.proposal, p.row(r))
	now := num.Mul(1-beta, p.l0[r]) + num.Mul(beta, p.l1[r])
	l0, l1 := p.l0[r], p.l1[r]
	for t := range p.proposal {
		i := t
		if p.back {
			i = len(p.proposal) - 1 - t
		}
		now = sampleLine(s, p.proposal[i], step, now, func(v float64) float64 {
			p.proposal[i] = v
			l0, l1 = p.m.d.LogBase(p.proposal), p.m.d.LogF(p.proposal)
			return num.Mul(1-beta, l0) + num.Mul(beta, l1)
		})
	}
	p.setRow(r, p.proposal, l0, l1)
	p.noteMove(r, p.proposal, true)
}

// sliceLine applies slice sampling to row r along a random direction. Unlike a Hamiltonian trajectory it moves however
// steep the density is.
func (p *pointRows) sliceLine(s *rng.Stream, r int, beta float64) {
	s.Norms(p.p)
	x, now := p.row(r), num.Mul(1-beta, p.l0[r])+num.Mul(beta, p.l1[r])
	l0, l1 := p.l0[r], p.l1[r]
	sampleLine(s, 0, 1, now, func(v float64) float64 {
		copy(p.proposal, x)
		num.Axpy(v, p.p, p.proposal)
		l0, l1 = p.m.d.LogBase(p.proposal), p.m.d.LogF(p.proposal)
		return num.Mul(1-beta, l0) + num.Mul(beta, l1)
	})
	p.setRow(r, p.proposal, l0, l1)
	p.noteMove(r, p.proposal, true)
}

// sampleLine updates x by slice sampling with stepping out (at most maxOut steps) and shrinkage ([Neal2003]). at is the
// log density along the line, now its value at x. The last call of at is at the new point, and its value is returned.
func sampleLine(s *rng.Stream, x, step, now float64, at func(v float64) float64) float64 {
	const maxOut = 50

	// Step out.
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

	// Shrink.
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
