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

// sequentialCheck is auto with a sequential check, which the page calls the third strategy. Annealing and tempering
// both start from the base, so both may miss the same mode. If nothing confirms their estimate, or the floor or a check
// refutes it, the model is also grown unit by unit (resample-move, RM), along a sequence made from samples that start
// elsewhere. Then
//
//   - if all strategies agree, the estimate stays;
//   - if the estimate by resample-move is larger, it replaces the other one: as E[Zhat] = Z, P(Zhat >= e^t Z) <= e^-t,
//     so the strategy with the smaller estimate has missed a mode;
//   - if resample-move fails its own checks it is ignored, unless the other strategies are refuted as well.
//
// A model that can look ahead (models.GrowingSpaces) is grown with that view. Then resample-move is by far the cheapest
// strategy, and the others get less time. But if its estimate is smaller than theirs, no strategy is trusted, since
// particles that look ahead in a wrong direction show no sign of it.
type sequentialCheck struct {
	estimators.Method // annealing and tempering
	estimators.Config
	phase  phase
	floor  estimators.Method // computes bounds
	bounds estimators.Bounds

	grower     estimators.Method // resample-move
	size       int               // its particles in each island
	looksAhead bool
	started    bool              // resample-move has begun
	fullSize   int               // size of the run after a trial that is running, else 0
	trial      estimators.Result // result of the trial
	grown      bool              // the number of particles was increased (grow)
}

// phase is a part of a run with a sequential check.
type phase int

// Phases, in their order.
const (
	firstStrategies phase = iota
	floorRun
	growing
	ended
)

// growingRound is the name of the rounds of resample-move.
const growingRound = "third strategy"

// Marks of the Work of rounds of the floor and of resample-move, as estimators.RefitMark.
const (
	workFloor   estimators.Work = 1 << 11
	workGrowing estimators.Work = 1 << 12
)

// Sizes of the sequential check. Particles are per island. growingParticles are for a wanted error of growingTarget
// nats or more; a smaller error takes more in proportion to 1/error^2, up to maxGrowingParticles.
const (
	trialParticles      = 25 // particles of a trial (startTrial)
	trialIslands        = "2"
	growingParticles    = 400
	minGrowingParticles = 200
	maxGrowingParticles = 6400
	growingTarget       = .05
	maxGrowingShare     = 3   // largest work relative to the first two strategies,
	minGrowingWork      = 3e9 // or in nanoseconds, whichever is more
)

// Sizes of a strategy that looks ahead.
const (
	aheadParticles = 4    // factor on the particles, since there are no moves
	aheadESS       = ".5" // parameter ess of resample-move
	maxAheadGrowth = 8    // largest factor on the particles for a smaller error bar
	aheadAgreement = .5   // nats: the strategies agree if its estimate is larger by less than this
	aheadOtherWork = 1e10 // nanoseconds of annealing and tempering; with more they seldom find more
)

// withAheadLimit returns c with a limit of sweeps for annealing and tempering of models that look ahead.
func withAheadLimit(c estimators.Config) estimators.Config {
	if models.CapabilitiesOf(c.Model).GrowingSpaces.Lookahead != nil {
		if affordable := models.RoundTime(aheadOtherWork / c.Costs().Sweep); c.SweepLimit == 0 || affordable < c.SweepLimit {
			c.SweepLimit = affordable
		}
	}
	return c
}

// withSequentialCheck returns a run with a sequential check if the model can be grown along a sequence made from
// samples, else the first strategies alone. The sequential check may use half of a limit of sweeps.
func withSequentialCheck(c estimators.Config, makeFirst estimators.Maker) (estimators.Method, error) {
	can := models.CapabilitiesOf(c.Model).GrowingSpaces
	looksAhead := can.Lookahead != nil
	if can.Absent == nil && !looksAhead {
		return makeFirst(c)
	}
	t := &sequentialCheck{Config: c, bounds: estimators.Bounds{Floor: math.NaN(), Ceiling: math.NaN()},
		looksAhead: looksAhead}
	if looksAhead {
		t.Model = can.Lookahead()
	}
	t.Key[0] += 2 // a second opinion uses Key[0] + 1
	t.Auxiliary = true
	t.floor = estimators.NewFloor(c.Model, models.QuickEffort, func(b estimators.Bounds) { t.bounds = b })
	if t.floor == nil || t.makeGrower(growingParticles) != nil { // too many units to grow
		return makeFirst(c)
	}
	if c.SweepLimit > 0 {
		c.SweepLimit = max(c.SweepLimit/2, c.SweepLimit-t.grower.Sweeps())
	}
	var err error
	t.Method, err = makeFirst(withAheadLimit(c))
	return t, err
}

// makeGrower makes the run of resample-move with this many particles in each island.
func (t *sequentialCheck) makeGrower(particles int) (err error) {
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
	t.grower, err = resamplemove.RM.New(c)
	return err
}

// affordable makes the run of resample-move with the particles that the wanted error needs, or with a half, a quarter
// and so on if these take too much work. ok is false if even minGrowingParticles take too much.
func (t *sequentialCheck) affordable() (ok bool) {
	maxWork := max(maxGrowingShare*models.RoundTime(t.Method.Need().Time), minGrowingWork)
	ratio := growingTarget / t.Target
	n := ceilWithin(num.Mul(growingParticles*ratio, ratio), growingParticles, maxGrowingParticles)
	for ; n >= minGrowingParticles; n /= 2 {
		if t.makeGrower(n) != nil {
			return false
		}
		if models.RoundTime(t.grower.Need().Time) <= maxWork && (t.SweepLimit == 0 || t.Method.Sweeps()+t.grower.Sweeps() <= t.SweepLimit) {
			return true
		}
	}
	return false
}

// startTrial replaces the run of resample-move by a trial with few particles. Stages with uneven weights stay uneven
// with more particles (on rbm-pcd-100 13 % of the stages with 25 particles, 19 % with 400 and 20 % with 1600). With too
// many of them resample-move fails its checks and is ignored unless the first two strategies are refuted.
func (t *sequentialCheck) startTrial() error {
	if t.looksAhead || !t.usable(checks, t.first()) {
		return nil
	}
	t.fullSize = t.size
	return t.makeGrower(trialParticles)
}

// afterTrial makes the run of resample-move with all particles, if a trial has just ended and few of its stages have
// uneven weights.
func (t *sequentialCheck) afterTrial() (bool, error) {
	trial, fullSize := t.grower.Estimate(nil)[0], t.fullSize
	if t.fullSize = 0; fullSize == 0 || trial.Number(estimators.DiagStagesBelow) > resamplemove.MaxUneven {
		return false, nil
	}
	t.trial = *trial
	return true, t.makeGrower(fullSize)
}

// grow makes the run of resample-move once more with more particles, if it looks ahead and its error bar is too long.
// The particles of the first run are the first of these, so the two runs are not independent.
func (t *sequentialCheck) grow() bool {
	if !t.looksAhead || t.grown {
		return false
	}
	se := t.grower.Estimate(nil)[0].SE
	factor := math.Ceil(float64(2*se/t.Target) * float64(2*se/t.Target))
	if !(factor > 1) {
		return false
	}
	t.grown = true
	return t.makeGrower(t.size*int(min(factor, maxAheadGrowth))) == nil
}

func (t *sequentialCheck) Next(partials, states [][]byte) (*estimators.Round, error) {
	if t.phase == firstStrategies {
		if r, err := t.Method.Next(partials, states); r != nil || err != nil {
			return r, err
		}
		t.phase, partials, states = floorRun, nil, nil
	}

	// The floor, a lower bound of log Z, decides whether resample-move follows.
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
			t.phase, t.started = growing, true
			if err := t.startTrial(); err != nil {
				return nil, err
			}
		}
	}

	// Resample-move: a trial, then all particles, then more of them if the error bar is too long.
	if t.phase == ended {
		return nil, nil
	}
	r, err := t.grower.Next(partials, states)
	if r == nil && err == nil {
		var goesOn bool
		if goesOn, err = t.afterTrial(); err == nil && (goesOn || t.grow()) {
			r, err = t.grower.Next(nil, nil)
		}
	}
	if r == nil || err != nil {
		t.phase = ended
		return nil, err
	}

	// Workers take the number of particles from the plan.
	var w wire.Writer
	w.Int(t.size)
	r.Name, r.Work, r.Plan = growingRound, r.Work|workGrowing, append(w.B, r.Plan...)
	return r, nil
}

// Lane runs a unit of any strategy. Resample-move shows progress but no pictures, which would be of another kind of
// run.
func (t *sequentialCheck) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	switch {
	case u.Work&workFloor != 0:
		return t.floor.Lane(u)
	case u.Work&workGrowing == 0:
		return t.Method.Lane(u)
	}
	plan := wire.Reader{B: u.Plan}
	size := plan.Int()
	estimators.MustDecode(&plan)
	if err := t.makeGrower(size); err != nil {
		panic(err)
	}
	return estimators.WithoutPictures(t.grower, u, workGrowing, plan.B)
}

// first returns the result of the first two strategies.
func (t *sequentialCheck) first() *estimators.Result { return t.Method.Estimate(nil)[0] }

// tooHigh reports whether a result exceeds the upper bound of log Z by more than its error bar allows.
func (t *sequentialCheck) tooHigh(r *estimators.Result) bool {
	return estimators.AboveCeiling(r.LogZ, r.SE, t.bounds.Ceiling)
}

// confirmed reports whether a result of the first two strategies needs no sequential check: it is sound, and it has an
// upper bound, which comes from exact samples or data. Data given by the user do not count, as they may lack modes.
func (t *sequentialCheck) confirmed(r *estimators.Result) bool {
	data := models.CapabilitiesOf(t.Model).Data
	ownRows := data != nil && data.OwnData() && slices.Contains(r.Flags, estimators.FlagUpperFromData)
	return num.NotNaN(r.Upper) && !ownRows && t.sound(checks, r)
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
	case t.phase == growing:
		r.Doing = growingRound
	case t.started:
		return estimators.SingleResult(t.join(&r, t.grower.Estimate(nil)[0]))
	}
	return estimators.SingleResult(&r)
}

// join returns the result of the first two strategies and of resample-move.
func (t *sequentialCheck) join(first, grown *estimators.Result) *estimators.Result {
	first.Sweeps += grown.Sweeps + t.trial.Sweeps
	first.Evaluations += grown.Evaluations + t.trial.Evaluations

	// The estimate of unsound tempering may be far too high, which annealing seldom is.
	if t.looksAhead && first.Bias != "down" && !t.sound(checks, first) {
		preferAnnealing(first)
	}

	// Unsound resample-move counts only if the others fail badly and it does not.
	sound := t.sound(resamplemove.RM.Checks, grown)
	if !sound && (t.usable(checks, first) || !t.usable(resamplemove.RM.Checks, grown)) {
		return first
	}
	if gap, limit := t.gap(first, grown); t.replaces(first, grown, gap, limit) {
		out := *grown
		out.Sweeps, out.Evaluations, out.PathStats, out.Runs = first.Sweeps, first.Evaluations, first.PathStats, first.Runs
		out.Flag(estimators.FlagByGrowing)
		out.Diagnose(estimators.DiagLogZFirst, first.LogZ)
		out.Diagnose(estimators.DiagLogZFirstSE, first.SE)
		if t.looksAhead && math.Abs(gap) <= limit {
			out.SE = max(out.SE, math.Abs(gap)/2)
		}
		return &out
	}

	// Otherwise the estimate stays, and checkSequential compares both.
	first.Diagnostics = maps.Clone(first.Diagnostics)
	first.Diagnose(estimators.DiagLogZGrown, grown.LogZ)
	first.Diagnose(estimators.DiagLogZGrownSE, grown.SE)
	return first
}

// gap returns by how many nats resample-move exceeds the first strategies, and the gap up to which they agree.
func (t *sequentialCheck) gap(first, grown *estimators.Result) (gap, limit float64) {
	limit = sequentialLimit(first.SE, grown.SE)
	if t.looksAhead {
		limit = min(limit, aheadAgreement)
	}
	return grown.LogZ - first.LogZ, limit
}

// replaces reports whether the estimate by resample-move replaces the estimate of the first strategies.
func (t *sequentialCheck) replaces(first, grown *estimators.Result, gap, limit float64) bool {
	switch {
	case !num.NotNaN(gap) || !num.NotNaN(limit): // the first strategies have no estimate, or no error bar
		return true
	case gap > limit: // they have missed a mode
		return true
	case t.tooHigh(first) && !t.tooHigh(grown):
		return true
	case t.sound(checks, first):
		return false
	}
	mayBeTooHigh := first.Bias != "down" && !t.looksAhead
	return gap >= -limit || mayBeTooHigh
}

// preferAnnealing replaces the estimate of tempering by that of annealing, unless they agree. The estimate of tempering
// becomes the other estimate, with which it is still compared.
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
	r.Flag(estimators.FlagByAnnealing)
}

// Sweeps returns the sweeps of the strategies that are run.
func (t *sequentialCheck) Sweeps() float64 {
	if !t.started {
		return t.Method.Sweeps()
	}
	return t.Method.Sweeps() + t.trial.Sweeps + t.grower.Sweeps()
}

// Need returns the memory of all strategies, and the time of those that are run.
func (t *sequentialCheck) Need() estimators.Need {
	third := t.grower.Need()
	if !t.started {
		third.Time = 0
	}
	if t.looksAhead && !t.grown {
		third.Lane *= maxAheadGrowth
	}
	return t.Method.Need().Then(t.floor.Need()).Then(third)
}

// Found returns the findings of the pilot so far.
func (t *sequentialCheck) Found(partials [][]byte) *schedule.PathStats {
	if p, ok := t.Method.(estimators.Piloted); ok && t.phase == firstStrategies {
		return p.Found(partials)
	}
	return nil
}
