package density

import (
	"logzlab/core/num"
	"logzlab/core/rng"
)

// hamilton is Hamiltonian Monte Carlo with mass 1, in coordinates in which Root is the identity: from half to one and a
// half times the mean number of leapfrog steps. Their number and a factor of the step are drawn anew each time, so that
// no orbit closes.
func (p *spaceRows) hamilton(s *rng.Stream, r int, beta, step float64) {
	if across := p.m.k.Across; across > 0 && s.Float64() < across {
		p.sliceAcross(s, r, beta)
		return
	}
	d, x := &p.m.d, p.try
	step, root, n := num.Mul(step, Jitter(s)), p.m.k.Root, len(x)
	least := (p.mean + 1) / 2
	leaps := least + s.Intn(3*p.mean/2-least+1)
	copy(x, p.row(r))
	s.Norms(p.p)
	gain := num.Mul(0.5, num.Dot(p.p, p.p))
	l1, known := 0., d.SlopeAndLogF != nil
	push := func(h float64) {
		d.SlopeBase(x, p.slope0)
		if known {
			l1 = d.SlopeAndLogF(x, p.slope)
		} else {
			d.Slope(x, p.slope)
		}
		for i := range x {
			p.slope[i] = num.Mul(1-beta, p.slope0[i]) + num.Mul(beta, p.slope[i])
			for j := range min(i, len(root)) { // by columns of Root, the last entry of each first
				p.p[j] += num.Mul(h, root[i*n+j]*p.slope[i])
			}
			if root != nil {
				p.slope[i] *= root[i*n+i]
			}
			p.p[i] += num.Mul(h, p.slope[i])
		}
	}
	push(0.5 * step)
	for t := leaps; t > 0; t-- {
		if root == nil {
			num.Axpy(step, p.p, x)
		}
		for i := range len(root) / n {
			x[i] += num.Mul(step, num.Dot(root[i*n:i*n+i+1], p.p[:i+1]))
		}
		if t > 1 {
			push(step)
		}
	}
	push(0.5 * step)
	l0 := d.LogBase(x)
	if !known {
		l1 = d.LogF(x)
	}
	gain += num.Mul(1-beta, l0-p.l0[r]) + num.Mul(beta, l1-p.l1[r]) - num.Mul(0.5, num.Dot(p.p, p.p))
	p.gain = gain
	if num.Log(s.Float64()) < gain { // false for NaN
		p.keep(r, x, l0, l1)
	}
}

// Jitter is a random factor of the step, 0.8 to 1.2, so that no orbit closes.
func Jitter(s *rng.Stream) float64 { return 0.8 + num.Mul(0.4, s.Float64()) }
