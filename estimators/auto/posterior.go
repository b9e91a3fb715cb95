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

// posterior is auto on a target to which a base has been fitted (models.NearBase). It tries the methods from the
// cheapest to the most robust, and ends with the first whose own diagnostics are good:
//
//  1. importance sampling from the base: the Pareto shape of the weights, and their effective number
//  2. bridge sampling between the base and chains at the target: the Pareto shapes of both its terms, R-hat, overlap;
//     once more with longer chains where only these were too short
//  3. annealing or tempering from the base
//
// A target of few coordinates is also integrated by cubature, after importance sampling. If the integral agrees with the
// number of the last stage it takes its place, else the difference is told. All stages share the search for modes, so
// they do not confirm each other; a number that an earlier stage refutes is told.
type posterior struct {
	estimators.Config
	stage  int
	run    estimators.Method  // of the stage
	exact  *models.Truth      // by cubature, nil: none
	drawn  bool               // importance sampling was good enough
	last   *estimators.Result // of importance sampling
	over   bool
	spent  float64 // sweeps of the stages before
	failed float64 // evaluations of stages whose numbers were not good enough
}

// Stages of posterior.
const (
	byDraws = iota
	byCubature
	byBridge
	byLonger // bridge sampling with longer chains
	byPath
)

var stageFlags = [...]diag.Flag{byDraws: estimators.FlagByDraws, byCubature: estimators.FlagByDraws,
	byBridge: estimators.FlagByBridge, byLonger: estimators.FlagByBridge, byPath: estimators.FlagByPath}

// workStage is added to the work of rounds for each stage.
const workStage estimators.Work = 1 << 14

func newPosterior(c estimators.Config) (estimators.Method, error) {
	p := &posterior{Config: c}
	err := p.begin(byDraws)
	return p, err
}

// begin makes the run of a stage, with random numbers of its own.
func (p *posterior) begin(stage int) (err error) {
	c := p.Config
	c.Key[1] += uint32(10 * stage) // a pilot and a second opinion have the keys between
	p.stage = stage
	switch stage {
	case byDraws:
		p.run = newDraws(c, .1*programBudget(c))
	case byCubature:
		p.run = estimators.NewExact(c.Model, func(t *models.Truth) { p.exact = t })
	case byBridge:
		p.run, err = newBridge(c, 1)
	case byLonger:
		p.run, err = newBridge(c, longerBridge)
	default:
		p.run, err = piloted(c)
	}
	return err
}

// Sizes of bridge sampling: planned nanoseconds that it takes where a smaller error bar costs little, kept sweeps of a
// chain (burn-in takes about as many), chains, and how many times longer the chains of a second run are.
const (
	bridgeWork   = 1.2e10
	leastSweeps  = 60
	mostSweepsOf = 300
	bridgeChains = 40
	longerBridge = 4
)

// newBridge is bridge sampling, as long as fits in a share of the budget, with chains that are some times longer; warp-III
// where the base has one part, as a mirror image about the mean of several is nowhere.
func newBridge(c estimators.Config, longer float64) (estimators.Method, error) {
	cost := c.Costs()
	if m, ok := c.Model.(models.NearBase); ok {
		cost.Cost = m.Measured()
	}
	budget := max(bridgeWork, .1*programBudget(c))
	sweeps := int(longer * float64(clamped(budget/(2*bridgeChains*models.Rough(cost.Sweep)), leastSweeps, mostSweepsOf)))
	v := spec.Values{}
	for _, q := range bridge.Bridge.Params {
		v[q.Name] = q.Default
	}
	v["chains"], v["sweeps"] = fmt.Sprint(bridgeChains), fmt.Sprint(sweeps)
	heavy, tails := c.Model.(models.HeavyTailed)
	if m, ok := c.Model.(models.NearBase); ok && m.Parts() == 1 && !(tails && heavy.HeavyTailed()) {
		v["warp"] = "3" // has 1.4 to 2.7 times smaller errors for a tenth more time
	}
	c.Readers, c.Values = []estimators.Reader{{Info: bridge.Bridge, Values: v}}, v
	return bridge.Bridge.New(c)
}

// good reports whether the diagnostics of a stage's result are good enough to end with it.
func (p *posterior) good(r *estimators.Result) bool {
	if endless(p.Model) { // the verdict is stop, whatever more work finds
		return true
	}
	switch p.stage {
	case byDraws:
		return evenEnough(r)
	case byBridge, byLonger:
		return r.SE >= 0 && r.SE <= max(p.Target, .1) && passes(r)
	}
	return true
}

// passes reports whether a result of bridge sampling passes the checks of that method, except some.
func passes(r *estimators.Result, except ...string) bool {
	f := estimators.Facts{LogZ: r.LogZ, SE: r.SE, Lower: r.Lower, Upper: r.Upper, Number: r.Number}
	return !slices.ContainsFunc(bridge.Bridge.Checks, func(c estimators.Check) bool {
		found, applies := c.Judge(f)
		return applies && !found.OK && !slices.Contains(except, c.Name)
	})
}

// integrates reports whether the target can be integrated by cubature in little time.
func (p *posterior) integrates() bool {
	m, ok := p.Model.(models.Integrable)
	return ok && m.Integrates() && m.IntegralTime() <= models.MaxCubature && !endless(p.Model)
}

// after is the stage that follows the one that has ended, whose result is r; ok is false where it is the last.
func (p *posterior) after(r *estimators.Result) (stage int, ok bool) {
	switch p.stage {
	case byDraws:
		p.drawn = r != nil && p.good(r)
		p.last = r
		if !p.drawn && r != nil {
			p.failed += r.Evaluations
		}
		if p.integrates() {
			return byCubature, true
		}
		return byBridge, !p.drawn
	case byCubature:
		return byBridge, !p.drawn
	case byBridge, byLonger:
		if r != nil && p.good(r) {
			return 0, false
		}
		if r != nil {
			p.failed += r.Evaluations
		}
		if p.stage == byBridge && r != nil && r.SE >= 0 && passes(r, bridge.OfLength...) {
			return byLonger, true
		}
		return byPath, true
	}
	return 0, false
}

func (p *posterior) Next(partials, states [][]byte) (*estimators.Round, error) {
	for {
		r, err := p.run.Next(partials, states)
		if err != nil {
			return nil, err
		}
		if r != nil {
			var w wire.Writer
			w.Int(p.stage)
			r.Work, r.Plan = r.Work+estimators.Work(p.stage)*workStage, append(w.B, r.Plan...)
			return r, nil
		}
		var result *estimators.Result
		if results := p.run.Estimate(nil); len(results) > 0 {
			result = results[0]
		}
		stage, goesOn := p.after(result)
		if !goesOn {
			p.over = true
			return nil, nil
		}
		if result != nil {
			p.spent += result.Sweeps
		}
		if err := p.begin(stage); err != nil {
			return nil, err
		}
		partials, states = nil, nil
	}
}

func (p *posterior) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		plan := wire.Reader{B: u.Plan}
		stage := plan.Within(byDraws, byPath)
		estimators.Must(&plan)
		if stage != p.stage { // in a worker, which has no fold
			if err := p.begin(stage); err != nil {
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

// Estimate is the result of the stage, with what the stages before have found.
func (p *posterior) Estimate(peeked [][]byte) []*estimators.Result {
	last := p.last // cubature shows the estimate by draws until it ends
	if p.stage != byCubature {
		results := p.run.Estimate(peeked)
		if len(results) == 0 {
			return nil
		}
		last = results[0]
	}
	if last == nil {
		return nil
	}
	with := *last
	with.Diagnostics, with.Flags = maps.Clone(with.Diagnostics), slices.Clone(with.Flags)
	if p.stage != byCubature {
		with.Sweeps += p.spent
	}
	with.Flag(stageFlags[p.stage])
	with.Evaluations += p.failed
	if p.stage != byPath {
		cost := p.Costs()
		if with.Runs = 1; !endless(p.Model) {
			with.Runs = worthwhile(programBudget(p.Config), num.Mul(with.Sweeps, cost.Sweep)+num.Mul(with.Evaluations, cost.Density))
		}
	}
	if p.over {
		p.compare(&with)
		p.settle(&with)
	}
	return estimators.One(&with)
}

// compare notes the number by importance sampling where it failed its checks and is larger than this one by more than
// chance allows. As the mean of weights is unbiased, exp(log Zhat) exceeds e^t Z with a probability of at most e^-t: the
// larger number has found mass that this one misses.
func (p *posterior) compare(r *estimators.Result) {
	if p.drawn || p.last == nil {
		return
	}
	if more := p.last.LogZ - r.LogZ; more > largerBy && more > num.Mul(otherBars, r.SE) {
		r.Diagnose(estimators.DiagLogZOther, p.last.LogZ)
		r.Diagnose(estimators.DiagLogZOtherSE, 0)
	}
}

// settle puts the integral by cubature in the place of a number that it agrees with, and is a contradiction of one that
// it does not agree with.
func (p *posterior) settle(r *estimators.Result) {
	if p.exact == nil {
		return
	}
	if gap := math.Abs(p.exact.LogZ - r.LogZ); !(gap <= max(num.Mul(otherBars, r.SE), estimators.NearEnough)) {
		r.Diagnose(estimators.DiagLogZOther, p.exact.LogZ)
		r.Diagnose(estimators.DiagLogZOtherSE, p.exact.Error)
		return
	}
	r.LogZ, r.SE, r.SEMethod, r.Bias = p.exact.LogZ, max(p.exact.Error, leastError), estimators.SECubature, "either"
	if n := len(r.Ladder); n > 0 {
		r.Ladder = slices.Clone(r.Ladder)
		r.Ladder[n-1] = estimators.Rung{Beta: 1, LogZ: r.LogZ, SE: r.SE}
	}
	r.Flags = slices.DeleteFunc(r.Flags, func(f diag.Flag) bool { return f == stageFlags[p.stage] })
	r.Flag(estimators.FlagByCubature)
}

// leastError is the smallest error bar that cubature claims, in nats.
const leastError = 1e-10

// largerBy is how many nats more importance sampling must have found to refute a number: by chance it does so one time in
// twenty at most, and less often where its weights are not all in one.
const largerBy = 3

func (p *posterior) Sweeps() float64 {
	return p.spent + p.run.Sweeps()
}

// Need is that of the search and of the stage under way; later ones may follow.
func (p *posterior) Need() estimators.Need {
	need := p.run.Need()
	if m, ok := p.Model.(models.NearBase); ok && p.stage == byDraws {
		need.Time += m.SearchTime()
	}
	return need
}
