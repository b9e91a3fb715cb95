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
	walkChains        = 12  // chains of a walk (walk.go)
	maxRedraws        = 100 // draws of a start until its density is positive
	maxModeComponents = 70  // modes with a component of the base of their own
	chainsPerMode     = 16  // chains around each mode
	minWindow         = 8   // minimal number of transitions between two fits of the metric
	maxPilotTime      = 2e9 // planned nanoseconds
	sameModeRadius    = 4   // Mahalanobis distance below which two points belong to the same mode (near)
	missedNats        = 3   // nats by which other draws must exceed those from the base to show that it misses mass
)

// adaptationWindows are the numbers of transitions between two fits of the metric.
var adaptationWindows = [...]int{15, 25, 40, 80}

// pilot is the run that fits a base to the target, with its results. It depends on the tape alone.
type pilot struct {
	t      *tape.Tape
	points *tape.EvaluatorPool
	key    rng.Key

	base   mixture
	metric density.Base // mean and root of the model's coordinates z, x = mean + root z: an element of chainNormals
	floor  float64      // lower limit of log f - log base on the path, see floorOf

	// Results of the search: Laplace approximations of the modes, the modes for reports, and goodTuring.
	modeNormals  []density.Base
	modeList     []models.Mode
	newModeShare float64
	// search.logMassNear for a base with one component for all modes; -Inf if each mode has a component.
	logMassNearModes float64

	// For each component: the normal distribution with the mean and the covariance of its chains, and their step size.
	chainNormals []density.Base
	stepSizes    []float64
	stepSize     float64   // step size for metric
	chainDraws   []float64 // last points of the chains of all components, by rows
	chainLogF    float64   // mean log density of the chains of the last component

	// Diagnostics. climbs and modes include those of later steps of the pilot.
	climbs, modes  int
	divergent      float64 // share of divergent trajectories of a walk, among those with full steps
	tails          []tail  // for each coordinate
	uncheckedTails int     // coordinates whose tails were not measured
	farExcess      float64 // nats by which the mass of a box far out exceeds the mass found by the base; 0 if it does not
	supportEdges   int     // see tails.countEdges
	cutOff         float64 // see tails.cutOff

	// Results of drawQuality: the effective sample size as a share of the draws, and the log of the sum of weights.
	qualityKnown           bool
	drawESS, logSumWeights float64
}

// runPilot returns a complete pilot.
func runPilot(t *tape.Tape) *pilot {
	p := newPilot(t)
	p.complete()
	return p
}

// newPilot makes the first steps of a pilot. A search finds modes (search.go). Hamiltonian Monte Carlo chains run
// around each mode. Their mean and covariance are fitted several times, and each fit is the metric of the chains until
// the next one. The last fit, inflated, is a component of the base (newComponent). Components are weighted by their
// share of the target, so modes of negligible mass, such as the one in the neck of a funnel, do not matter.
func newPilot(t *tape.Tape) *pilot {
	p := &pilot{t: t, points: t.EvaluatorPool(), key: rng.NewKey(0, "base", t.Dim()), logMassNearModes: math.Inf(-1)}
	s := newSearch(t, p.points, p.key)
	s.run()
	p.climbs, p.modes = s.climbs, len(s.modes)
	p.modeNormals, p.modeList, p.newModeShare = s.modeNormals(), s.modeList(), s.goodTuring()
	if pooled, ok := s.pooledNormal(); ok {
		p.modeNormals = []density.Base{pooled}
		p.addPooledComponent(pooled)
		p.logMassNearModes = s.logMassNear(p.key, func(*mode) bool { return true })
	} else {
		for k, normal := range p.modeNormals {
			p.addComponent(normal, k, len(p.modeNormals))
		}
	}
	p.updateBase()
	return p
}

// complete looks for mass of the target that the search for modes cannot find, and adds components to the base for it:
// wide components around known modes (shells.go), mass at points scattered around 0, modes that chains reach from other
// starts (walk.go), mass far out (far_mass.go) and heavy tails (heavy.go).
func (p *pilot) complete() {
	for k, normal := range p.modeNormals[:min(p.modes, len(p.modeNormals))] { // none if the search found no mode
		if wide, ok := p.findWideComponent(normal, k); ok {
			p.modes++
			p.addComponent(wide, len(p.base.components), 1)
			p.updateBase()
		}
	}
	normal, logIntegral := scatteredComponent(p.points.LogF, p.key, p.t.Dim())
	if logIntegral > p.logIntegral()+missedNats {
		if p.addComponent(normal, len(p.base.components), 1); p.dropOutweighed() {
			p.climbs, p.modes = 0, 0
		}
	}
	if p.climbs < models.MinClimbs {
		p.walk()
	}

	// Tails are measured in units of the metric, which changes with each extension of the base.
	for range maxExtensions {
		tails := newTails(p)
		p.supportEdges = tails.countEdges()
		p.cutOff = tails.cutOff
		if p.tails, p.uncheckedTails = tails.slowestTails(); !p.extendBase(&tails.heaviestFar) {
			break
		}
	}
	if p.modes > 0 {
		p.addHeavyTailed(p.modeNormals[0])
	}
}

// addComponent adds a component to the base, fitted by chains that start from draws of a normal distribution. number
// selects their random numbers, and sharing is the number of components that share the time of the pilot.
func (p *pilot) addComponent(initial density.Base, number, sharing int) {
	c := newChains(p.t, initial, p.key, uint32(number), chainsPerMode)
	budget := maxPilotTime / (leapTime(p.t) * float64(sharing)) // evaluations
	for _, n := range adaptationWindows {
		n = max(min(n, int((budget-float64(c.evaluations))/float64(chainsPerMode*meanLeaps(c.stepSize)))), minWindow)
		c.run(n)
		c.refitMetric()
	}
	p.chainLogF, _ = stats.MeanVar(c.logF)
	p.appendComponent(c, newComponent(c.metric))
}

// appendComponent adds a component with the results of its chains.
func (p *pilot) appendComponent(c *chains, b component) {
	p.base.components = append(p.base.components, b)
	p.chainNormals, p.stepSizes = append(p.chainNormals, c.metric), append(p.stepSizes, c.stepSize)
	p.chainDraws = append(p.chainDraws, c.x...)
}

// addPooledComponent adds a component that covers all modes. It is not fitted to its chains, because each stays at the
// mode where it starts.
func (p *pilot) addPooledComponent(pooled density.Base) {
	c := newChains(p.t, pooled, p.key, 300, chainsPerMode)
	c.run(adaptationWindows[len(adaptationWindows)-1])
	p.appendComponent(c, newComponent(pooled))
}

// logIntegral returns the estimate of log Z by importance sampling with draws from the base (floorOf).
func (p *pilot) logIntegral() float64 { return p.floor + floorMargin }

// dropOutweighed updates the base, and drops all components but the last one if each of them has about the smallest
// weight that fitWeights gives. It reports whether it dropped them.
func (p *pilot) dropOutweighed() bool {
	last := len(p.base.components) - 1
	p.updateBase()
	if p.base.logW[last] <= num.Log(1-num.Mul(2*minShare, float64(last))) {
		return false
	}
	p.base.components, p.chainNormals, p.stepSizes = p.base.components[last:], p.chainNormals[last:], p.stepSizes[last:]
	p.chainDraws = p.chainDraws[len(p.chainDraws)-chainsPerMode*len(p.metric.Mean):]
	p.updateBase()
	return true
}

// updateBase fits the weights of the components, chooses the metric and sets the floor. The metric is that of the first
// component, unless a later one has at least e times its weight.
func (p *pilot) updateBase() {
	n := len(p.base.components)
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

// scatteredComponent draws points from a standard normal distribution. It returns a normal distribution with standard
// deviation 1/2 around the point with the largest importance weight, and the log of the mean weight, an estimate of log
// Z. If this exceeds the estimate by the base, the base misses most of the target, as for a funnel, whose mode is in
// the neck and has negligible mass.
func scatteredComponent(logF func(x []float64) float64, key rng.Key, dim int) (normal density.Base,
	logIntegral float64) {
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
	normal = density.Base{Mean: draws[heaviest], Root: standard.Root}
	for i := range dim {
		normal.Root[i*dim+i] = .5
	}
	return normal, num.LogMeanExp(logW)
}

// laplaceRoot returns the Cholesky factor of the inverse of the negative Hessian of the log density at x. ok is false
// if the negative Hessian is not positive definite. The Hessian is computed twice: the second time with steps in
// proportion to the standard deviations 1/sqrt(H_ii) from the first.
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
