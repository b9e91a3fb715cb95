package density

import (
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// ellipticalSlice is elliptical slice sampling ([Murray2010]) with f_0 as the Gaussian and (f_1/f_0)^beta as the
// likelihood.
func (p *pointRows) ellipticalSlice(s *rng.Stream, r int, beta, _ float64) {
	d := &p.m.d
	d.DrawBase(s, p.normals)
	var l0, l1 float64
	current := num.Mul(beta, p.logF1[r]-p.logF0[r])
	isFound := EllipticalSlice(s, p.row(r), p.normals, p.proposal, current, func(x []float64) float64 {
		l0, l1 = d.LogBase(x), d.LogF(x)
		return num.Mul(beta, l1-l0)
	})
	if isFound {
		p.setRow(r, p.proposal, l0, l1)
	}
	p.noteMove(r, p.row(r), true)
}

// EllipticalSlice sets proposal to a point of the ellipse through x and direction whose log likelihood logL exceeds a
// random level below current, the log likelihood at x. direction is a draw of the Gaussian. It returns false if 200
// points failed.
func EllipticalSlice(s *rng.Stream, x, direction, proposal []float64, current float64, logL func(x []float64) float64) bool {
	level := current + num.Log(s.Float64())
	t := num.Mul(2, s.Float64()) // in units of pi
	lo, hi := t-2, t             // the bracket is the whole ellipse, with both ends at t
	for range 200 {
		cos, sin := num.CosSinPi(t)
		for i := range x {
			proposal[i] = num.Mul(x[i], cos) + num.Mul(direction[i], sin)
		}
		if logL(proposal) > level {
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

// slice updates the coordinates of row r one after another by sampleLine.
func (p *pointRows) slice(s *rng.Stream, r int, beta, step float64) {
	copy(p.proposal, p.row(r))
	current := num.Mul(1-beta, p.logF0[r]) + num.Mul(beta, p.logF1[r])
	l0, l1 := p.logF0[r], p.logF1[r]
	for t := range p.proposal {
		i := t
		if p.reversed {
			i = len(p.proposal) - 1 - t
		}
		current = sampleLine(s, p.proposal[i], step, current, func(v float64) float64 {
			p.proposal[i] = v
			l0, l1 = p.m.d.LogBase(p.proposal), p.m.d.LogF(p.proposal)
			return num.Mul(1-beta, l0) + num.Mul(beta, l1)
		})
	}
	p.setRow(r, p.proposal, l0, l1)
	p.noteMove(r, p.proposal, true)
}

// sliceLine applies slice sampling to row r along a random direction. It moves the row however steep the density is,
// where a Hamiltonian trajectory would be rejected.
func (p *pointRows) sliceLine(s *rng.Stream, r int, beta float64) {
	s.Norms(p.normals)
	x, current := p.row(r), num.Mul(1-beta, p.logF0[r])+num.Mul(beta, p.logF1[r])
	l0, l1 := p.logF0[r], p.logF1[r]
	sampleLine(s, 0, 1, current, func(v float64) float64 {
		copy(p.proposal, x)
		num.Axpy(v, p.normals, p.proposal)
		l0, l1 = p.m.d.LogBase(p.proposal), p.m.d.LogF(p.proposal)
		return num.Mul(1-beta, l0) + num.Mul(beta, l1)
	})
	p.setRow(r, p.proposal, l0, l1)
	p.noteMove(r, p.proposal, true)
}

// sampleLine updates the position x on a line by slice sampling with stepping out (at most maxOut steps) and shrinkage
// ([Neal2003]). logF returns the log density at a position, current is its value at x. The last call of logF is at the
// new position; its value is returned.
func sampleLine(s *rng.Stream, x, step, current float64, logF func(v float64) float64) float64 {
	const maxOut = 50

	// Step out.
	level := current + num.Log(s.Float64())
	lo := x - num.Mul(step, s.Float64())
	hi := lo + step
	stepsDown := s.Intn(maxOut)
	stepsUp := maxOut - 1 - stepsDown
	for stepsDown > 0 && logF(lo) > level {
		lo -= step
		stepsDown--
	}
	for stepsUp > 0 && logF(hi) > level {
		hi += step
		stepsUp--
	}

	// Shrink.
	for {
		v := lo + num.Mul(hi-lo, s.Float64())
		if current = logF(v); current > level || v == x {
			return current
		}
		if v < x {
			lo = v
		} else {
			hi = v
		}
	}
}
