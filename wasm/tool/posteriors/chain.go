package main

import (
	"errors"
	"math"
	"slices"

	"logzlab/core/num/rng"
)

// state is a point of a trajectory: position, momentum, gradient of log f, and log f.
type state struct {
	q, p, g []float64
	logF    float64
}

// clone returns a deep copy.
func (s state) clone() state {
	return state{slices.Clone(s.q), slices.Clone(s.p), slices.Clone(s.g), s.logF}
}

// chain is a No-U-Turn sampler ([Hoffman2014]) as in Stan: with multinomial sampling of the trajectory, a diagonal
// metric and a target acceptance of 0.8. It shares no code with the kernels of the lab.
type chain struct {
	logDensity func(x, out []float64) float64
	stream     rng.Stream
	current    state
	metric     []float64 // variances
	step       float64
	divergent  bool    // the last trajectory was divergent
	accept     float64 // mean acceptance of the last trajectory

	// State of the dual averaging of log step: its centre, the mean of log step, the mean of targetAcceptance minus the
	// acceptance, and the number of updates.
	mu, logStepMean, acceptanceGap, adaptations float64
}

// Constants of a trajectory.
const (
	maxDepth         = 10
	maxEnergyError   = 1000 // error of the energy, in nats, above which a trajectory is divergent
	targetAcceptance = .8   // acceptance
)

var errStart = errors.New("no start between -2 and 2 has a density")

// newChain returns a chain with dim coordinates that starts at a random point, each coordinate between -2 and 2.
// logDensity returns log f at x and sets out to its gradient. The error is errStart if no start has a finite log f and
// gradient.
func newChain(dim int, slope func(x, out []float64) float64, s rng.Stream) (*chain, error) {
	c := &chain{logDensity: slope, stream: s, metric: make([]float64, dim),
		current: state{make([]float64, dim), make([]float64, dim), make([]float64, dim), 0}}
	for i := range c.metric {
		c.metric[i] = 1
	}
	for range 100 {
		for i := range c.current.q {
			c.current.q[i] = 4*c.stream.Float64() - 2
		}
		if c.evaluate(&c.current); isFinite(c.current.logF) && !slices.ContainsFunc(c.current.g, func(x float64) bool { return !isFinite(x) }) {
			return c, nil
		}
	}
	return nil, errStart
}

// evaluate sets log f and its gradient at the position of s; NaN becomes -Inf.
func (c *chain) evaluate(s *state) {
	if s.logF = c.logDensity(s.q, s.g); math.IsNaN(s.logF) {
		s.logF = math.Inf(-1)
	}
}

// leap makes a leapfrog step.
func (c *chain) leap(s *state, step float64) {
	for i := range s.q {
		s.p[i] += step / 2 * s.g[i]
		s.q[i] += step * c.metric[i] * s.p[i]
	}
	c.evaluate(s)
	for i := range s.p {
		s.p[i] += step / 2 * s.g[i]
	}
}

// energy returns minus the log density of position and momentum.
func (c *chain) energy(s state) float64 {
	h := -s.logF
	for i, p := range s.p {
		h += c.metric[i] * p * p / 2
	}
	if math.IsNaN(h) {
		return math.Inf(1)
	}
	return h
}

// drawMomentum draws a new momentum.
func (c *chain) drawMomentum() {
	for i := range c.current.p {
		c.current.p[i] = c.stream.Normal() / math.Sqrt(c.metric[i])
	}
}

// tree is a part of a trajectory, in the order in which it was integrated.
type tree struct {
	first, last state     // the trajectory continues from last
	sum         []float64 // sum of the momenta
	sample      state
	logW        float64 // log of the sum of the weights exp(-energy error) of its points
	accepted, n float64
	isValid     bool
}

// isUTurn reports whether a part of a trajectory makes a U-turn, given the sum of its momenta and its first and last
// momentum p and q.
func (c *chain) isUTurn(sum, p, q []float64) bool {
	a, b := 0., 0.
	for i, s := range sum {
		a += s * c.metric[i] * p[i]
		b += s * c.metric[i] * q[i]
	}
	return !(a > 0 && b > 0)
}

// sumOf returns the elementwise sum.
func sumOf(a, b []float64) []float64 {
	out := slices.Clone(a)
	for i, x := range b {
		out[i] += x
	}
	return out
}

// logAdd returns log(exp(a) + exp(b)).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// grow returns a part of 2^depth points that follows the state from, and moves from to its end. h is the energy at the
// start of the trajectory. The part is not valid if it diverges or makes a U-turn.
func (c *chain) grow(from *state, depth int, step, h float64) tree {
	if depth == 0 {
		c.leap(from, step)
		energyError := c.energy(*from) - h
		if energyError > maxEnergyError || math.IsNaN(energyError) {
			c.divergent = true
			return tree{n: 1}
		}
		s := from.clone()
		return tree{first: s, last: s, sum: s.p, sample: s, logW: -energyError, accepted: min(1, math.Exp(-energyError)), n: 1, isValid: true}
	}
	a := c.grow(from, depth-1, step, h)
	if !a.isValid {
		return a
	}
	b := c.grow(from, depth-1, step, h)
	b.accepted, b.n = b.accepted+a.accepted, b.n+a.n
	if !b.isValid {
		return b
	}
	return c.join(a, b, func(logW float64) bool { return math.Log(c.stream.Float64()) < b.logW-logW })
}

// join returns the union of two consecutive parts. takesB decides, given the log of their joint weight, whether the
// sample of b replaces that of a.
func (c *chain) join(a, b tree, takesB func(logW float64) bool) tree {
	t := tree{first: a.first, last: b.last, sum: sumOf(a.sum, b.sum), sample: a.sample, logW: logAdd(a.logW, b.logW),
		accepted: b.accepted, n: b.n}
	if takesB(t.logW) {
		t.sample = b.sample
	}
	t.isValid = !c.isUTurn(t.sum, a.first.p, b.last.p) && !c.isUTurn(sumOf(a.sum, b.first.p), a.first.p, b.first.p) &&
		!c.isUTurn(sumOf(b.sum, a.last.p), a.last.p, b.last.p)
	return t
}

// reversed returns the part in reverse order. Momenta keep their sign, which does not affect isUTurn.
func (t tree) reversed() tree {
	t.first, t.last = t.last, t.first
	return t
}

// move makes a transition.
func (c *chain) move() {
	c.drawMomentum()
	c.divergent = false
	h := c.energy(c.current)
	start := c.current.clone()
	trajectory := tree{first: start, last: start, sum: start.p, sample: start, isValid: true} // in the order of time
	accepted, n := 0., 0.
	for depth := 0; depth < maxDepth; depth++ {
		step, isForward := c.step, c.stream.Float64() < .5
		end := trajectory.last.clone()
		if !isForward {
			step, end = -c.step, trajectory.first.clone()
		}
		extension := c.grow(&end, depth, step, h)
		accepted, n = accepted+extension.accepted, n+extension.n
		if !extension.isValid {
			break
		}
		if math.Log(c.stream.Float64()) < extension.logW-trajectory.logW {
			trajectory.sample = extension.sample
		}
		never := func(float64) bool { return false }
		if isForward {
			trajectory = c.join(trajectory, extension, never)
		} else {
			pick := trajectory.sample
			trajectory = c.join(extension.reversed(), trajectory, never)
			trajectory.sample = pick
		}
		if !trajectory.isValid {
			break
		}
	}
	c.current, c.accept = trajectory.sample.clone(), accepted/n
}

// firstStep doubles or halves the step until the acceptance of a leapfrog step crosses targetAcceptance, and resets the
// dual averaging.
func (c *chain) firstStep() {
	if c.step == 0 {
		c.step = 1
	}
	direction := 0.
	for range 100 {
		c.drawMomentum()
		h, s := c.energy(c.current), c.current.clone()
		c.leap(&s, c.step)
		trial := -1.
		if h-c.energy(s) > math.Log(targetAcceptance) {
			trial = 1
		}
		if direction == 0 {
			direction = trial
		}
		if trial != direction || c.step > 1e7 || c.step < 1e-12 {
			break
		}
		c.step *= math.Pow(2, direction)
	}
	c.mu, c.logStepMean, c.acceptanceGap, c.adaptations = math.Log(10*c.step), 0, 0, 0
}

// adapt updates log step after a trajectory by dual averaging.
func (c *chain) adapt() {
	const shrink, delay, decay = .05, 10, .75
	c.adaptations++
	c.acceptanceGap += (targetAcceptance - c.accept - c.acceptanceGap) / (c.adaptations + delay)
	x := c.mu - c.acceptanceGap*math.Sqrt(c.adaptations)/shrink
	w := math.Pow(c.adaptations, -decay)
	c.logStepMean = w*x + (1-w)*c.logStepMean
	c.step = math.Exp(x)
}

// warmUp makes n transitions that adapt step and metric, as in Stan: 75 for the step alone; windows of 25, 50, 100,
// ..., after each of which the metric is set; and 50 for the step alone. It returns false, early, if mayContinue does.
func (c *chain) warmUp(n int, mayContinue func() bool) bool {
	const begin, end = 75, 50
	c.firstStep()
	window, next := 25, begin+25
	var mean, square []float64
	count := 0.
	for i := range n {
		if !mayContinue() {
			return false
		}
		c.move()
		c.adapt()
		if i < begin || i >= n-end {
			continue
		}
		if count == 0 {
			mean, square = make([]float64, len(c.metric)), make([]float64, len(c.metric))
		}
		count++
		for j, x := range c.current.q {
			d := x - mean[j]
			mean[j] += d / count
			square[j] += d * (x - mean[j])
		}
		if i+1 != next {
			continue
		}
		for j := range c.metric { // as Stan does
			c.metric[j] = count/(count+5)*square[j]/(count-1) + 1e-3*5/(count+5)
		}
		count = 0
		if window *= 2; next+window*3 > n-end {
			next = n - end
		} else {
			next += window
		}
		c.firstStep()
	}
	c.step = math.Exp(c.logStepMean)
	return true
}
