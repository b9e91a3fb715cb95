package program

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/models"
	"logzlab/models/density"
	"logzlab/models/stan/tape"
)

// Limits of the pilot.
const (
	walkChains     = 12  // chains of a walk (walk.go)
	maxRedraws     = 100 // draws of a start until its density is above 0
	maxModeParts   = 70  // modes that get a part of the base of their own
	chainsPerMode  = 16
	minWindow      = 8   // transitions between two fits of the metric
	maxPilotTime   = 2e9 // planned nanoseconds
	sameModeRadius = 4   // Mahalanobis distance below which two points belong to one mode (near)
	missedNats     = 3   // other draws must find this many nats more than those of the base to refute the base
)

// adaptationWindows are the numbers of transitions between two fits of the metric.
var adaptationWindows = [...]int{15, 25, 40, 80}

// pilot is the run that fits a base to the target, with its results so far. It depends on the tape alone.
type pilot struct {
	t      *tape.Tape
	points *tape.Points
	key    rng.Key

	base   mixture
	metric density.Base // mean and root of the model's coordinates z, x = mean + root z: one of chainNormals
	floor  float64      // see floorOf

	// Of the search: the Laplace approximations of the modes, the modes for reports, and goodTuring.
	modeNormals  []density.Base
	modeList     []models.Mode
	newModeShare float64
	// Of a base with one part for all modes: see search.logMassNear. -Inf: each mode has a part.
	logMassNearModes float64

	// Of each part: the normal distribution with the mean and the covariance of its chains, and the leapfrog step by it.
	chainNormals []density.Base
	stepSizes    []float64
	stepSize     float64   // that of metric
	chainDraws   []float64 // last points of the chains of all parts, by rows
	chainLogF    float64   // mean log density of the chains of the last part

	// What is reported. Climbs and modes count also what later steps of the pilot find.
	climbs, modes  int
	divergent      float64 // share of trajectories of a walk, with full steps, whose energy error was above maxEnergyError
	tails          []tail  // of each coordinate
	uncheckedTails int     // coordinates whose tails were not measured
	farExcess      float64 // nats by which the mass of a box far out exceeds all that the base finds, 0 where it does not
	supportEdges   int     // see tails.countEdges
	cutOff         float64 // see tails.cutOff

	// By draws from the base (drawQuality), once they are known: the effective share, and the log of the sum of weights.
	qualityKnown           bool
	drawESS, logSumWeights float64
}

// runPilot returns a pilot that is complete.
func runPilot(t *tape.Tape) *pilot {
	p := newPilot(t)
	p.complete()
	return p
}

// newPilot makes the first steps of a pilot. A search finds modes (search.go). Around each mode, chains of Hamiltonian
// Monte Carlo run at the target. Their mean and covariance are fitted several times, and each fit is the metric of the
// chains until the next one. The last fit, widened, is a part of the base (newPart). Parts are weighted by their share
// of the target, so a mode of next to no mass, as that in the neck of a funnel, does not matter.
func newPilot(t *tape.Tape) *pilot {
	p := &pilot{t: t, points: t.Points(), key: rng.NewKey(0, "base", t.Dim()), logMassNearModes: math.Inf(-1)}
	s := newSearch(t, p.points, p.key)
	s.run()
	p.climbs, p.modes = s.climbs, len(s.modes)
	p.modeNormals, p.modeList, p.newModeShare = s.modeNormals(), s.modeList(), s.goodTuring()
	if pooled, ok := s.pooledNormal(); ok {
		p.modeNormals = []density.Base{pooled}
		p.addPooledPart(pooled)
		p.logMassNearModes = s.logMassNear(p.key, func(*mode) bool { return true })
	} else {
		for k, part := range p.modeNormals {
			p.addPart(part, k, len(p.modeNormals))
		}
	}
	p.updateBase()
	return p
}

// complete looks for mass of the target that the search for modes cannot find, and adds parts to the base for it: wide
// hills around known modes (shells.go), mass at points scattered around 0, modes that chains reach from other starts
// (walk.go), mass far out (farther.go) and heavy tails (heavy.go).
func (p *pilot) complete() {
	for k, part := range p.modeNormals[:min(p.modes, len(p.modeNormals))] { // no mode: modeNormals[0] is at no maximum
		if wide, ok := p.findWideHill(part, k); ok {
			p.modes++
			p.addPart(wide, len(p.base.parts), 1)
			p.updateBase()
		}
	}
	if part, logIntegral := heaviestScattered(p.points.LogF, p.key, p.t.Dim()); logIntegral > p.logIntegral()+missedNats {
		if p.addPart(part, len(p.base.parts), 1); p.dropOutweighed() {
			p.climbs, p.modes = 0, 0
		}
	}
	if p.climbs < models.MinClimbs {
		p.walk()
	}

	// Each extension of the base changes the metric, by which tails are measured.
	for range maxExtensions {
		tails := newTails(p)
		p.supportEdges = tails.countEdges()
		p.cutOff = tails.cutOff
		if p.tails, p.uncheckedTails = tails.slowestTails(); !p.extendBase(&tails.heaviestFar) {
			break
		}
	}
	if p.modes > 0 {
		p.addHeavyPart(p.modeNormals[0])
	}
}

// addPart adds a part to the base, by chains that start from draws of a normal distribution. number selects their
// random numbers, and sharing is the number of parts that share the time of the pilot.
func (p *pilot) addPart(initial density.Base, number, sharing int) {
	c := newChains(p.t, initial, p.key, uint32(number), chainsPerMode)
	budget := maxPilotTime / (leapTime(p.t) * float64(sharing)) // evaluations
	for _, n := range adaptationWindows {
		n = max(min(n, int((budget-float64(c.evaluations))/float64(chainsPerMode*meanLeaps(c.stepSize)))), minWindow)
		c.run(n)
		c.refitMetric()
	}
	p.chainLogF, _ = stats.MeanVar(c.logF)
	p.appendPart(c, newPart(c.metric))
}

// appendPart adds a part, and what is known of its chains.
func (p *pilot) appendPart(c *chains, b part) {
	p.base.parts = append(p.base.parts, b)
	p.chainNormals, p.stepSizes = append(p.chainNormals, c.metric), append(p.stepSizes, c.stepSize)
	p.chainDraws = append(p.chainDraws, c.x...)
}

// addPooledPart adds a part that covers all modes. It is not fitted to its chains, since each stays at the mode where
// it starts.
func (p *pilot) addPooledPart(pooled density.Base) {
	c := newChains(p.t, pooled, p.key, 300, chainsPerMode)
	c.run(adaptationWindows[len(adaptationWindows)-1])
	p.appendPart(c, newPart(pooled))
}

// logIntegral estimates log Z by importance sampling with draws from the base (floorOf).
func (p *pilot) logIntegral() float64 { return p.floor + floorMargin }

// dropOutweighed updates the base, and drops all parts but the last one if that has about all of the weight: if each of
// the others is at about the smallest weight that fitWeights gives. It reports whether it dropped them.
func (p *pilot) dropOutweighed() bool {
	last := len(p.base.parts) - 1
	p.updateBase()
	if p.base.logW[last] <= num.Log(1-num.Mul(2*minShare, float64(last))) {
		return false
	}
	p.base.parts, p.chainNormals, p.stepSizes = p.base.parts[last:], p.chainNormals[last:], p.stepSizes[last:]
	p.chainDraws = p.chainDraws[len(p.chainDraws)-chainsPerMode*len(p.metric.Mean):]
	p.updateBase()
	return true
}

// updateBase fits the weights of the parts, chooses the metric and sets the floor. The metric is that of the first
// part, unless a later one has at least e times its weight.
func (p *pilot) updateBase() {
	n := len(p.base.parts)
	p.base.logW = slices.Repeat([]float64{-num.Log(float64(n))}, n)
	if n > 1 {
		p.base.fitWeights(p.points.LogF, p.key, p.t.Dim())
	}
	chosen := 0
	for k, w := range p.base.logW {
		if w > p.base.logW[chosen]+1 {
			chosen = k
		}
	}
	p.metric, p.stepSize = p.chainNormals[chosen], p.stepSizes[chosen]
	p.floor = floorOf(&p.base, p.t.Dim(), p.points.LogF, p.key)
}

// heaviestScattered draws points from a standard normal distribution. It returns a normal distribution with standard
// deviation 1/2 around the point with the largest importance weight, and the log of the mean weight, an estimate of
// log Z. Where that is larger than the estimate by the base, the base misses most of the target, as in a funnel, whose
// mode is in the neck and has next to no mass.
func heaviestScattered(logF func(x []float64) float64, key rng.Key, dim int) (part density.Base, logIntegral float64) {
	standard := density.Base{Mean: make([]float64, dim), Root: make([]float64, dim*dim)}
	for i := range dim {
		standard.Root[i*dim+i] = 1
	}
	standard.Normalise()
	logW, x, heaviest := make([]float64, floorDraws), make([]float64, dim), 0
	draws := make([][]float64, floorDraws)
	for i := range logW {
		s := key.Stream(4, uint32(i), 0)
		standard.Draw(&s, x)
		if logW[i] = logF(x) - standard.Log(x); !num.Finite(logW[i]) {
			logW[i] = math.Inf(-1)
		}
		draws[i] = slices.Clone(x)
		if logW[i] > logW[heaviest] {
			heaviest = i
		}
	}
	part = density.Base{Mean: draws[heaviest], Root: standard.Root}
	for i := range dim {
		part.Root[i*dim+i] = .5
	}
	return part, num.LogMeanExp(logW)
}

// laplaceRoot returns the Cholesky factor of the inverse of minus the Hessian of the log density at x. ok is false
// where that matrix is not positive definite. It computes the Hessian twice: the second time with steps in proportion
// to the standard deviations that the first one gives, 1/sqrt(H_ii).
func laplaceRoot(c *climber, x []float64) (root []float64, ok bool) {
	dim := c.dim
	scale := make([]float64, dim)
	for i, v := range x {
		scale[i] = max(1, math.Abs(v))
	}
	h := make([]float64, dim*dim)
	for range 2 {
		if !c.negativeHessian(x, scale, h) {
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

// near reports whether the Mahalanobis distance of x from the mean of a normal distribution is below sameModeRadius.
func near(b *density.Base, x []float64) bool {
	d := slices.Clone(x)
	for i := range d {
		d[i] -= b.Mean[i]
	}
	num.SolveLower(b.Root, len(d), d)
	return num.Dot(d, d) < sameModeRadius*sameModeRadius
}
