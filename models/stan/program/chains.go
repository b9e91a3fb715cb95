package program

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/models/density"
	"logzlab/models/stan/tape"
)

// chains are Hamiltonian Monte Carlo chains at the target of a tape. They move together, with unit masses in the
// coordinates z of a metric, x = mean + root z.
type chains struct {
	metric      density.Base
	evaluator   *tape.Evaluator
	key         rng.Key
	phase       uint32
	n, dim      int
	transitions uint32 // so far; part of the address of random numbers
	stepSize    float64
	x, grad     []float64 // points and gradients, by rows
	logF        []float64
	moments     []float64 // density.Moments of the points counted by run
	samples     int       // number of these points
	evaluations int       // gradients so far
	divergences int       // trajectories with an energy error above maxEnergyError
	proposal    trajectories
}

// trajectories is the state of one trajectory of each chain. By rows: points, gradients with respect to x, momenta. By
// chain: the log density, the log of the initial joint density, the log of the uniform number for the acceptance, the
// step. gradZ is work space for one gradient with respect to z.
type trajectories struct{ x, grad, p, logF, logJoint, logU, steps, gradZ []float64 }

func newTrajectories(n, dim int) trajectories {
	rows, row := func() []float64 { return make([]float64, n*dim) }, func() []float64 { return make([]float64, n) }
	return trajectories{rows(), rows(), rows(), row(), row(), row(), row(), make([]float64, dim)}
}

// Parameters of trajectories.
const (
	trajectoryLength = 1.5 // in z, in which the standard deviation is about 1
	maxLeaps         = 32  // largest mean number of leapfrog steps
	maxEnergyError   = 10  // nats; a trajectory with a larger error is divergent
)

// meanLeaps returns the mean number of leapfrog steps of a trajectory for a step size.
func meanLeaps(step float64) int { return min(max(int(math.Ceil(trajectoryLength/step)), 1), maxLeaps) }

// leapTime estimates the nanoseconds of a leapfrog step of one chain: a gradient, and two products with the metric.
func leapTime(t *tape.Tape) float64 {
	dim := float64(t.Dim())
	return num.Mul(4, t.EvalTime()) + num.Mul(.7, dim*dim)
}

// redrawPhase is added to the phase of the random numbers of redrawn starts.
const redrawPhase = 1000

// newChains starts n chains from draws of a normal distribution, which is also their metric. Starts of density 0 are
// redrawn up to maxRedraws times. A chain without a finite log density and gradient starts from the mean.
func newChains(t *tape.Tape, initial density.Base, key rng.Key, number uint32, n int) *chains {
	dim := t.Dim()
	c := &chains{metric: initial, evaluator: t.Evaluator(n), key: key, phase: 10 + number, n: n, dim: dim,
		stepSize: 1 / math.Sqrt(math.Sqrt(float64(dim))), x: make([]float64, n*dim), grad: make([]float64, n*dim),
		logF: make([]float64, n), proposal: newTrajectories(n, dim)}
	for r := range n {
		s := key.Stream(c.phase, uint32(r), 0)
		initial.Draw(&s, c.row(c.x, r))
	}
	c.evaluate(c.x, c.logF, c.grad)
	for k := uint32(1); k <= maxRedraws && slices.Contains(c.logF, math.Inf(-1)); k++ {
		for r, f := range c.logF {
			if math.IsInf(f, -1) {
				s := key.Stream(c.phase+redrawPhase, uint32(r), k)
				initial.Draw(&s, c.row(c.x, r))
			}
		}
		c.evaluate(c.x, c.logF, c.grad)
	}
	for r, f := range c.logF {
		if !num.Finite(f) || !num.AllFinite(c.row(c.grad, r)) {
			copy(c.row(c.x, r), initial.Mean)
		}
	}
	c.evaluate(c.x, c.logF, c.grad)
	return c
}

// row returns row r of x.
func (c *chains) row(x []float64, r int) []float64 { return x[r*c.dim : (r+1)*c.dim] }

// evaluate sets f and slope to log densities and gradients at the points x.
func (c *chains) evaluate(x, f, slope []float64) {
	c.evaluator.Eval(x, c.n)
	c.evaluator.Gradient(slope)
	for r := range f {
		f[r] = c.evaluator.Target(r)
	}
}

// run makes transitions, adapts the step to an acceptance rate of .8, and sums moments over the second half. The final
// step is the geometric mean over the second half. After transition t with mean acceptance a, the log of the step grows
// by
//
//	2 t^-.6 (a - .8),
//
// the recursion of Robbins and Monro ([Robbins1951]).
func (c *chains) run(transitions int) {
	c.moments, c.samples = make([]float64, stats.MomentCount(c.dim)), 0
	logStep, sumLogStep := num.Log(c.stepSize), 0.
	for t := 1; t <= transitions; t++ {
		c.transitions++
		acceptance := c.transition(num.Exp(logStep))
		logStep += num.Mul(2*num.Exp(-num.Mul(.6, num.Log(float64(t)))), acceptance-.8)
		if t <= transitions/2 {
			continue
		}
		sumLogStep += logStep
		for i, v := range density.Moments(c.x, nil, c.dim) {
			c.moments[i] += v
		}
		c.samples += c.n
	}
	c.stepSize = num.Exp(sumLogStep / float64(transitions-transitions/2))
}

// transition moves all chains by one trajectory each and returns their mean acceptance probability. All trajectories
// have the same number of leapfrog steps, so that they can be evaluated together.
func (c *chains) transition(step float64) (acceptance float64) {
	n, w := c.n, &c.proposal
	x, slope, p, f, logJoint, logU, steps := w.x, w.grad, w.p, w.logF, w.logJoint, w.logU, w.steps
	copy(x, c.x)
	copy(slope, c.grad)

	// Draw momenta, and a number of leapfrog steps that is uniform from 1 to twice the mean minus 1.
	leaps := 1
	for r := range n {
		s := c.key.Stream(c.phase, uint32(r), c.transitions)
		steps[r] = num.Mul(step, density.Jitter(&s))
		s.Norms(c.row(p, r))
		logU[r] = num.Log(s.Float64())
		logJoint[r] = c.logF[r] - num.Mul(.5, num.Dot(c.row(p, r), c.row(p, r)))
		if r == 0 {
			leaps = 1 + s.Intn(2*meanLeaps(step)-1)
		}
	}

	// Leapfrog: half kick, steps with kicks between them, half kick.
	c.evaluations += n * leaps
	c.kick(.5)
	for t := leaps; t > 0; t-- {
		for r := range n {
			addRootTimes(c.metric.Root, steps[r], c.row(p, r), c.row(x, r))
		}
		c.evaluate(x, f, slope)
		if t > 1 {
			c.kick(1)
		}
	}
	c.kick(.5)

	// Accept or reject. gain is minus the energy error.
	for r := range n {
		gain := f[r] - num.Mul(.5, num.Dot(c.row(p, r), c.row(p, r))) - logJoint[r]
		if !(gain > -maxEnergyError) {
			c.divergences++
		}
		if gain >= 0 {
			acceptance++
		} else if gain > -700 {
			acceptance += num.Exp(gain)
		}
		if logU[r] < gain && num.AllFinite(c.row(slope, r)) {
			copy(c.row(c.x, r), c.row(x, r))
			copy(c.row(c.grad, r), c.row(slope, r))
			c.logF[r] = f[r]
		}
	}
	return acceptance / float64(n)
}

// kick adds to the momenta a fraction of the steps times the gradients with respect to z.
func (c *chains) kick(fraction float64) {
	w := &c.proposal
	for r := range c.n {
		rootTTimes(c.metric.Root, c.row(w.grad, r), w.gradZ)
		num.Axpy(num.Mul(fraction, w.steps[r]), w.gradZ, c.row(w.p, r))
	}
}

// refitMetric sets the metric to the mean and the covariance of the moments summed by run. In more than five dimensions
// correlations in the coordinates z of the old metric are multiplied by n/(n+5) for n chains, because correlations of
// few chains are mostly noise (shrinkCorrelations). Correlations that the old metric had, such as those of a direction
// in which the target is narrow, are thus kept. n counts chains, since later points of a chain add little information.
// If the fit is not a covariance, or has lost its precision, the metric stays.
func (c *chains) refitMetric() {
	dim := c.dim
	mean, root := stats.MeanCov(c.moments, float64(c.samples), 1, dim)
	if dim > 5 {
		root = shrinkCorrelations(root, c.metric.Root, dim, float64(c.n)/(float64(c.n)+5))
	} else if !num.Cholesky(root, dim, nil) {
		return
	}
	for i := range mean { // a conditional variance this small is rounding error of a difference of sums
		if row := root[i*dim : i*dim+i+1]; row[i]*row[i] < num.Mul(1e-13, num.Dot(row, row)) {
			return
		}
	}
	if num.AllFinite(root) {
		c.metric = density.Base{Mean: mean, Root: root}
	}
}

// shrinkCorrelations multiplies the off-diagonal elements of a covariance, in the coordinates of a metric with factor
// R, by factor. It returns the Cholesky factor R chol(S), where S = R^-1 cov R^-T has these elements shrunk; the first
// element is NaN if S is not positive definite. It overwrites cov.
func shrinkCorrelations(cov, metric []float64, dim int, factor float64) []float64 {
	for range 2 { // each pass solves for all rows and transposes, as cov is symmetric
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
			cov[i] *= factor
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
