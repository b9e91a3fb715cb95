package auto

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/resamplemove"
	"logzlab/models"
)

// sequentialCheck is auto with a sequential check, which the page calls a third road. Annealing and tempering both
// start from the base, so both may miss the same mode. If nothing confirms their estimate, or the floor or a check
// refutes it, the model is also formed unit by unit (RM), along a sequence made from samples that start elsewhere. Then
//
//   - if all strategies agree, the estimate stays;
//   - if the estimate by forming is larger, it replaces the other one: as E[Zhat] = Z, P(Zhat >= e^t Z) <= e^-t, so the
//     strategy with the smaller estimate has missed a mode;
//   - if forming fails its own checks it is ignored, unless the other strategies are refuted as well.
//
// A model that can look ahead (models.Formation) is formed so. Then forming is by far the cheapest strategy, and the
// others get less time. But if its estimate is smaller than theirs, no strategy is trusted, since particles that look
// ahead in a wrong direction show no sign of it.
type sequentialCheck struct {
	estimators.Method // annealing and tempering
	estimators.Config
	phase  phase
	floor  estimators.Method // computes bounds
	bounds estimators.Bounds

	formed     estimators.Method // forming
	size       int               // its particles to an island
	looksAhead bool
	taken      bool              // forming has begun
	fullSize   int               // during a trial: the size of the run after it; else 0
	trial      estimators.Result // of the trial
	grown      bool              // it has more particles than at first (grow)
}

// phase is a part of a run with a sequential check.
type phase int

// Phases, in their order.
const (
	firstStrategies phase = iota
	floorRun
	formingRun
	ended
)

// formingRound is the name of the rounds of forming.
const formingRound = "third road"

// Bits of the Work of rounds of the floor and of forming, as estimators.WorkRefit.
const (
	workFloor   estimators.Work = 1 << 11
	workForming estimators.Work = 1 << 12
)

// Sizes of the sequential check. Particles are those of an island. formingParticles are for a wanted error of
// formingAim nats or more; a smaller one takes more in proportion to 1/error^2, up to maxFormingParticles.
const (
	trialParticles      = 25 // of a trial (startTrial)
	trialIslands        = "2"
	formingParticles    = 400
	minFormingParticles = 200
	maxFormingParticles = 6400
	formingAim          = .05
	maxFormingShare     = 3   // work at most, in units of that of the first two strategies,
	minFormingWork      = 3e9 // or this many nanoseconds, where that is more
)

// Sizes of a strategy that looks ahead.
const (
	aheadParticles = 4    // times as many particles, since there are no moves
	aheadESS       = ".5" // parameter ess of forming
	maxAheadGrowth = 8    // times the particles that it may have for a smaller error bar
	aheadAgreement = .5   // nats: if its estimate is larger by less than this, the strategies agree
	aheadOtherWork = 1e10 // nanoseconds of annealing and tempering; with more they seldom find more
)

// withAheadLimit returns c with a limit of sweeps for annealing and tempering of models that look ahead.
func withAheadLimit(c estimators.Config) estimators.Config {
	if models.Can(c.Model).Formation.Lookahead != nil {
		if affordable := models.RoundTime(aheadOtherWork / c.Costs().Sweep); c.Limit == 0 || affordable < c.Limit {
			c.Limit = affordable
		}
	}
	return c
}

// withSequentialCheck returns a run with a sequential check, if the model can be formed along a sequence made from
// samples, and else the first strategies alone. The sequential check may use half of a limit of sweeps.
func withSequentialCheck(c estimators.Config, makeFirst estimators.Maker) (estimators.Method, error) {
	can := models.Can(c.Model).Formation
	looksAhead := can.Lookahead != nil
	if can.Absent == nil && !looksAhead {
		return makeFirst(c)
	}
	t := &sequentialCheck{Config: c, bounds: estimators.Bounds{Floor: math.NaN(), Ceiling: math.NaN()},
		looksAhead: looksAhead}
	if looksAhead {
		t.Model = can.Lookahead()
	}
	t.Key[0] += 2 // a second opinion has Key[0] + 1
	t.Auxiliary = true
	t.floor = estimators.NewFloor(c.Model, models.QuickEffort, func(b estimators.Bounds) { t.bounds = b })
	if t.floor == nil || t.newForming(formingParticles) != nil { // too many units to form
		return makeFirst(c)
	}
	if c.Limit > 0 {
		c.Limit = max(c.Limit/2, c.Limit-t.formed.Sweeps())
	}
	var err error
	t.Method, err = makeFirst(withAheadLimit(c))
	return t, err
}

// newForming makes the run of forming with this many particles to an island.
func (t *sequentialCheck) newForming(particles int) (err error) {
	if t.size == particles {
		return nil
	}
	c := t.Config
	c.Values = spec.Defaults(resamplemove.RM.Params)
	c.Values["particles"] = fmt.Sprint(particles)
	if particles == trialParticles {
		c.Values["islands"] = trialIslands
	}
	if t.looksAhead {
		c.Values["particles"], c.Values["moves"], c.Values["ess"] = fmt.Sprint(aheadParticles*particles), "0", aheadESS
	}
	c.Readers = []estimators.Reader{{Info: resamplemove.RM, Values: c.Values}}
	t.size = particles
	t.formed, err = resamplemove.RM.New(c)
	return err
}

// affordable makes the run of forming with the particles that the wanted error needs, or with a half, a quarter and so
// on where these take too much work. ok is false where even minFormingParticles take too much.
func (t *sequentialCheck) affordable() (ok bool) {
	maxWork := max(maxFormingShare*models.RoundTime(t.Method.Need().Time), minFormingWork)
	ratio := formingAim / t.Target
	n := ceilWithin(num.Mul(formingParticles*ratio, ratio), formingParticles, maxFormingParticles)
	for ; n >= minFormingParticles; n /= 2 {
		if t.newForming(n) != nil {
			return false
		}
		if models.RoundTime(t.formed.Need().Time) <= maxWork && (t.Limit == 0 || t.Method.Sweeps()+t.formed.Sweeps() <= t.Limit) {
			return true
		}
	}
	return false
}

// startTrial replaces the run of forming by a trial with few particles. Stages whose weights are uneven stay so with
// more particles (on rbm-pcd-100 13 % of the stages with 25 particles, 19 % with 400 and 20 % with 1600), and with too
// many of them forming fails its checks, and is ignored unless the first two strategies are refuted.
func (t *sequentialCheck) startTrial() error {
	if t.looksAhead || !t.usable(checks, t.first()) {
		return nil
	}
	t.fullSize = t.size
	return t.newForming(trialParticles)
}

// afterTrial makes the run of forming with all particles, if a trial has just ended and few of its stages have uneven
// weights.
func (t *sequentialCheck) afterTrial() (bool, error) {
	trial, fullSize := t.formed.Estimate(nil)[0], t.fullSize
	if t.fullSize = 0; fullSize == 0 || trial.Number(estimators.DiagStagesBelow) > resamplemove.MostUneven {
		return false, nil
	}
	t.trial = *trial
	return true, t.newForming(fullSize)
}

// grow makes the run of forming once more with more particles, if it looks ahead and its error bar is too long. The
// particles of the first run are the first of these, so both are not independent.
func (t *sequentialCheck) grow() bool {
	if !t.looksAhead || t.grown {
		return false
	}
	se := t.formed.Estimate(nil)[0].SE
	factor := math.Ceil(float64(2*se/t.Target) * float64(2*se/t.Target))
	if !(factor > 1) {
		return false
	}
	t.grown = true
	return t.newForming(t.size*int(min(factor, maxAheadGrowth))) == nil
}

func (t *sequentialCheck) Next(partials, states [][]byte) (*estimators.Round, error) {
	if t.phase == firstStrategies {
		if r, err := t.Method.Next(partials, states); r != nil || err != nil {
			return r, err
		}
		t.phase, partials, states = floorRun, nil, nil
	}

	// The floor, a lower bound of log Z, decides whether forming follows.
	if t.phase == floorRun {
		r, err := t.floor.Next(partials, states)
		if err != nil {
			return nil, err
		}
		if r != nil {
			r.Work |= workFloor
			return r, nil
		}
		if t.phase, partials, states = ended, nil, nil; !t.confirmed(t.first()) && t.affordable() {
			t.phase, t.taken = formingRun, true
			if err := t.startTrial(); err != nil {
				return nil, err
			}
		}
	}

	// Forming: a trial, then all particles, then more of them if the error bar is too long.
	if t.phase == ended {
		return nil, nil
	}
	r, err := t.formed.Next(partials, states)
	if r == nil && err == nil {
		var goesOn bool
		if goesOn, err = t.afterTrial(); err == nil && (goesOn || t.grow()) {
			r, err = t.formed.Next(nil, nil)
		}
	}
	if r == nil || err != nil {
		t.phase = ended
		return nil, err
	}

	// Workers take the number of particles from the plan.
	var w wire.Writer
	w.Int(t.size)
	r.Name, r.Work, r.Plan = formingRound, r.Work|workForming, append(w.B, r.Plan...)
	return r, nil
}

// Lane runs a unit of any strategy. Of forming it shows progress but no pictures, which would be of another kind of
// run.
func (t *sequentialCheck) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	switch {
	case u.Work&workFloor != 0:
		return t.floor.Lane(u)
	case u.Work&workForming == 0:
		return t.Method.Lane(u)
	}
	plan := wire.Reader{B: u.Plan}
	size := plan.Int()
	estimators.MustDecode(&plan)
	if err := t.newForming(size); err != nil {
		panic(err)
	}
	return estimators.Unseen(t.formed, u, workForming, plan.B)
}

// first returns the result of the first two strategies.
func (t *sequentialCheck) first() *estimators.Result { return t.Method.Estimate(nil)[0] }

// tooHigh reports whether a result is above the upper bound of log Z by more than its error bar allows.
func (t *sequentialCheck) tooHigh(r *estimators.Result) bool {
	return estimators.AboveCeiling(r.LogZ, r.SE, t.bounds.Ceiling)
}

// confirmed reports whether a result of the first two strategies needs no sequential check: it is sound, and it has an
// upper bound, which comes from exact samples or data. Data that the user has given do not count, as they may lack
// modes.
func (t *sequentialCheck) confirmed(r *estimators.Result) bool {
	data := models.Can(t.Model).Data
	ownRows := data != nil && data.OwnData() && slices.Contains(r.Flags, estimators.FlagUpperFromData)
	return num.Known(r.Upper) && !ownRows && t.sound(checks, r)
}

// sound reports whether a result passes all checks and the bounds.
func (t *sequentialCheck) sound(checks []estimators.Check, r *estimators.Result) bool {
	return t.passes(checks, r, func(f estimators.Finding) bool { return f.OK })
}

// usable reports whether a result fails no check badly, and passes the bounds.
func (t *sequentialCheck) usable(checks []estimators.Check, r *estimators.Result) bool {
	return t.passes(checks, r, func(f estimators.Finding) bool { return f.OK || !f.Bad })
}

// passes reports whether a result passes the bounds, and pass accepts the findings of all checks that apply.
func (t *sequentialCheck) passes(checks []estimators.Check, r *estimators.Result,
	pass func(estimators.Finding) bool) bool {
	if !num.Finite(r.LogZ) || !(r.SE >= 0) || estimators.BelowFloor(r.LogZ, r.SE, t.bounds.Floor) || t.tooHigh(r) {
		return false
	}
	facts := estimators.Facts{LogZ: r.LogZ, SE: r.SE, Lower: r.Lower, Upper: r.Upper, Values: t.Values, Number: r.Number}
	return !slices.ContainsFunc(checks, func(c estimators.Check) bool {
		found, applies := c.Judge(facts)
		return applies && !pass(found)
	})
}

func (t *sequentialCheck) Estimate(peeked [][]byte) []*estimators.Result {
	if t.phase == firstStrategies {
		return t.Method.Estimate(peeked)
	}
	r := *t.first() // a copy, as the run returns the same Result again
	switch {
	case t.phase == formingRun:
		r.Doing = formingRound
	case t.taken:
		return estimators.One(t.join(&r, t.formed.Estimate(nil)[0]))
	}
	return estimators.One(&r)
}

// join returns the result of the first two strategies and of forming.
func (t *sequentialCheck) join(first, formed *estimators.Result) *estimators.Result {
	first.Sweeps += formed.Sweeps + t.trial.Sweeps
	first.Evaluations += formed.Evaluations + t.trial.Evaluations

	// The estimate of unsound tempering may be far too high, which that of annealing seldom is.
	if t.looksAhead && first.Bias != "down" && !t.sound(checks, first) {
		preferAnnealing(first)
	}

	// Unsound forming counts only where the others fail badly and it does not.
	sound := t.sound(resamplemove.RM.Checks, formed)
	if !sound && (t.usable(checks, first) || !t.usable(resamplemove.RM.Checks, formed)) {
		return first
	}
	if gap, limit := t.gap(first, formed); t.replaces(first, formed, gap, limit) {
		out := *formed
		out.Sweeps, out.Evaluations, out.PathStats, out.Runs = first.Sweeps, first.Evaluations, first.PathStats, first.Runs
		out.Flag(estimators.FlagFormed)
		out.Diagnose(estimators.DiagLogZFirst, first.LogZ)
		out.Diagnose(estimators.DiagLogZFirstSE, first.SE)
		if t.looksAhead && math.Abs(gap) <= limit {
			out.SE = max(out.SE, math.Abs(gap)/2)
		}
		return &out
	}

	// Else the estimate stays, and checkFormed compares both.
	first.Diagnostics = maps.Clone(first.Diagnostics)
	first.Diagnose(estimators.DiagLogZFormed, formed.LogZ)
	first.Diagnose(estimators.DiagLogZFormedSE, formed.SE)
	return first
}

// gap returns by how much forming finds more than the first strategies, in nats, and up to which gap they agree.
func (t *sequentialCheck) gap(first, formed *estimators.Result) (gap, limit float64) {
	limit = formedLimit(first.SE, formed.SE)
	if t.looksAhead {
		limit = min(limit, aheadAgreement)
	}
	return formed.LogZ - first.LogZ, limit
}

// replaces reports whether the estimate by forming replaces that of the first strategies.
func (t *sequentialCheck) replaces(first, formed *estimators.Result, gap, limit float64) bool {
	switch {
	case !num.Known(gap) || !num.Known(limit): // the first strategies have no estimate, or no error bar
		return true
	case gap > limit: // they have missed a mode
		return true
	case t.tooHigh(first) && !t.tooHigh(formed):
		return true
	case t.sound(checks, first):
		return false
	}
	mayBeTooHigh := first.Bias != "down" && !t.looksAhead
	return gap >= -limit || mayBeTooHigh
}

// preferAnnealing replaces the estimate of tempering by that of annealing, unless they agree. The former becomes the
// other estimate, with which it is still compared.
func preferAnnealing(r *estimators.Result) {
	z, se := r.Number(estimators.DiagLogZOther), r.Number(estimators.DiagLogZOtherSE)
	found, applies := checkOther.Judge(estimators.Facts{LogZ: r.LogZ, SE: r.SE, Number: r.Number})
	if !applies || found.OK {
		return
	}
	r.Diagnostics = maps.Clone(r.Diagnostics)
	r.Diagnose(estimators.DiagLogZOther, r.LogZ)
	r.Diagnose(estimators.DiagLogZOtherSE, r.SE)
	r.LogZ, r.SE, r.SEMethod, r.Bias = z, se, estimators.SEDelta, "down"
	r.Flag(estimators.FlagAnnealed)
}

// Sweeps returns the sweeps of the strategies that are taken.
func (t *sequentialCheck) Sweeps() float64 {
	if !t.taken {
		return t.Method.Sweeps()
	}
	return t.Method.Sweeps() + t.trial.Sweeps + t.formed.Sweeps()
}

// Need returns the memory of all strategies, and the time of those that are taken.
func (t *sequentialCheck) Need() estimators.Need {
	third := t.formed.Need()
	if !t.taken {
		third.Time = 0
	}
	if t.looksAhead && !t.grown {
		third.Lane *= maxAheadGrowth
	}
	return t.Method.Need().And(t.floor.Need()).And(third)
}

// Found returns what the pilot has found so far.
func (t *sequentialCheck) Found(partials [][]byte) *schedule.PathStats {
	if p, ok := t.Method.(estimators.Piloted); ok && t.phase == firstStrategies {
		return p.Found(partials)
	}
	return nil
}
