package auto

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/bridge"
	"logzlab/models"
)

// posterior is auto on a target with a base that was fitted before the run (models.Prefitted). It goes through stages,
// from the cheapest method to the most robust one, and ends with the first whose diagnostics are good:
//
//  1. importance sampling from the base: Pareto shape and effective number of the weights
//  2. bridge sampling between the base and chains at the target: Pareto shapes of both terms, R-hat, overlap, burn-in;
//     once more with longer chains if only checks fail that longer chains may pass
//  3. annealing or tempering from the base
//
// A target of up to three coordinates is also integrated by cubature, after importance sampling. If the integral agrees
// with the estimate of the last stage, the result is the integral; otherwise the difference is reported. All stages
// share the search for modes, so agreement does not confirm them; but an estimate by importance sampling that is too
// large to agree is reported (checkAgainstDraws).
type posterior struct {
	estimators.Config
	stage             int
	run               estimators.Method  // run of the stage
	byDraws           *estimators.Result // result of importance sampling
	drawsGood         bool               // importance sampling was good enough
	cubature          *models.Truth      // nil if none
	ended             bool
	sweepsBefore      float64 // sweeps of earlier stages
	evaluationsFailed float64 // evaluations of stages that were not good enough
}

// Stages of posterior, in their order.
const (
	byDraws = iota
	byCubature
	byBridge
	byLongerBridge
	byPath
)

// stageFlags are the flags of results by stage. While cubature runs, the estimate is from importance sampling;
// replaceByCubature sets the flag of an integral.
var stageFlags = [...]diag.Flag{byDraws: estimators.FlagByDraws, byCubature: estimators.FlagByDraws,
	byBridge: estimators.FlagByBridge, byLongerBridge: estimators.FlagByBridge, byPath: estimators.FlagByPath}

// workStage times the stage is added to the Work of rounds, so that rounds of different stages differ.
const workStage estimators.Work = 1 << 14

// newPosterior returns a posterior at its first stage.
func newPosterior(c estimators.Config) (estimators.Method, error) {
	p := &posterior{Config: c}
	err := p.startStage(byDraws)
	return p, err
}

// startStage makes the run of a stage, with its own random numbers.
func (p *posterior) startStage(stage int) (err error) {
	c := p.Config
	c.Key[1] += uint32(10 * stage) // a pilot and a second opinion use the keys in between
	p.stage = stage
	switch stage {
	case byDraws:
		p.run = newDraws(c, .1*programBudget(c))
	case byCubature:
		p.run = estimators.NewExact(c.Model, func(t *models.Truth) { p.cubature = t })
	case byBridge:
		p.run, err = newBridge(c, 1)
	case byLongerBridge:
		p.run, err = newBridge(c, longerFactor)
	default:
		p.run, err = piloted(c)
	}
	return err
}

// Sizes of bridge sampling.
const (
	bridgeWork      = 1.2e10 // planned nanoseconds that it may always take
	minBridgeSweeps = 60     // of each chain, without burn-in, which takes about as many
	maxBridgeSweeps = 300
	bridgeChains    = 40
	longerFactor    = 4 // factor on the sweeps in byLongerBridge
)

// newBridge returns bridge sampling with as many sweeps as fit into a tenth of the budget, times factor. It uses
// warp-III if the base has one component without heavy tails: the mirror image of a point about the mean of several
// modes is near none of them.
func newBridge(c estimators.Config, factor float64) (estimators.Method, error) {
	cost := c.Costs()
	base := models.CapabilitiesOf(c.Model).Base.Prefitted
	if base != nil {
		cost.Cost = base.MeasuredCost()
	}
	budget := max(bridgeWork, .1*programBudget(c))
	affordable := budget / (2 * bridgeChains * models.RoundTime(cost.Sweep))
	sweeps := int(factor * float64(ceilWithin(affordable, minBridgeSweeps, maxBridgeSweeps)))
	v := spec.Defaults(bridge.Bridge.Params)
	v["chains"], v["sweeps"] = fmt.Sprint(bridgeChains), fmt.Sprint(sweeps)
	if base != nil && base.Components() == 1 && !base.HeavyTailed() {
		v["warp"] = "3" // errors are 1.4 to 2.7 times smaller for a tenth more time
	}
	c.Readers, c.Values = []estimators.Reader{{Info: bridge.Bridge, Values: v}}, v
	return bridge.Bridge.New(c)
}

// goodEnough reports whether the diagnostics of a stage's result are good enough to end with it.
func (p *posterior) goodEnough(r *estimators.Result) bool {
	if infiniteIntegral(p.Model) { // the verdict is stop whatever later stages find
		return true
	}
	switch p.stage {
	case byDraws:
		return weightsEvenEnough(r)
	case byBridge, byLongerBridge:
		return r.SE >= 0 && r.SE <= max(p.Target, .1) && passes(r)
	}
	return true
}

// passes reports whether a result of bridge sampling passes the checks of that method, except the named ones.
func passes(r *estimators.Result, except ...string) bool {
	f := estimators.Facts{LogZ: r.LogZ, SE: r.SE, Lower: r.Lower, Upper: r.Upper, Number: r.Number}
	return !slices.ContainsFunc(bridge.Bridge.Checks, func(c estimators.Check) bool {
		found, applies := c.Judge(f)
		return applies && !found.OK && !slices.Contains(except, c.Name)
	})
}

// cubatureAffordable reports whether the target has an integral by cubature that takes little time.
func (p *posterior) cubatureAffordable() bool {
	integral := models.CapabilitiesOf(p.Model).Exact.Integral
	return integral != nil && integral.IntegralTime() <= models.MaxCubature && !infiniteIntegral(p.Model)
}

// nextStage returns the stage after one that has ended with result r, which may be nil. ok is false after the last
// stage.
func (p *posterior) nextStage(r *estimators.Result) (stage int, ok bool) {
	switch p.stage {
	case byDraws:
		p.drawsGood = r != nil && p.goodEnough(r)
		p.byDraws = r
		if !p.drawsGood && r != nil {
			p.evaluationsFailed += r.Evaluations
		}
		if p.cubatureAffordable() {
			return byCubature, true
		}
		return byBridge, !p.drawsGood
	case byCubature:
		return byBridge, !p.drawsGood
	case byBridge, byLongerBridge:
		if r != nil && p.goodEnough(r) {
			return 0, false
		}
		if r != nil {
			p.evaluationsFailed += r.Evaluations
		}
		if p.stage == byBridge && r != nil && r.SE >= 0 && passes(r, bridge.LengthChecks...) {
			return byLongerBridge, true
		}
		return byPath, true
	}
	return 0, false
}

func (p *posterior) Next(partials, states [][]byte) (*estimators.Round, error) {
	for {
		r, err := p.run.Next(partials, states)
		bridging := p.stage == byBridge || p.stage == byLongerBridge
		if err != nil && !bridging {
			return nil, err
		}
		if r != nil {
			var w wire.Writer
			w.Int(p.stage)
			r.Work, r.Plan = r.Work+estimators.Work(p.stage)*workStage, append(w.B, r.Plan...)
			return r, nil
		}
		var result *estimators.Result // nil if the draws have no covariance for bridge sampling
		if err == nil {
			if results := p.run.Estimate(nil); len(results) > 0 {
				result = results[0]
			}
		}
		stage, ok := p.nextStage(result)
		if !ok {
			p.ended = true
			return nil, nil
		}
		if result != nil {
			p.sweepsBefore += result.Sweeps
		}
		if err := p.startStage(stage); err != nil {
			return nil, err
		}
		partials, states = nil, nil
	}
}

func (p *posterior) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		plan := wire.Reader{B: u.Plan}
		stage := plan.IntWithin(byDraws, byPath)
		estimators.MustDecode(&plan)
		if stage != p.stage { // in a worker, where nothing calls Next
			if err := p.startStage(stage); err != nil {
				panic(err)
			}
		}
		whole, work := u.Plan, u.Work
		defer func() { u.Plan, u.Work = whole, work }()
		u.Plan, u.Work = plan.B, u.Work-estimators.Work(stage)*workStage
		for f := range p.run.Lane(u) {
			if !yield(f) {
				return
			}
		}
	}
}

// Estimate returns the result of the stage, with the work of all stages. At the end it is compared with importance
// sampling and cubature.
func (p *posterior) Estimate(peeked [][]byte) []*estimators.Result {
	result := p.byDraws // shown while cubature runs
	if p.stage != byCubature {
		results := p.run.Estimate(peeked)
		if len(results) == 0 {
			return nil
		}
		result = results[0]
	}
	if result == nil {
		return nil
	}
	out := *result
	out.Diagnostics, out.Flags = maps.Clone(out.Diagnostics), slices.Clone(out.Flags)
	if p.stage != byCubature {
		out.Sweeps += p.sweepsBefore
	}
	out.Flag(stageFlags[p.stage])
	out.Evaluations += p.evaluationsFailed
	if p.stage != byPath {
		cost := p.Costs()
		if out.Runs = 1; !infiniteIntegral(p.Model) {
			work := num.Mul(out.Sweeps, cost.Sweep) + num.Mul(out.Evaluations, cost.Density)
			out.Runs = affordableRuns(programBudget(p.Config), work)
		}
	}
	if p.ended {
		p.checkAgainstDraws(&out)
		p.replaceByCubature(&out)
	}
	return estimators.SingleResult(&out)
}

// checkAgainstDraws reports the estimate by importance sampling as the estimate of another method if it was not good
// enough but is larger than r by more than chance allows. The mean of weights is unbiased and positive, so it exceeds
// e^t Z with a probability of at most e^-t (Markov's inequality), and r misses mass that the draws have found.
func (p *posterior) checkAgainstDraws(r *estimators.Result) {
	if p.drawsGood || p.byDraws == nil {
		return
	}
	if excess := p.byDraws.LogZ - r.LogZ; excess > minExcess && excess > num.Mul(maxBars, r.SE) {
		r.Diagnose(estimators.DiagLogZOther, p.byDraws.LogZ)
		r.Diagnose(estimators.DiagLogZOtherSE, 0)
	}
}

// replaceByCubature replaces the estimate by the integral if both agree. Otherwise it reports the integral as the
// estimate of another method, so that the check of both fails.
func (p *posterior) replaceByCubature(r *estimators.Result) {
	if p.cubature == nil {
		return
	}
	if gap := math.Abs(p.cubature.LogZ - r.LogZ); !(gap <= max(num.Mul(maxBars, r.SE), estimators.HarmlessGap)) {
		r.Diagnose(estimators.DiagLogZOther, p.cubature.LogZ)
		r.Diagnose(estimators.DiagLogZOtherSE, p.cubature.Error)
		return
	}
	r.LogZ, r.SE = p.cubature.LogZ, max(p.cubature.Error, minCubatureError)
	r.SEMethod, r.Bias = estimators.SECubature, "either"
	if n := len(r.Ladder); n > 0 {
		r.Ladder = slices.Clone(r.Ladder)
		r.Ladder[n-1] = estimators.Rung{Beta: 1, LogZ: r.LogZ, SE: r.SE}
	}
	r.Flags = slices.DeleteFunc(r.Flags, func(f diag.Flag) bool { return f == stageFlags[p.stage] })
	r.Flag(estimators.FlagByCubature)
}

// minCubatureError is the smallest error bar of cubature, in nats.
const minCubatureError = 1e-10

// minExcess is the excess (nats) from which importance sampling refutes an estimate. By chance it exceeds log Z by as
// much with a probability of at most e^-3 = .05.
const minExcess = 3

func (p *posterior) Sweeps() float64 {
	return p.sweepsBefore + p.run.Sweeps()
}

// Need returns the memory and time of the current stage, at first including the pilot. Later stages may follow.
func (p *posterior) Need() estimators.Need {
	need := p.run.Need()
	if m := models.CapabilitiesOf(p.Model).Base.Prefitted; m != nil && p.stage == byDraws {
		need.Time += m.SearchTime()
	}
	return need
}
