package program

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/models/density"
)

// Limits of a walk.
const (
	walkTransitions   = 160 // of each chain; means are over the second half
	maxWalkComponents = 2   // components that a walk adds to the base
)

// walk looks for modes by chains if few climbs end at a mode. If the density has no maximum, for example because a
// scale can go to 0, climbs go there although there is no mass. Chains run from scattered starts, and their means
// (chainMeans) are compared with the base. Up to maxWalkComponents times, the base gets a component at a mean that it
// does not cover. In the end each covered mean counts as a climb that found a mode, and each other mean subtracts one.
func (p *pilot) walk() {
	means := p.chainMeans()
	for range maxWalkComponents {
		uncovered := slices.IndexFunc(means, func(x []float64) bool { return num.AllFinite(x) && !p.covers(x) })
		if uncovered < 0 {
			break
		}
		p.addComponent(density.Base{Mean: means[uncovered], Root: p.metric.Root}, len(p.base.components), 1)
		p.updateBase()
	}
	covered := 0
	for _, x := range means {
		if p.covers(x) {
			covered++
		}
	}
	p.climbs = max(p.climbs, covered-(len(means)-covered))
	p.modes = max(p.modes, len(p.base.components))
}

// chainMeans runs Hamiltonian Monte Carlo chains and returns the mean of each over the second half, or {NaN} for a
// chain whose log density is not finite at its end. A chain starts at the point where a climb from a uniform draw first
// reaches chainLogF, the typical log density around the last component of the base.
func (p *pilot) chainMeans() [][]float64 {
	dim := p.t.Dim()
	c := newChains(p.t, p.metric, p.key, 100, walkChains)
	ascent := climber{dim: dim, grad: p.points.Gradient, target: p.chainLogF,
		budget: max(min(int(.3*maxPilotTime/(4*p.t.EvalTime())), 400*walkChains), 200)}
	for i := range walkChains {
		x, s := c.row(c.x, i), p.key.Stream(5, uint32(i), 0)
		drawUniform(&s, x, startScales[0])
		for k := 0; math.IsInf(p.points.LogF(x), -1) && k < maxRedraws; k++ {
			drawUniform(&s, x, startScales[0])
		}
		ascent.climb(x)
	}
	c.evaluate(c.x, c.logF, c.grad)

	// Step sizes alternate, because the target may be narrower in places than around the component to which stepSize
	// was adapted. Transitions take at most half of the time of the pilot.
	leaps, steps := 0, density.StepFactors
	for _, s := range steps {
		leaps += meanLeaps(s * p.stepSize)
	}
	transitionTime := float64(walkChains*leaps) / float64(len(steps)) * leapTime(p.t)
	n := len(steps) * max(min(walkTransitions, int(.5*maxPilotTime/transitionTime))/len(steps), 2)

	// Divergences are counted for full steps only, steps[0] = 1, in the second half.
	means := make([]float64, walkChains*dim)
	for k := range n {
		c.transitions++
		before := c.divergences
		c.transition(num.Mul(steps[k%len(steps)], p.stepSize))
		if k < n/2 {
			continue
		}
		num.Axpy(1/float64(n-n/2), c.x, means)
		if k%len(steps) == 0 {
			p.divergent += float64(c.divergences-before) / float64(walkChains*((n-n/2)/len(steps)))
		}
	}
	out := make([][]float64, walkChains)
	for i := range out {
		if out[i] = c.row(means, i); !num.Finite(c.logF[i]) {
			out[i] = []float64{math.NaN()}
		}
	}
	return out
}

// covers reports whether x is near the chains of a component of the base.
func (p *pilot) covers(x []float64) bool {
	return num.AllFinite(x) && slices.ContainsFunc(p.chainNormals, func(b density.Base) bool { return near(&b, x) })
}
