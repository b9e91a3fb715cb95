package program

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/models/density"
)

// Limits of a walk.
const (
	walkTransitions = 160 // of each chain; means are over the second half
	maxWalkParts    = 2   // parts that it adds to the base
)

// walk looks for modes by chains, where few climbs end at a mode: where the density has no maximum, as where a scale
// may go to 0, climbs follow it there although there is no mass. Chains run from scattered starts, and their means
// (chainMeans) are compared with the base. Up to maxWalkParts times, the base gets a part at a mean that it does not
// cover. In the end each covered mean counts as a climb that found a mode, and each other mean takes one away.
func (p *pilot) walk() {
	means := p.chainMeans()
	for range maxWalkParts {
		uncovered := slices.IndexFunc(means, func(x []float64) bool { return num.AllFinite(x) && !p.covers(x) })
		if uncovered < 0 {
			break
		}
		p.addPart(density.Base{Mean: means[uncovered], Root: p.metric.Root}, len(p.base.parts), 1)
		p.updateBase()
	}
	covered := 0
	for _, x := range means {
		if p.covers(x) {
			covered++
		}
	}
	p.climbs = max(p.climbs, covered-(len(means)-covered))
	p.modes = max(p.modes, len(p.base.parts))
}

// chainMeans runs chains of Hamiltonian Monte Carlo and returns the mean of each over the second half, {NaN} for a
// chain that has no finite log density at its end. A chain starts where a climb from a uniform draw first reaches
// chainLogF, the log density that is usual around the last part of the base.
func (p *pilot) chainMeans() [][]float64 {
	dim := p.t.Dim()
	c := newChains(p.t, p.metric, p.key, 100, walkChains)
	ascent := climber{dim: dim, slope: p.points.Slope, target: p.chainLogF,
		budget: max(min(int(.3*maxPilotTime/(4*p.t.Work())), 400*walkChains), 200)}
	for i := range walkChains {
		x, s := c.row(c.x, i), p.key.Stream(5, uint32(i), 0)
		drawUniform(&s, x, startScales[0])
		for k := 0; math.IsInf(p.points.LogF(x), -1) && k < maxRedraws; k++ {
			drawUniform(&s, x, startScales[0])
		}
		ascent.climb(x)
	}
	c.evaluate(c.x, c.logF, c.slope)

	// Steps of several sizes take turns, since the target may be narrower in places than around the part to which
	// stepSize was adapted. The number of transitions is what half of the time of the pilot allows.
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

// covers reports whether x is near the chains of a part of the base.
func (p *pilot) covers(x []float64) bool {
	return num.AllFinite(x) && slices.ContainsFunc(p.chainNormals, func(b density.Base) bool { return near(&b, x) })
}
