package tape

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/rng"
	ops "logzlab/core/tape"
	"logzlab/models/density"
)

// Sizes of a walk: transitions of each chain, the second half of which is looked at; parts that it adds at most.
const (
	walkSteps = 160
	walkParts = 2
)

// walk looks for modes where few climbs end at one: where a density has no top, as at a scale of 0, climbs go there,
// although it has no mass. Chains start at scattered points from which a climb has reached the log density that the
// target has, and walk. Those that come to a part of the base count as climbs, others against them. Where one ends
// elsewhere, the base gets a part there.
func (p *pilot) walk(t *ops.Tape, points *ops.Points, key rng.Key) {
	ends := p.ends(t, points, key)
	for range walkParts {
		far := slices.IndexFunc(ends, func(x []float64) bool { return num.AllFinite(x) && !p.reaches(x) })
		if far < 0 {
			break
		}
		n := len(p.base.parts)
		p.addPart(t, density.Base{Mean: ends[far], Root: p.space.Root}, key, n, 1)
		p.finish(points.LogF, key)
	}
	came := 0
	for _, x := range ends {
		if p.reaches(x) {
			came++
		}
	}
	p.climbs = max(p.climbs, 2*came-len(ends))
	p.modes = max(p.modes, len(p.base.parts))
}

// ends are the means of the chains over the second half of the walk.
func (p *pilot) ends(t *ops.Tape, points *ops.Points, key rng.Key) [][]float64 {
	dim := t.Dim()
	c := newChains(t, p.space, key, 100, pilotStarts)
	up := climber{dim: dim, slope: points.Slope, high: p.level,
		left: max(min(int(.3*pilotWork/(4*t.Work())), 400*pilotStarts), 200)}
	p.spent += up.left

	// The chains begin where climbs end.
	for i := range pilotStarts {
		x, s := c.row(c.x, i), key.Stream(5, uint32(i), 0)
		scatter(&s, x, startScales[0])
		for k := 0; math.IsInf(points.LogF(x), -1) && k < pilotDraws; k++ {
			scatter(&s, x, startScales[0])
		}
		up.climb(x)
	}
	p.spent -= up.left
	c.evaluate(c.x, c.f, c.slope)

	// How many transitions the work allows.
	leaps, steps := 0, density.FinerSteps // the target may be narrower in places than the steps around the part suit
	for _, s := range steps {
		leaps += leapsOf(s * p.step)
	}
	each := float64(pilotStarts*leaps) / float64(len(steps)) * leapTime(t)
	n := len(steps) * max(min(walkSteps, int(.5*pilotWork/each))/len(steps), 2)

	// The walk; the second half makes the means.
	ends := make([]float64, pilotStarts*dim)
	for k := range n {
		c.at++
		before := c.lost
		c.transition(num.Mul(steps[k%len(steps)], p.step))
		if k < n/2 {
			continue
		}
		num.Axpy(1/float64(n-n/2), c.x, ends)
		if k%len(steps) == 0 {
			p.lost += float64(c.lost-before) / float64(pilotStarts*((n-n/2)/len(steps)))
		}
	}
	p.spent += c.spent

	// The means, or NaN for a chain that is lost.
	out := make([][]float64, pilotStarts)
	for i := range out {
		if out[i] = c.row(ends, i); !num.Finite(c.f[i]) {
			out[i] = []float64{math.NaN()}
		}
	}
	return out
}

// reaches reports whether a mean is within a part of the base.
func (p *pilot) reaches(x []float64) bool {
	return num.AllFinite(x) && slices.ContainsFunc(p.around, func(b density.Base) bool { return near(&b, x) })
}
