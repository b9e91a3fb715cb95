package tape

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/rng"
	ops "logzlab/core/tape"
	"logzlab/models/density"
)

// chains are chains of Hamiltonian Monte Carlo at the target of a tape, which move side by side, with the metric of a
// normal distribution: x = mean + root z.
type chains struct {
	around   density.Base
	m        *ops.Evaluator
	key      rng.Key
	phase    uint32
	n, dim   int
	at       uint32 // transitions made
	step     float64
	x, slope []float64 // points and gradients, by rows
	f        []float64
	sum      []float64 // density.Moments of the chains since the last fit
	kept     int
	spent    int // evaluations
	lost     int // trajectories whose energy went astray
	way      way
}

// way is where trajectories are: points, gradients and momenta by rows; byZ is room for one gradient.
type way struct{ x, slope, p, f, energy, u, steps, byZ []float64 }

func newWay(n, dim int) way {
	rows, row := func() []float64 { return make([]float64, n*dim) }, func() []float64 { return make([]float64, n) }
	return way{rows(), rows(), rows(), row(), row(), row(), row(), make([]float64, dim)}
}

// Length of a trajectory in standard deviations, and leaps at most.
const (
	trajectory = 1.5
	mostLeaps  = 32
)

// astray is how much energy, in nats, a trajectory gains whose steps are far too long for where it is.
const astray = 10

// leapsOf is the mean number of leaps of a trajectory by steps of this size.
func leapsOf(step float64) int { return min(max(int(math.Ceil(trajectory/step)), 1), mostLeaps) }

// leapTime is about how many nanoseconds a leap of one chain takes: a gradient, and two products with the metric.
func leapTime(t *ops.Tape) float64 {
	dim := float64(t.Dim())
	return num.Mul(4, t.Work()) + num.Mul(.7, dim*dim)
}

// redrawn is added to the phase for later draws.
const redrawn = 1000

// newChains starts chains from draws of a normal distribution, anew where the density is 0, or from its mean where
// draws have no density.
func newChains(t *ops.Tape, around density.Base, key rng.Key, number uint32, n int) *chains {
	dim := t.Dim()
	c := &chains{around: around, m: t.Evaluator(n), key: key, phase: 10 + number, n: n, dim: dim,
		step: 1 / math.Sqrt(math.Sqrt(float64(dim))), x: make([]float64, n*dim), slope: make([]float64, n*dim),
		f: make([]float64, n), way: newWay(n, dim)}
	for r := range n {
		s := key.Stream(c.phase, uint32(r), 0)
		around.Draw(&s, c.row(c.x, r))
	}
	c.evaluate(c.x, c.f, c.slope)
	for k := uint32(1); k <= pilotDraws && slices.Contains(c.f, math.Inf(-1)); k++ {
		for r, f := range c.f {
			if math.IsInf(f, -1) {
				s := key.Stream(c.phase+redrawn, uint32(r), k)
				around.Draw(&s, c.row(c.x, r))
			}
		}
		c.evaluate(c.x, c.f, c.slope)
	}
	for r, f := range c.f {
		if !num.Finite(f) || !num.AllFinite(c.row(c.slope, r)) {
			copy(c.row(c.x, r), around.Mean)
		}
	}
	c.evaluate(c.x, c.f, c.slope)
	return c
}

func (c *chains) row(x []float64, r int) []float64 { return x[r*c.dim : (r+1)*c.dim] }

func (c *chains) evaluate(x, f, slope []float64) {
	c.m.Eval(x, c.n)
	c.m.Slope(slope)
	for r := range f {
		f[r] = c.m.Target(r)
	}
}

// run makes transitions, adapts the step to an acceptance of .8 and adds up moments over the second half.
func (c *chains) run(transitions int) {
	c.sum, c.kept = nil, 0
	logStep, mean := num.Log(c.step), 0.
	for t := 1; t <= transitions; t++ {
		c.at++
		chance := c.transition(num.Exp(logStep))
		logStep += num.Mul(2*num.Exp(-num.Mul(.6, num.Log(float64(t)))), chance-.8)
		if t <= transitions/2 {
			continue
		}
		mean += logStep
		for i, v := range density.Moments(c.x, nil, c.dim) {
			if c.sum == nil {
				c.sum = make([]float64, c.dim+c.dim*(c.dim+1)/2)
			}
			c.sum[i] += v
		}
		c.kept += c.n
	}
	c.step = num.Exp(mean / float64(transitions-transitions/2))
}

// transition moves all chains by trajectories of the same number of leaps, and returns their mean acceptance.
func (c *chains) transition(step float64) (chance float64) {
	n, w := c.n, &c.way
	x, slope, p, f, energy, u, steps := w.x, w.slope, w.p, w.f, w.energy, w.u, w.steps
	copy(x, c.x)
	copy(slope, c.slope)

	// Fresh momenta, and one number of leaps for all chains.
	leaps := 1
	for r := range n {
		s := c.key.Stream(c.phase, uint32(r), c.at)
		steps[r] = num.Mul(step, density.Jitter(&s))
		s.Norms(c.row(p, r))
		u[r] = num.Log(s.Float64())
		energy[r] = c.f[r] - num.Mul(.5, num.Dot(c.row(p, r), c.row(p, r)))
		if r == 0 {
			leaps = 1 + s.Intn(2*leapsOf(step)-1)
		}
	}

	// The leaps, between two half pushes.
	c.spent += n * leaps
	c.pushAll(.5)
	for t := leaps; t > 0; t-- {
		for r := range n {
			push(c.around.Root, steps[r], c.row(p, r), c.row(x, r))
		}
		c.evaluate(x, f, slope)
		if t > 1 {
			c.pushAll(1)
		}
	}
	c.pushAll(.5)

	// Each end is accepted or not.
	for r := range n {
		gain := f[r] - num.Mul(.5, num.Dot(c.row(p, r), c.row(p, r))) - energy[r]
		if !(gain > -astray) {
			c.lost++
		}
		if gain >= 0 {
			chance++
		} else if gain > -700 {
			chance += num.Exp(gain)
		}
		if u[r] < gain && num.AllFinite(c.row(slope, r)) {
			copy(c.row(c.x, r), c.row(x, r))
			copy(c.row(c.slope, r), c.row(slope, r))
			c.f[r] = f[r]
		}
	}
	return chance / float64(n)
}

// pushAll adds to the momenta a share of the steps times the gradients by z.
func (c *chains) pushAll(share float64) {
	w := &c.way
	for r := range c.n {
		pull(c.around.Root, c.row(w.slope, r), w.byZ)
		num.Axpy(num.Mul(share, w.steps[r]), w.byZ, c.row(w.p, r))
	}
}

// refit takes the mean and covariance of the chains for the metric. In more than five dimensions the correlations that
// are left in the coordinates of the metric before are made smaller, since those of few chains are mostly noise; what
// that metric knew, as a direction in which the target is narrow, stays.
func (c *chains) refit() {
	dim, n := c.dim, float64(c.kept)
	mean, root := make([]float64, dim), make([]float64, dim*dim)
	for i := range mean {
		mean[i] = c.sum[i] / n
	}
	products := c.sum[dim:]
	for i := range dim {
		for j := range i + 1 {
			v := products[j]/n - num.Mul(mean[i], mean[j])
			root[i*dim+j], root[j*dim+i] = v, v
		}
		products = products[i+1:]
	}
	if dim > 5 {
		// Points of different chains are about independent; later points of a chain add little.
		root = shrunk(root, c.around.Root, dim, float64(c.n)/(float64(c.n)+5))
	} else if !num.Cholesky(root, dim, nil) {
		return
	}
	for i := range mean { // a direction so narrow is lost in differences of sums
		if row := root[i*dim : i*dim+i+1]; row[i]*row[i] < num.Mul(1e-13, num.Dot(row, row)) {
			return
		}
	}
	if num.AllFinite(root) {
		c.around = density.Base{Mean: mean, Root: root}
	}
}

// shrunk is the factor of a covariance, after its correlations in the coordinates of a metric were multiplied by a
// share; NaN where that is no covariance. It changes cov.
func shrunk(cov, metric []float64, dim int, share float64) []float64 {
	for range 2 { // metric^-1 cov metric^-T, row by row, twice
		for i := range dim {
			num.SolveLower(metric, dim, cov[i*dim:(i+1)*dim])
		}
		for i := range dim {
			for j := range i {
				cov[i*dim+j], cov[j*dim+i] = cov[j*dim+i], cov[i*dim+j]
			}
		}
	}
	for i := range cov {
		if i%(dim+1) != 0 {
			cov[i] *= share
		}
	}
	if !num.Cholesky(cov, dim, nil) {
		cov[0] = math.NaN()
		return cov
	}
	out := make([]float64, dim*dim)
	for i := range dim {
		for k := range i + 1 {
			num.Axpy(metric[i*dim+k], cov[k*dim:k*dim+k+1], out[i*dim:i*dim+k+1])
		}
	}
	return out
}
