package tape

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/core/stats"
	ops "logzlab/core/tape"
	"logzlab/models"
	"logzlab/models/density"
)

// Sizes of the pilot.
const (
	pilotStarts = 12  // chains of a walk
	pilotDraws  = 100 // of a start whose density is 0, at most
	pilotModes  = 30  // modes that get a part of the base, at most
	pilotChains = 16  // around each mode
	leastWindow = 8   // transitions between two fits of the covariance, at least
	pilotWork   = 2e9 // nanoseconds that it may plan to take
	pilotFar    = 4   // standard deviations between modes that are two
	pilotMissed = 3   // nats of the target that are found elsewhere than in the base
)

// windows are the transitions of the chains between two fits of their covariance.
var windows = [...]int{15, 25, 40, 80}

// pilot is the run that makes a base, and what it has found so far. It depends on the tape alone.
type pilot struct {
	t                *ops.Tape
	base             mixture
	peaks            []density.Base // the normal distributions around the modes of the search
	around           []density.Base // the chains around each mode
	steps            []float64      // of their leapfrogs
	draws            []float64      // last points of all chains, by rows
	space            density.Base   // of the coordinates: one of around
	step             float64        // of a leapfrog in these coordinates
	climbs, modes    int            // climbs that ended at a mode, and modes found
	unseenModes      float64        // expected share of climbs that would end at a mode not found
	found            []models.Mode  // the modes, those of most mass first
	spent            int            // evaluations
	least            float64        // see floor
	level            float64        // mean log density of the chains around the last part
	tails            []tail         // of each coordinate
	unseen           int            // coordinates whose tails were not looked at
	beyond           float64        // nats by which mass far out is more than all that was found
	edges            int            // coordinates along which the support ends at once
	cutOff           float64        // log density where numbers end, as of tails
	judged           bool           // effective and drawn are known (quality)
	effective, drawn float64        // effective share of draws from the base, and the log of the sum of their weights
	lost             float64        // share of the trajectories of a walk that went astray at full steps
}

// findBase is a pilot that has run to its end.
func findBase(t *ops.Tape) *pilot {
	p := newPilot(t)
	p.complete()
	return p
}

// pilotKey is the key of a pilot's random numbers.
func pilotKey(t *ops.Tape) rng.Key { return rng.NewKey(0, "base", t.Dim()) }

// newPilot looks for the base of a tape's path. A search finds modes (search.go). Around each mode, chains of
// Hamiltonian Monte Carlo run at the target, and their covariance is fitted several times, each time with the metric of
// the fit before; the last fit, widened, is a part of the base. Modes without mass, as in the neck of a funnel, do not
// count.
func newPilot(t *ops.Tape) *pilot {
	key, p, points := pilotKey(t), &pilot{t: t}, t.Points()
	s := newSearch(t, points, key)
	s.run()
	p.climbs, p.modes, p.unseenModes, p.found, p.spent = s.climbs, len(s.basins), s.unseen(), s.modes(), s.evaluations
	p.peaks = s.parts()
	if wide, ok := s.envelope(); ok {
		p.peaks = []density.Base{wide}
		p.addEnvelope(t, wide, key)
	} else {
		for k, part := range p.peaks {
			p.addPart(t, part, key, k, len(p.peaks))
		}
	}
	p.finish(points.LogF, key)
	return p
}

// complete looks for what climbs cannot find: more of the target around the modes and at scattered points, where chains
// go that start elsewhere, and tails.
func (p *pilot) complete() {
	t, key, points := p.t, pilotKey(p.t), p.t.Points()
	for k, part := range p.peaks[:min(p.modes, len(p.peaks))] { // without a mode there is no top
		if wide, ok := p.wider(points.LogF, part, key, k); ok {
			p.modes++
			p.addPart(t, wide, key, len(p.base.parts), 1)
			p.finish(points.LogF, key)
		}
	}
	if part, found := scattered(points.LogF, key, t.Dim()); found > p.integral()+pilotMissed {
		if p.addPart(t, part, key, len(p.base.parts), 1); p.outweighs(points.LogF, key) {
			p.climbs, p.modes = 0, 0
		}
	}
	if p.climbs < models.LeastClimbs {
		p.walk(t, points, key)
	}

	// Tails.
	for range mostFarther {
		tails := newTails(p)
		p.edges = tails.edges()
		p.cutOff = tails.cutOff
		if p.tails, p.unseen = tails.look(); !p.goFarther(t, &tails.heaviest, key) {
			break
		}
	}
	if p.modes > 0 {
		p.addHeavy(p.peaks[0], key)
	}
}

// addPart adds a part to the base: chains around a normal distribution are fitted. of is the number of parts that share
// the work.
func (p *pilot) addPart(t *ops.Tape, around density.Base, key rng.Key, number, of int) {
	c := newChains(t, around, key, uint32(number), pilotChains)
	left := pilotWork / (leapTime(t) * float64(of)) // evaluations
	for _, n := range windows {
		n = max(min(n, int((left-float64(c.spent))/float64(pilotChains*leapsOf(c.step)))), leastWindow)
		c.run(n)
		c.refit()
	}
	p.spent += c.spent
	p.level, _ = stats.MeanVar(c.f)
	p.keep(c, newPart(c.around))
}

// keep adds a part and the chains around it.
func (p *pilot) keep(c *chains, b part) {
	p.base.parts = append(p.base.parts, b)
	p.around, p.steps = append(p.around, c.around), append(p.steps, c.step)
	p.draws = append(p.draws, c.x...)
}

// addEnvelope adds a part that covers all modes and is not fitted to chains, which stay at the modes where they start.
func (p *pilot) addEnvelope(t *ops.Tape, wide density.Base, key rng.Key) {
	c := newChains(t, wide, key, 300, pilotChains)
	c.run(windows[len(windows)-1])
	p.spent += c.spent
	p.keep(c, newPart(wide))
}

// integral is the log of the integral of the target by draws of the base.
func (p *pilot) integral() float64 { return p.least + floorBelow }

// outweighs weighs the parts, and leaves only the last one where it has about all of the target.
func (p *pilot) outweighs(logF func(x []float64) float64, key rng.Key) bool {
	last := len(p.base.parts) - 1
	p.finish(logF, key)
	if p.base.logW[last] <= num.Log(1-num.Mul(2*leastShare, float64(last))) {
		return false
	}
	p.base.parts, p.around, p.steps = p.base.parts[last:], p.around[last:], p.steps[last:]
	p.draws = p.draws[len(p.draws)-pilotChains*len(p.space.Mean):]
	p.finish(logF, key)
	return true
}

// finish weighs the parts, and takes the coordinates of that with the highest mode, or of a heavier one.
func (p *pilot) finish(logF func(x []float64) float64, key rng.Key) {
	n := len(p.base.parts)
	p.base.logW = slices.Repeat([]float64{-num.Log(float64(n))}, n)
	if n > 1 {
		p.base.weigh(logF, key, len(p.around[0].Mean))
	}
	best := 0
	for k, w := range p.base.logW {
		if w > p.base.logW[best]+1 {
			best = k
		}
	}
	p.space, p.step = p.around[best], p.steps[best]
	p.least = floorOf(&p.base, len(p.space.Mean), logF, key)
}

// scattered is a narrow normal distribution around the heaviest of points that are scattered around 0, and the log of
// the integral that they find. Where that is more than the base finds, the base missed most of the target, as in a
// funnel, whose mode is in the neck and has next to no mass.
func scattered(logF func(x []float64) float64, key rng.Key, dim int) (part density.Base, found float64) {
	wide := density.Base{Mean: make([]float64, dim), Root: make([]float64, dim*dim)}
	for i := range dim {
		wide.Root[i*dim+i] = 1
	}
	wide.Normalise()
	logW, x, top := make([]float64, floorDraws), make([]float64, dim), 0
	at := make([][]float64, floorDraws)
	for i := range logW {
		s := key.Stream(4, uint32(i), 0)
		wide.Draw(&s, x)
		if logW[i] = logF(x) - wide.Log(x); !num.Finite(logW[i]) {
			logW[i] = math.Inf(-1)
		}
		at[i] = slices.Clone(x)
		if logW[i] > logW[top] {
			top = i
		}
	}
	part = density.Base{Mean: at[top], Root: wide.Root}
	for i := range dim {
		part.Root[i*dim+i] = .5
	}
	return part, num.LogMeanExp(logW)
}

// around is the factor of the covariance that the curvature at a mode means. ok is false where it is no covariance.
func around(c *climber, x []float64) (root []float64, ok bool) {
	dim := c.dim
	scale := make([]float64, dim)
	for i, v := range x {
		scale[i] = max(1, math.Abs(v))
	}
	h := make([]float64, dim*dim)
	for range 2 { // the second time with steps by the scales that the first time found
		if !c.curvature(x, scale, h) {
			return nil, false
		}
		for i := range scale {
			if v := h[i*dim+i]; v > 0 {
				scale[i] = 1 / math.Sqrt(v)
			}
		}
	}
	if !num.Invert(h, dim) {
		return nil, false
	}
	return h, num.Cholesky(h, dim, nil) && num.AllFinite(h)
}

// near reports whether a point is within the reach of a normal distribution.
func near(b *density.Base, x []float64) bool {
	d := slices.Clone(x)
	for i := range d {
		d[i] -= b.Mean[i]
	}
	num.SolveLower(b.Root, len(d), d)
	return num.Dot(d, d) < pilotFar*pilotFar
}
