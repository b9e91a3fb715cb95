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

func (s state) clone() state {
	return state{slices.Clone(s.q), slices.Clone(s.p), slices.Clone(s.g), s.logF}
}

// chain is a No-U-Turn sampler ([Hoffman2014]) as in Stan: multinomial, with a diagonal metric and an acceptance of
// 0.8. It shares no code with the kernels of the lab.
type chain struct {
	slope  func(x, out []float64) float64
	s      rng.Stream
	at     state
	metric []float64 // variances
	step   float64
	astray bool    // the last trajectory was divergent
	accept float64 // mean acceptance of the last trajectory

	// Dual averaging of log step.
	mu, bar, gap, n float64
}

// Constants of a trajectory.
const (
	mostDepth = 10
	mostError = 1000 // error of the energy in nats above which it is divergent
	wanted    = .8   // acceptance
)

var errStart = errors.New("no start between -2 and 2 has a density")

// newChain returns a chain that starts at a random point between -2 and 2.
func newChain(dim int, slope func(x, out []float64) float64, s rng.Stream) (*chain, error) {
	c := &chain{slope: slope, s: s, metric: make([]float64, dim),
		at: state{make([]float64, dim), make([]float64, dim), make([]float64, dim), 0}}
	for i := range c.metric {
		c.metric[i] = 1
	}
	for range 100 {
		for i := range c.at.q {
			c.at.q[i] = 4*c.s.Float64() - 2
		}
		if c.look(&c.at); known(c.at.logF) && !slices.ContainsFunc(c.at.g, func(x float64) bool { return !known(x) }) {
			return c, nil
		}
	}
	return nil, errStart
}

func (c *chain) look(s *state) {
	if s.logF = c.slope(s.q, s.g); math.IsNaN(s.logF) {
		s.logF = math.Inf(-1)
	}
}

// leap makes a leapfrog step.
func (c *chain) leap(s *state, step float64) {
	for i := range s.q {
		s.p[i] += step / 2 * s.g[i]
		s.q[i] += step * c.metric[i] * s.p[i]
	}
	c.look(s)
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

func (c *chain) kick() {
	for i := range c.at.p {
		c.at.p[i] = c.s.Normal() / math.Sqrt(c.metric[i])
	}
}

// tree is a piece of a trajectory, in the order of its direction.
type tree struct {
	first, last state // the trajectory continues from last
	sum         []float64
	pick        state
	logW        float64 // of all its points
	accepted, n float64
	ok          bool
}

// turned reports whether a piece with this sum of momenta makes a U-turn.
func (c *chain) turned(sum, p, q []float64) bool {
	a, b := 0., 0.
	for i, s := range sum {
		a += s * c.metric[i] * p[i]
		b += s * c.metric[i] * q[i]
	}
	return !(a > 0 && b > 0)
}

func added(a, b []float64) []float64 {
	out := slices.Clone(a)
	for i, x := range b {
		out[i] += x
	}
	return out
}

func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// grow makes a piece of 2^depth points after from, and moves from to its end.
func (c *chain) grow(from *state, depth int, step, h float64) tree {
	if depth == 0 {
		c.leap(from, step)
		off := c.energy(*from) - h
		if off > mostError || math.IsNaN(off) {
			c.astray = true
			return tree{n: 1}
		}
		s := from.clone()
		return tree{first: s, last: s, sum: s.p, pick: s, logW: -off, accepted: min(1, math.Exp(-off)), n: 1, ok: true}
	}
	a := c.grow(from, depth-1, step, h)
	if !a.ok {
		return a
	}
	b := c.grow(from, depth-1, step, h)
	b.accepted, b.n = b.accepted+a.accepted, b.n+a.n
	if !b.ok {
		return b
	}
	return c.joined(a, b, func(logW float64) bool { return math.Log(c.s.Float64()) < b.logW-logW })
}

// joined joins two consecutive pieces. takes decides by the weights of both whether the point of b is chosen.
func (c *chain) joined(a, b tree, takes func(logW float64) bool) tree {
	t := tree{first: a.first, last: b.last, sum: added(a.sum, b.sum), pick: a.pick, logW: logAdd(a.logW, b.logW),
		accepted: b.accepted, n: b.n}
	if takes(t.logW) {
		t.pick = b.pick
	}
	t.ok = !c.turned(t.sum, a.first.p, b.last.p) && !c.turned(added(a.sum, b.first.p), a.first.p, b.first.p) &&
		!c.turned(added(b.sum, a.last.p), a.last.p, b.last.p)
	return t
}

// back reverses a piece. Momenta keep their direction, which does not affect the criterion.
func (t tree) back() tree {
	t.first, t.last = t.last, t.first
	return t
}

// move makes a transition.
func (c *chain) move() {
	c.kick()
	c.astray = false
	h := c.energy(c.at)
	start := c.at.clone()
	all := tree{first: start, last: start, sum: start.p, pick: start, ok: true} // in the order of time
	accepted, n := 0., 0.
	for depth := 0; depth < mostDepth; depth++ {
		step, ahead := c.step, c.s.Float64() < .5
		end := all.last.clone()
		if !ahead {
			step, end = -c.step, all.first.clone()
		}
		more := c.grow(&end, depth, step, h)
		accepted, n = accepted+more.accepted, n+more.n
		if !more.ok {
			break
		}
		if math.Log(c.s.Float64()) < more.logW-all.logW {
			all.pick = more.pick
		}
		never := func(float64) bool { return false }
		if ahead {
			all = c.joined(all, more, never)
		} else {
			pick := all.pick
			all = c.joined(more.back(), all, never)
			all.pick = pick
		}
		if !all.ok {
			break
		}
	}
	c.at, c.accept = all.pick.clone(), accepted/n
}

// firstStep doubles or halves the step until the acceptance of a leapfrog step is about as wanted, and starts its
// averages.
func (c *chain) firstStep() {
	if c.step == 0 {
		c.step = 1
	}
	way := 0.
	for range 100 {
		c.kick()
		h, s := c.energy(c.at), c.at.clone()
		c.leap(&s, c.step)
		up := -1.
		if h-c.energy(s) > math.Log(wanted) {
			up = 1
		}
		if way == 0 {
			way = up
		}
		if up != way || c.step > 1e7 || c.step < 1e-12 {
			break
		}
		c.step *= math.Pow(2, way)
	}
	c.mu, c.bar, c.gap, c.n = math.Log(10*c.step), 0, 0, 0
}

// adapt changes log step by the acceptance of a trajectory.
func (c *chain) adapt() {
	const shrink, delay, decay = .05, 10, .75
	c.n++
	c.gap += (wanted - c.accept - c.gap) / (c.n + delay)
	x := c.mu - c.gap*math.Sqrt(c.n)/shrink
	w := math.Pow(c.n, -decay)
	c.bar = w*x + (1-w)*c.bar
	c.step = math.Exp(x)
}

// warm makes n transitions that adapt step and metric: 75, windows of 25, 50, 100, ..., and 50. It ends early if going
// returns false.
func (c *chain) warm(n int, going func() bool) bool {
	const begin, end = 75, 50
	c.firstStep()
	window, next := 25, begin+25
	var mean, square []float64
	count := 0.
	for i := range n {
		if !going() {
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
		for j, x := range c.at.q {
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
	c.step = math.Exp(c.bar)
	return true
}
