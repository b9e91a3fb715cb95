package auto

import (
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/bridge"
	"logzlab/estimators/resamplemove"
	"logzlab/estimators/temper"
	"logzlab/models"
)

// AUTO computes log Z to a wanted standard error. If a base was fitted to the target before the run, it goes through
// stages (posterior). Otherwise, if the model has a base that can be fitted, it is fitted to samples of a short
// preliminary run, which makes the path shorter; if the path from the uniform distribution costs little, runs start
// there instead (withUniformBase). A pilot measures the variance and the autocorrelation along the path. From these,
// and from counted operations, follows the work that annealing and tempering need for the wanted error (planAuto). The
// cheaper one is run with the best schedule. If exact samples of the target can be drawn, which reveal modes that
// chains miss, the run is annealing both ways whatever it costs. Annealing one way adds chains, and tempering adds
// sweeps, until the error bar is small enough. Moves are overrelaxed if the model allows it (Config.Overrelaxed). Then
// the other method gives a second opinion, with a quarter of the work of the first, and at least 16 chains at 50 rungs
// or 40 chains for 200 sweeps. If nothing confirms the estimate, the model is also grown unit by unit
// (sequentialCheck). If the error bar is still too long, the experiment repeats all this (engine: target).
var AUTO = estimators.Info{
	Name: "auto", Label: "Auto", Short: "by itself", Path: estimators.Tempered,
	SEStretch:  1, // its tempering runs grow until 1.1 times the error bar is small enough
	Provenance: estimators.OnRungs | estimators.FromData, Target: defaultTarget,
	About: "Chooses the method by itself and works until the error bar is as small as wanted: annealing or tempering after " +
		"a short pilot, with the other one as a second opinion; for posteriors importance sampling, cubature or bridge " +
		"sampling if these are reliable.",
	Checks: checks, GrowingMethod: &resamplemove.RM,
	New: func(c estimators.Config) (estimators.Method, error) {
		if zero := models.CapabilitiesOf(c.Model).Exact.IsZero; zero != nil && zero() {
			return emptySum{}, nil
		}
		c.Overrelaxed = true
		if faster := models.CapabilitiesOf(c.Model).Kernel.Faster; faster != nil {
			c.Model = faster()
		}
		if models.CapabilitiesOf(c.Model).Base.Prefitted != nil {
			return newPosterior(c)
		}
		if _, exact := estimators.ExactTarget(c.Model); exact {
			if models.CapabilitiesOf(c.Model).Base.FitByImportance != nil { // the prior may be wide, and proposals need the covariance
				return estimators.AfterFit(c, piloted)
			}
			return piloted(withAheadLimit(c)) // the base matters less with exact samples for the reverse chains
		}
		return withSequentialCheck(c, withUniformBase)
	},
}

// piloted returns a pilot that is followed by newAuto.
func piloted(c estimators.Config) (estimators.Method, error) {
	return anneal.AfterPilot(c, pilotChains, autoLadder(c.Model), assumedPath, newAuto)
}

// assumedPath replaces the result of the pilot if a run is sized before it.
var assumedPath = &schedule.PathStats{Betas: []float64{0, 1}, Mean: []float64{0, 0}, Var: []float64{200, 200}, VarianceRatio: 3}

// checks are the checks of all methods that auto may choose.
var checks = autoChecks()

// autoChecks returns the checks of annealing, tempering, resample-move and bridge sampling. The checks of annealing's
// weights do not apply if reverse chains contribute to the estimate (ais-bar). The checks of bridge sampling apply only
// to its results, except the Pareto shape and the halves. Advice to change sizes is replaced, since auto sets sizes
// itself.
func autoChecks() []estimators.Check {
	oneWay := func(f estimators.Facts) bool { return !num.NotNaN(f.Number(estimators.DiagESSBennett)) }
	bridged := func(f estimators.Facts) bool { return num.NotNaN(f.Number(estimators.DiagRHat)) }
	out := []estimators.Check{appliesIf(oneWay, anneal.CheckESS), appliesIf(oneWay, anneal.CheckSpread),
		anneal.CheckWorksOverlap, anneal.CheckReverse, anneal.CheckSandwich}
	out = estimators.Appended(out, temper.Checks...)
	out = estimators.Appended(out, resamplemove.RM.Checks...)
	for _, c := range bridge.Bridge.Checks {
		if c.Name != estimators.CheckParetoK.Name && c.Name != estimators.CheckHalves.Name {
			c = appliesIf(bridged, c)
		}
		out = append(out, c)
	}
	for i := range out {
		out[i].Advice = "Want a smaller error bar: both strategies then work longer. Or give ais-bar or rts more work by hand."
	}
	return append(out, checkOther, checkSequential)
}

// appliesIf returns a check that applies only under an additional condition.
func appliesIf(condition func(estimators.Facts) bool, c estimators.Check) estimators.Check {
	judge := c.Judge
	c.Judge = func(f estimators.Facts) (estimators.Finding, bool) {
		if !condition(f) {
			return estimators.Finding{}, false
		}
		return judge(f)
	}
	return c
}

// autoLadder returns the ladder of auto's pilot: 1 - x^3 for half of the rungs, dense near 1, where the chains of
// trained RBMs mix slowly; x^5 for a quarter, dense near 0; and equal steps for the rest (see anneal.pilotLadder). The
// path from a fitted base needs fewer rungs.
func autoLadder(m models.Model) (out []float64) {
	n := 50
	if models.CapabilitiesOf(m).Base.Prefitted != nil {
		n = 12
	}
	for i := range n {
		x := float64(i) / float64(n)
		out = append(out, x, num.Mul(x*x, x*x)*x)
	}
	for i := range 2 * n {
		x := float64(i) / float64(2*n)
		out = append(out, 1-num.Mul(x*x, x))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// strategy is tempering or annealing, with its sizes.
type strategy struct {
	temper                bool // otherwise annealing
	bothWays              bool // annealing both ways, with reverse chains from exact samples
	fromData              bool // annealing with some reverse chains from data
	chains, rungs, sweeps int
	unitTime              float64 // planned nanoseconds of a chain at one rung (annealing) or in one sweep (tempering)
	maxSize               int     // largest number of chains (annealing) or sweeps (tempering); 0: the run does not grow
}

// back returns the number of reverse chains, and of sweeps at the target with which they begin.
func (s strategy) back() (chains, burnIn int) {
	switch {
	case s.bothWays:
		return s.chains, 0
	case s.fromData:
		return min(chainsFromData, s.chains), burnInFromData
	}
	return 0, 0
}

// work returns the planned nanoseconds of a strategy.
func (s strategy) work() float64 {
	if s.temper {
		return num.Mul(float64(s.chains)*(num.Mul(1.1, float64(s.sweeps))+temperStartSweeps), s.unitTime)
	}
	back, burnIn := s.back()
	return num.Mul(float64(s.chains*s.rungs+back*(s.rungs+burnIn)), s.unitTime)
}

// cost returns the work of a strategy as used to compare strategies (oneWayPenalty).
func (s strategy) cost() float64 {
	if s.temper || s.bothWays {
		return s.work()
	}
	return oneWayPenalty * s.work()
}

// shrinkTo returns the strategy with at most about the given work in nanoseconds. Annealing gets fewer chains and, if
// they are few, fewer rungs; tempering gets at most 40 chains, and fewer sweeps. The smallest sizes may need more work.
func (s strategy) shrinkTo(work float64) strategy {
	share := float64(work / s.work())
	if !(share < 1) {
		return s
	}
	units := float64(work / s.unitTime)
	if s.temper {
		s.chains = min(s.chains, 40)
		s.sweeps = ceilWithin(float64(units/float64(s.chains)-temperStartSweeps)/1.1, 50, float64(s.sweeps))
		return s
	}
	if s.bothWays {
		s.rungs = ceilWithin(units/(2*minChains), 50, float64(s.rungs))
		s.chains = ceilWithin(units/float64(2*s.rungs), minChains, float64(s.chains))
		return s
	}
	back, burnIn := s.back()
	units -= float64(back * burnIn)
	s.rungs = ceilWithin(units/float64(minChains+back), 50, float64(s.rungs))
	s.chains = ceilWithin(units/float64(s.rungs)-float64(back), minChains, float64(s.chains))
	return s
}

// minChains is the smallest number of chains of annealing that gives an error bar. Down to it fewer chains are better
// than fewer rungs: for given work the variance of log Z is proportional to (e^v - 1)/v, where v = Var(log w) falls
// with the number of rungs.
const minChains = 16

// scaled returns annealing with times as many rungs, or tempering with times as many sweeps.
func (s strategy) scaled(times float64) strategy {
	if s.temper {
		s.sweeps = int(times * float64(s.sweeps))
	} else {
		s.rungs = int(times * float64(s.rungs))
	}
	return s
}

// ceilWithin rounds x up, within lo and hi.
func ceilWithin(x, lo, hi float64) int { return int(max(min(math.Ceil(x), hi), lo)) }

// Sizes of auto.
const (
	defaultTarget = .1 // nats: the wanted error if none is given
	pilotChains   = 64
	opinionShare  = .25 // work of the second opinion relative to the first method

	// targetShare times the wanted error is the aim if chains cannot be added, since error bars are random.
	targetShare = .72

	// Growth: chains (annealing) or sweeps (tempering) added at a time, relative to those so far, and the largest
	// growth relative to plan. Tempering that may grow starts with a share of the planned sweeps.
	minGrowth        = .05
	maxGrowth        = .5
	maxAnnealGrowth  = 3
	maxTemperGrowth  = 10
	temperStartShare = .5

	// Annealing has so many rungs that Var(log w) is targetVariance. A short pilot sees only part of the
	// autocorrelation of chains: the RBMs of the lab have 1 to 2.3 times the variance that follows from it, so it is
	// multiplied by lagFactor. The cost of annealing one way is multiplied by oneWayPenalty, for the few heavy weights
	// of modes that chains seldom find.
	targetVariance = .5
	lagFactor      = 2
	oneWayPenalty  = 2

	// Tempering: sweeps of a chain before burn-in, sweeps of each initial iteration, and the lag in sweeps whose weight
	// in the ladder is about doubled (penaliseLags).
	temperStartSweeps = 150
	initialSweeps     = 20
	lagScale          = 10
)

// planAuto sizes both strategies for the wanted error.
//
// Annealing at K temperatures has v = Var(log w) = F/(K-1), where F uses the friction, variance times autocorrelation
// time, in place of the variance ([VAROPT] Theorem 1; [Sivak2012]). C chains give log Z with variance (e^v - 1)/C, or
// half of it with as many reverse chains from exact samples. In tempering n samples give log Z with variance (4 + 2
// sqrt(lag)) F/n, F by the variance alone. This fits the RBMs and mixtures of the lab within a factor of two, or of
// four if modes are far apart, which no pilot sees.
func planAuto(c estimators.Config) (annealing, tempering strategy) {
	_, f := schedule.Functionals(c.PathStats.Betas, c.PathStats.Var) // F
	_, friction := schedule.Functionals(c.PathStats.Betas, c.PathStats.Friction())
	lag := min(max(c.PathStats.VarianceRatio, 1), 100)
	variance := func(share float64) float64 { return num.Mul(share*c.Target, share*c.Target) } // variance of log Z to aim at

	// Annealing: rungs by the friction of the path, chains by the wanted error.
	friction = lagFactor * max(friction, num.Mul(lag, f))
	annealing.rungs = ceilWithin(1+float64(friction/targetVariance), 50, 20000)
	v := friction / float64(annealing.rungs-1)
	chains := num.Exp(min(v, 10)) - 1
	_, annealing.bothWays = estimators.ExactTarget(c.Model)
	if annealing.fromData = !annealing.bothWays && models.CapabilitiesOf(c.Model).Data != nil; annealing.bothWays {
		chains /= 2 * variance(targetShare)
	} else {
		chains /= variance(1)
	}
	least := max(64, 1/num.Mul(targetShare, c.Target)) // the error bar is at least 1/chains (newAuto)
	annealing.chains = ceilWithin(chains, least, 1e5)
	cost := c.Costs()
	if m := models.CapabilitiesOf(c.Model).Base.Prefitted; m != nil && c.PathStats != assumedPath {
		cost.Cost = m.MeasuredCost()
	}
	annealing.unitTime = models.RoundTime(cost.Sweep + num.Mul(2, cost.Density) + 20)

	// Tempering: rungs by the length of the path, sweeps by the wanted error.
	tempering.temper, tempering.chains = true, 100
	tempering.rungs = ceilWithin(1+num.Mul(1.5, math.Sqrt(f)), 8, 200)
	samples := num.Mul(4+num.Mul(2, math.Sqrt(lag)), f) / variance(1)
	tempering.sweeps = ceilWithin(samples/float64(tempering.chains), 100, 1e6)
	k := float64(tempering.rungs)
	tempering.unitTime = models.RoundTime(cost.Sweep + cost.Density + num.Mul(k, cost.Beta+temper.StepTime))
	return annealing, tempering
}

// choose returns the strategies in order: the cheaper one first, but annealing both ways whatever it costs, since exact
// samples reveal modes that chains miss.
func choose(annealing, tempering strategy) (first, second strategy) {
	if !annealing.bothWays && tempering.cost() < annealing.cost() {
		return tempering, annealing
	}
	return annealing, tempering
}

// largest returns the number of chains (annealing) or sweeps (tempering) to which a strategy may grow, given a limit on
// the sweeps of all chains; 0 if it does not grow, as annealing both ways.
func (s strategy) largest(maxSweeps float64) int {
	switch {
	case s.temper:
		affordable := float64(maxSweeps/float64(s.chains)-temperStartSweeps) / 1.1
		return int(min(maxTemperGrowth*float64(s.sweeps), affordable))
	case s.bothWays:
		return 0
	}
	back, _ := s.back()
	return int(min(maxAnnealGrowth*float64(s.chains), maxSweeps/float64(s.rungs)-float64(back)))
}

// newAuto returns the run that follows the pilot: the cheaper strategy, with the other one as a second opinion.
func newAuto(c estimators.Config) (estimators.Method, error) {
	annealing, tempering := planAuto(c)
	first, second := choose(annealing, tempering)
	budget, infinite := programBudget(c), infiniteIntegral(c.Model)
	if infinite {
		budget = infiniteWork
	}
	maxSweeps := sweepBudget(c, float64(budget/first.unitTime))
	if first = first.shrinkTo(num.Mul(maxSweeps, first.unitTime)); !infinite {
		first.maxSize = first.largest(maxSweeps)
	}
	main, err := first.run(c)
	if err != nil {
		return nil, err
	}
	c.Key[0]++
	c.Auxiliary = true
	a := &estimators.WithSecondOpinion{Method: main, Planned: main.Sweeps(),
		Resize: func(growth float64) (estimators.Method, error) {
			work := min(num.Mul(growth, first.work()), num.Mul(maxSweeps, second.unitTime))
			return second.scaled(growth).shrinkTo(num.Mul(opinionShare, work)).run(c)
		}}

	looksAhead := models.CapabilitiesOf(c.Model).GrowingSpaces.Lookahead != nil
	a.AddDiagnostics = func(r, o *estimators.Result) {
		r.Diagnose(estimators.DiagLag, c.PathStats.VarianceRatio)
		r.Diagnose(estimators.DiagCostAnnealing, annealing.cost())
		r.Diagnose(estimators.DiagCostTempering, tempering.cost())
		r.Diagnose(estimators.DiagLogZOther, o.LogZ)
		r.Diagnose(estimators.DiagLogZOtherSE, lognormalSE(o))
		if r.Runs = affordableRuns(budget, first.work()+second.work()); infinite || looksAhead && r.SE > estimators.Rounding {
			r.Runs = 1 // the verdict is stop, or the time goes to resample-move
		}
		if first.temper {
			copyBounds(r, o)
		} else if r.SE > estimators.Rounding {
			r.SE = max(r.SE, 1/r.Number(estimators.DiagChains)) // a mode that no chain has found may have 1/n of the mass
		}
	}
	return a, a.SizeFor(1)
}

// copyBounds gives a result of tempering, which has no bounds, the bounds of annealing.
func copyBounds(r, annealed *estimators.Result) {
	r.Lower, r.Upper = annealed.Lower, annealed.Upper
	r.Flags = slices.DeleteFunc(slices.Clone(r.Flags), func(f diag.Flag) bool { return f == estimators.FlagNoSandwich })
	for _, f := range []diag.Flag{anneal.FlagNoUpperBound, estimators.FlagUpperFromData} {
		if slices.Contains(annealed.Flags, f) {
			r.Flag(f)
		}
	}
}

// Reverse chains of annealing from data. They begin with some sweeps at the target, but are not samples of it: with as
// few rungs as here, they would change log Z by more than its error. So they are not part of the estimate, and may only
// reveal modes that it misses.
const (
	chainsFromData = 12
	burnInFromData = 400 // sweeps
)

// penaliseLags returns path statistics in which each lag t is multiplied by 1 + (t-1)/lagScale. Tempering spends the
// same time at every rung, so it needs more rungs than annealing where chains mix slowly (measured, see RATIONALE.md).
func penaliseLags(p *schedule.PathStats) *schedule.PathStats {
	out := *p
	out.AutocorrTimes = slices.Clone(p.AutocorrTimes)
	for k, t := range p.AutocorrTimes {
		out.AutocorrTimes[k] = t * (1 + (t-1)/lagScale)
	}
	return &out
}

// extraSize returns the number of chains or sweeps to add to the size of a strategy, given its results so far; 0 if the
// error bar is small enough.
func (s strategy) extraSize(info estimators.Info, found []*estimators.Result, wanted float64, size int) int {
	if ok, _ := estimators.EnoughRuns(info, found, wanted); ok {
		return 0
	}
	lower, upper := minGrowth*float64(size), maxGrowth*float64(size)
	extra := num.Mul(float64(size), estimators.WorkFactor(info, found, wanted)-1)
	if !(extra > 0) { // too few effective weights, or no error bar
		extra = upper
	}
	return max(min(ceilWithin(extra, math.Ceil(lower), math.Ceil(upper)), s.maxSize-size), 0)
}
