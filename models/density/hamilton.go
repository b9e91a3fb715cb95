package density

import (
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// sideBySide is the number of trajectories at once, at most.
const sideBySide = 16

// orbits are the trajectories of some rows, side by side, so that a density may take their points at once: the longest
// first, so that those that are under way come first. Each has random numbers of its own; its company changes no digit.
type orbits struct {
	of          []orbit
	x, p, slope []float64 // points, momenta and gradients by rows
	logF        []float64
	streams     []rng.Stream // of rows that move side by side
}

// orbit is the trajectory of row r.
type orbit struct {
	s                *rng.Stream
	r, leaps         int
	beta, step, gain float64
}

func newOrbits(n, dim int) orbits {
	n = min(n, sideBySide)
	return orbits{make([]orbit, 0, n), make([]float64, n*dim), make([]float64, n*dim), make([]float64, n*dim),
		make([]float64, n), make([]rng.Stream, n)}
}

// hamilton is Hamiltonian Monte Carlo with mass 1, in coordinates in which Root is the identity: from half to one and a
// half times the mean number of leapfrog steps. Their number and a factor of the step are drawn anew each time, so that
// no orbit closes.
func (p *spaceRows) hamilton(s *rng.Stream, r int, beta, step float64) {
	p.orbits.of = p.orbits.of[:0] // there are some where meter.Pulse ended a flight
	p.launch(s, r, beta, step)
	p.fly()
}

// together is Move for hamilton.
func (p *spaceRows) together(at rng.At, rung []int32) {
	for lo := 0; lo < len(rung); lo += sideBySide {
		some := rung[lo:min(lo+sideBySide, len(rung))]
		for i := range some {
			p.orbits.streams[i] = at.Row(lo + i)
		}
		jump := func() {
			for i, k := range some {
				p.jump(&p.orbits.streams[i], lo+i, p.ladder[k])
			}
		}
		if p.m.k.Jumps && p.back {
			jump()
		}
		for range p.m.k.Moves {
			p.orbits.of = p.orbits.of[:0]
			for i, k := range some {
				p.mean = p.leaps[k]
				p.launch(&p.orbits.streams[i], lo+i, p.ladder[k], p.step[k])
			}
			p.fly()
		}
		if p.m.k.Jumps && !p.back {
			jump()
		}
	}
}

// launch makes an orbit of row r, or moves it along a line.
func (p *spaceRows) launch(s *rng.Stream, r int, beta, step float64) {
	if across := p.m.k.Across; across > 0 && s.Float64() < across {
		p.sliceAcross(s, r, beta)
		return
	}
	step = num.Mul(step, Jitter(s))
	if p.m.k.Finer {
		step = num.Mul(step, FinerSteps[s.Intn(len(FinerSteps))])
	}
	least := (p.mean + 1) / 2
	leaps := least + s.Intn(3*p.mean/2-least+1)
	of := append(p.orbits.of, orbit{s: s, r: r, leaps: leaps, beta: beta, step: step})
	for i := len(of) - 1; i > 0 && of[i-1].leaps < leaps; i-- {
		of[i-1], of[i] = of[i], of[i-1]
	}
	p.orbits.of = of
}

// FinerSteps are the steps of a kernel that is Finer, as shares of its own.
var FinerSteps = [...]float64{1, .5, .25, .125}

// fly goes along all orbits to their ends, which become the states of the rows or do not.
func (p *spaceRows) fly() {
	o, d := &p.orbits, &p.m.d
	row := func(x []float64, i int) []float64 { return x[i*d.Dim : (i+1)*d.Dim] }

	// The orbits begin with fresh momenta.
	for i := range o.of {
		a := &o.of[i]
		copy(row(o.x, i), p.row(a.r))
		a.s.Norms(row(o.p, i))
		a.gain = num.Mul(0.5, num.Dot(row(o.p, i), row(o.p, i)))
	}

	// All orbits leap in step, until the longest has ended.
	n := len(o.of)
	p.push(n, 0)
	for t := 1; n > 0; t++ {
		for i, a := range o.of[:n] {
			p.drift(a.step, row(o.p, i), row(o.x, i))
		}
		p.push(n, t)
		for n > 0 && o.of[n-1].leaps == t {
			n--
		}
	}

	// The ends are accepted or not.
	for i, a := range o.of {
		x, l1 := row(o.x, i), o.logF[i]
		copy(p.try, x)
		l0 := d.LogBase(x)
		if d.SlopesAndLogF == nil {
			l1 = d.LogF(x)
		}
		p.gain = a.gain + (num.Mul(1-a.beta, l0-p.l0[a.r]) + num.Mul(a.beta, l1-p.l1[a.r]) -
			num.Mul(0.5, num.Dot(row(o.p, i), row(o.p, i))))
		if num.Log(a.s.Float64()) < p.gain { // false for NaN
			p.keep(a.r, x, l0, l1)
		}
	}
}

// push changes the momenta of the first n orbits by their gradients, after t leaps.
func (p *spaceRows) push(n, t int) {
	o, d, root, dim := &p.orbits, &p.m.d, p.m.k.Root, p.m.d.Dim
	if d.SlopesAndLogF != nil {
		d.SlopesAndLogF(o.x, n, o.slope, o.logF)
	}
	for i, a := range o.of[:n] {
		x, v, slope, h := o.x[i*dim:(i+1)*dim], o.p[i*dim:(i+1)*dim], o.slope[i*dim:(i+1)*dim], a.step
		if t == 0 || t == a.leaps {
			h = 0.5 * a.step
		}
		if d.SlopesAndLogF == nil {
			d.Slope(x, slope)
		}
		if a.beta != 1 {
			d.SlopeBase(x, p.slope0)
			for i := range x {
				slope[i] = num.Mul(1-a.beta, p.slope0[i]) + num.Mul(a.beta, slope[i])
			}
		}
		for i := range x {
			for j := range min(i, len(root)) { // by columns of Root, the last entry of each first
				v[j] += num.Mul(h, root[i*dim+j]*slope[i])
			}
			if root != nil {
				slope[i] *= root[i*dim+i]
			}
			v[i] += num.Mul(h, slope[i])
		}
	}
}

// drift moves x along a momentum.
func (p *spaceRows) drift(step float64, v, x []float64) {
	root, dim := p.m.k.Root, len(x)
	if root == nil {
		num.Axpy(step, v, x)
	}
	for i := range len(root) / dim {
		x[i] += num.Mul(step, num.Dot(root[i*dim:i*dim+i+1], v[:i+1]))
	}
}

// Jitter is a random factor of the step, 0.8 to 1.2, so that no orbit closes.
func Jitter(s *rng.Stream) float64 { return 0.8 + num.Mul(0.4, s.Float64()) }
