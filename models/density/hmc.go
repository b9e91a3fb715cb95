package density

import (
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// maxTrajectories is the largest number of trajectories that are integrated together.
const maxTrajectories = 16

// trajectories are Hamiltonian trajectories of several rows that are integrated together, so that a density can
// evaluate their points in one call. They are sorted by decreasing number of steps, so those that are still moving come
// first. Each trajectory uses the random numbers of its own row, so results do not depend on the grouping.
type trajectories struct {
	active     []trajectory
	x, p, grad []float64    // positions, momenta and gradients by rows
	logF       []float64    // log f_1 at the positions
	streams    []rng.Stream // random numbers of the rows of a group
}

// trajectory describes the trajectory of row r: its random numbers s, the number of its leapfrog steps, the inverse
// temperature, and the step size. From the start to the end of the trajectory logAccept is the kinetic energy at the
// start.
type trajectory struct {
	s                     *rng.Stream
	r, leaps              int
	beta, step, logAccept float64
}

// newTrajectories returns space for the trajectories of n rows, at most maxTrajectories at a time.
func newTrajectories(n, dim int) trajectories {
	n = min(n, maxTrajectories)
	return trajectories{make([]trajectory, 0, n), make([]float64, n*dim), make([]float64, n*dim), make([]float64, n*dim),
		make([]float64, n), make([]rng.Stream, n)}
}

// hmc is Hamiltonian Monte Carlo with unit masses in the coordinates in which Kernel.Root is the identity. The number
// of leapfrog steps is uniform between half and one and a half times the mean, and the step has a random factor
// (Jitter), so that no trajectory is periodic.
func (p *pointRows) hmc(s *rng.Stream, r int, beta, step float64) {
	p.trajectories.active = p.trajectories.active[:0] // not empty if meter.Pulse ended an earlier call
	p.startTrajectory(s, r, beta, step)
	p.integrate()
}

// moveHMC is Move for the kernels hmc and hmc_tuned.
func (p *pointRows) moveHMC(at rng.At, rung []int32) {
	for lo := 0; lo < len(rung); lo += maxTrajectories {
		group := rung[lo:min(lo+maxTrajectories, len(rung))]
		for i := range group {
			p.trajectories.streams[i] = at.Row(lo + i)
		}
		moveFromBase := func() {
			for i, k := range group {
				p.independenceMove(&p.trajectories.streams[i], lo+i, p.ladder[k])
			}
		}
		if p.m.k.BaseProposals && p.reversed {
			moveFromBase()
		}
		for range p.m.k.Moves {
			p.trajectories.active = p.trajectories.active[:0]
			for i, k := range group {
				p.meanLeaps = p.leaps[k]
				p.startTrajectory(&p.trajectories.streams[i], lo+i, p.ladder[k], p.steps[k])
			}
			p.integrate()
		}
		if p.m.k.BaseProposals && !p.reversed {
			moveFromBase()
		}
	}
}

// startTrajectory adds a trajectory of row r; with probability LineShare it moves the row by sliceLine instead.
func (p *pointRows) startTrajectory(s *rng.Stream, r int, beta, step float64) {
	if share := p.m.k.LineShare; share > 0 && s.Float64() < share {
		p.sliceLine(s, r, beta)
		return
	}
	step = num.Mul(step, Jitter(s))
	if p.m.k.MixSteps {
		step = num.Mul(step, StepFactors[s.Intn(len(StepFactors))])
	}
	minLeaps := (p.meanLeaps + 1) / 2
	leaps := minLeaps + s.Intn(3*p.meanLeaps/2-minLeaps+1)
	active := append(p.trajectories.active, trajectory{s: s, r: r, leaps: leaps, beta: beta, step: step})
	for i := len(active) - 1; i > 0 && active[i-1].leaps < leaps; i-- {
		active[i-1], active[i] = active[i], active[i-1]
	}
	p.trajectories.active = active
}

// StepFactors are the factors of the step of a kernel with Kernel.MixSteps.
var StepFactors = [...]float64{1, .5, .25, .125}

// integrate runs all active trajectories to their ends, and accepts or rejects each end.
func (p *pointRows) integrate() {
	ts, d := &p.trajectories, &p.m.d
	row := func(x []float64, i int) []float64 { return x[i*d.Dim : (i+1)*d.Dim] }

	// Draw momenta.
	for i := range ts.active {
		a := &ts.active[i]
		copy(row(ts.x, i), p.row(a.r))
		a.s.Norms(row(ts.p, i))
		a.logAccept = num.Mul(0.5, num.Dot(row(ts.p, i), row(ts.p, i)))
	}

	// Leapfrog all trajectories together; n of them are still moving.
	n := len(ts.active)
	p.kick(n, 0)
	for t := 1; n > 0; t++ {
		for i, a := range ts.active[:n] {
			p.drift(a.step, row(ts.p, i), row(ts.x, i))
		}
		p.kick(n, t)
		for n > 0 && ts.active[n-1].leaps == t {
			n--
		}
	}

	// Accept or reject the ends.
	for i, a := range ts.active {
		x, l1 := row(ts.x, i), ts.logF[i]
		copy(p.proposal, x)
		l0 := d.LogBase(x)
		if d.GradsAndLogF == nil {
			l1 = d.LogF(x)
		}
		p.logAccept = a.logAccept + (num.Mul(1-a.beta, l0-p.logF0[a.r]) + num.Mul(a.beta, l1-p.logF1[a.r]) -
			num.Mul(0.5, num.Dot(row(ts.p, i), row(ts.p, i))))
		accepted := num.Log(a.s.Float64()) < p.logAccept // false for NaN
		if accepted {
			p.setRow(a.r, x, l0, l1)
		}
		p.noteMove(a.r, x, accepted)
	}
}

// kick updates the momenta of the first n trajectories by their gradients after t leapfrog steps. The first and the
// last kick of a trajectory are half steps.
func (p *pointRows) kick(n, t int) {
	ts, d, root, dim := &p.trajectories, &p.m.d, p.m.k.Root, p.m.d.Dim
	if d.GradsAndLogF != nil {
		d.GradsAndLogF(ts.x, n, ts.grad, ts.logF)
	}
	for i, a := range ts.active[:n] {
		x, momentum, slope, h := ts.x[i*dim:(i+1)*dim], ts.p[i*dim:(i+1)*dim], ts.grad[i*dim:(i+1)*dim], a.step
		if t == 0 || t == a.leaps {
			h = 0.5 * a.step
		}
		if d.GradsAndLogF == nil {
			d.Grad(x, slope)
		}
		if a.beta != 1 {
			d.GradBase(x, p.gradBase)
			for i := range x {
				slope[i] = num.Mul(1-a.beta, p.gradBase[i]) + num.Mul(a.beta, slope[i])
			}
		}
		for i := range x {
			for j := range min(i, len(root)) { // slope[i] is not yet multiplied by the diagonal
				momentum[j] += num.Mul(h, root[i*dim+j]*slope[i])
			}
			if root != nil {
				slope[i] *= root[i*dim+i]
			}
			momentum[i] += num.Mul(h, slope[i])
		}
	}
}

// drift moves x by one leapfrog step along its momentum.
func (p *pointRows) drift(step float64, momentum, x []float64) {
	root, dim := p.m.k.Root, len(x)
	if root == nil {
		num.Axpy(step, momentum, x)
	}
	for i := range len(root) / dim {
		x[i] += num.Mul(step, num.Dot(root[i*dim:i*dim+i+1], momentum[:i+1]))
	}
}

// Jitter returns a random factor for a step, uniform in [0.8, 1.2].
func Jitter(s *rng.Stream) float64 { return 0.8 + num.Mul(0.4, s.Float64()) }
