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
	"logzlab/estimators/forming"
	"logzlab/models"
)

// thirdRoad is auto with a third road. Annealing and tempering both begin at the base, so both may miss the same mode.
// Where nothing confirms what they found, or the floor or a check refutes it, the model is also formed unit by unit
// (RM), along a sequence made from samples that begin elsewhere. Then
//
//   - if all roads agree, the estimate stays, and is confirmed;
//   - if forming finds more, the estimate is that of forming: as E[Zhat] = Z, P(Zhat >= e^t Z) <= e^-t, so the road
//     that found less has missed a mode;
//   - if forming is unsound by its own checks, it says nothing, unless the other roads are refuted too.
//
// A model that looks ahead is formed so. Then forming is by far the cheapest road, and the others have less time; but
// where it finds less than they do, no road is trusted, as particles that look in the wrong direction do not show it.
type thirdRoad struct {
	estimators.Method // annealing and tempering
	estimators.Config
	floor  estimators.Method
	bounds estimators.Bounds
	formed estimators.Method
	size   int // particles of its islands
	at     place
	took   bool              // the third road
	ahead  bool              // it looks ahead
	grown  bool              // and has more particles than at first
	all    int               // particles of an island once the few have tried the road; 0: none are to follow
	tried  estimators.Result // of the few
}

// place is how far a run with a third road has come.
type place int

const (
	onFirst place = iota // the first two roads
	onFloor
	onThird
	atEnd
)

// thirdRound names the rounds of forming.
const thirdRound = "third road"

// Marks of its rounds (estimators.WorkRefit).
const (
	workFloor   estimators.Work = 1 << 11
	workForming estimators.Work = 1 << 12
)

// Sizes of the third road: particles of an island, for a wanted error of thirdAim nats or more; and times the work of
// the first two roads that it may take, or thirdWork nanoseconds where that is more.
const (
	thirdFew       = 25 // particles of an island that try the road first, on few islands
	thirdParticles = 400
	thirdLeast     = 200
	thirdMost      = 6400
	thirdAim       = .05
	thirdTimes     = 3
	thirdWork      = 3e9

	thirdFewIslands = "2"

	aheadParticles = 4    // times as many of a road that looks ahead, which goes without moves
	aheadEven      = ".5" // its ess
	aheadGrows     = 8    // times the particles that it may have where the error asks for more
	aheadNear      = .5   // nats: a road that finds more by less than this agrees with it
	aheadOthers    = 1e10 // nanoseconds that the other roads may take then
)

// quick is c with a limit for models that look ahead: what other roads do not find then, they seldom find later.
func quick(c estimators.Config) estimators.Config {
	if _, looks := c.Model.(models.LooksAhead); looks {
		if most := models.Rough(aheadOthers / c.Costs().Sweep); c.Limit == 0 || most < c.Limit {
			c.Limit = most
		}
	}
	return c
}

// withThird is a run with a third road where the model can be formed along a sequence made from samples. Of a limit of
// sweeps the third road may have half.
func withThird(c estimators.Config, first estimators.Maker) (estimators.Method, error) {
	_, fills := c.Model.(models.Fillable)
	m, looks := c.Model.(models.LooksAhead)
	if !fills && !looks {
		return first(c)
	}
	t := &thirdRoad{Config: c, bounds: estimators.Bounds{Floor: math.NaN(), Ceiling: math.NaN()}, ahead: looks}
	if looks {
		t.Model = m.Ahead()
	}
	t.Key[0] += 2 // a second opinion has the key between
	t.Auxiliary = true
	t.floor = estimators.NewFloor(c.Model, models.Quick, func(b estimators.Bounds) { t.bounds = b })
	if t.floor == nil || t.form(thirdParticles) != nil { // too many units to form
		return first(c)
	}
	if c.Limit > 0 {
		c.Limit = max(c.Limit/2, c.Limit-t.formed.Sweeps())
	}
	var err error
	t.Method, err = first(quick(c))
	return t, err
}

// form makes the third road with so many particles.
func (t *thirdRoad) form(particles int) (err error) {
	if t.size == particles {
		return nil
	}
	c := t.Config
	c.Values = spec.Values{}
	for _, p := range forming.RM.Params {
		c.Values[p.Name] = p.Default
	}
	c.Values["particles"] = fmt.Sprint(particles)
	if particles == thirdFew {
		c.Values["islands"] = thirdFewIslands
	}
	if t.ahead {
		c.Values["particles"], c.Values["moves"], c.Values["ess"] = fmt.Sprint(aheadParticles*particles), "0", aheadEven
	}
	c.Readers = []estimators.Reader{{Info: forming.RM, Values: c.Values}}
	t.size = particles
	t.formed, err = forming.RM.New(c)
	return err
}

// affordable forms with the particles that the wanted error asks for, or with fewer, where that takes too much work;
// ok is false where even few take too much.
func (t *thirdRoad) affordable() (ok bool) {
	most := max(thirdTimes*models.Rough(t.Method.Need().Time), thirdWork)
	times := thirdAim / t.Target
	n := clamped(num.Mul(thirdParticles*times, times), thirdParticles, thirdMost)
	for ; n >= thirdLeast; n /= 2 {
		if t.form(n) != nil {
			return false
		}
		if models.Rough(t.formed.Need().Time) <= most && (t.Limit == 0 || t.Method.Sweeps()+t.formed.Sweeps() <= t.Limit) {
			return true
		}
	}
	return false
}

// try lets a few particles form the model first. Stages of uneven weights stay so with more particles (on rbm-pcd-100
// 13 % of the stages with 25 particles, 19 % with 400 and 20 % with 1600), and with too many such stages forming says
// nothing, unless the first two roads are refuted.
func (t *thirdRoad) try() error {
	if t.ahead || !t.usable(checks, t.first()) {
		return nil
	}
	t.all = t.size
	return t.form(thirdFew)
}

// goOn forms with all particles, after the few that found the road sound enough.
func (t *thirdRoad) goOn() (bool, error) {
	few, all := t.formed.Estimate(nil)[0], t.all
	if t.all = 0; all == 0 || few.Number(estimators.DiagStagesBelow) > forming.MostUneven {
		return false, nil
	}
	t.tried = *few
	return true, t.form(all)
}

// grow forms once more, with more particles, where a road that looks ahead has too large an error bar. They begin with
// those of the first time, so they are no second sample.
func (t *thirdRoad) grow() bool {
	if !t.ahead || t.grown {
		return false
	}
	se := t.formed.Estimate(nil)[0].SE
	times := math.Ceil(float64(2*se/t.Target) * float64(2*se/t.Target))
	if !(times > 1) {
		return false
	}
	t.grown = true
	return t.form(t.size*int(min(times, aheadGrows))) == nil
}

func (t *thirdRoad) Next(partials, states [][]byte) (*estimators.Round, error) {
	if t.at == onFirst {
		if r, err := t.Method.Next(partials, states); r != nil || err != nil {
			return r, err
		}
		t.at, partials, states = onFloor, nil, nil
	}

	// Second the floor, a bound from below.
	if t.at == onFloor {
		r, err := t.floor.Next(partials, states)
		if err != nil {
			return nil, err
		}
		if r != nil {
			r.Work |= workFloor
			return r, nil
		}
		if t.at, partials, states = atEnd, nil, nil; !t.confirmed(t.first()) && t.affordable() {
			t.at, t.took = onThird, true
			if err := t.try(); err != nil {
				return nil, err
			}
		}
	}

	// Last the third road: forming, and once more with more particles where the error bar is too large.
	if t.at == atEnd {
		return nil, nil
	}
	r, err := t.formed.Next(partials, states)
	if r == nil && err == nil {
		var on bool
		if on, err = t.goOn(); err == nil && (on || t.grow()) {
			r, err = t.formed.Next(nil, nil)
		}
	}
	if r == nil || err != nil {
		t.at = atEnd
		return nil, err
	}

	// The plan tells workers the number of particles.
	var w wire.Writer
	w.Int(t.size)
	r.Name, r.Work, r.Plan = thirdRound, r.Work|workForming, append(w.B, r.Plan...)
	return r, nil
}

// Lane shows progress of the third road without pictures, which would not be those of the run.
func (t *thirdRoad) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	switch {
	case u.Work&workFloor != 0:
		return t.floor.Lane(u)
	case u.Work&workForming == 0:
		return t.Method.Lane(u)
	}
	plan := wire.Reader{B: u.Plan}
	size := plan.Int()
	estimators.Must(&plan)
	if err := t.form(size); err != nil {
		panic(err)
	}
	return estimators.Unseen(t.formed, u, workForming, plan.B)
}

// first is what the first two roads found.
func (t *thirdRoad) first() *estimators.Result { return t.Method.Estimate(nil)[0] }

// tooHigh reports whether the ceiling refutes a result.
func (t *thirdRoad) tooHigh(r *estimators.Result) bool {
	return estimators.AboveCeiling(r.LogZ, r.SE, t.bounds.Ceiling)
}

// confirmed reports whether nothing speaks against a result of the first two roads: bounds that something else than
// the base has set, and no rows of a user, which may lack modes; checks, and the floor.
func (t *thirdRoad) confirmed(r *estimators.Result) bool {
	data, has := t.Model.(models.WithData)
	ownRows := has && data.OwnData() && slices.Contains(r.Flags, estimators.FlagUpperFromData)
	return num.Known(r.Upper) && !ownRows && t.sound(checks, r)
}

// sound reports whether a result passes checks and bounds.
func (t *thirdRoad) sound(checks []estimators.Check, r *estimators.Result) bool {
	return t.passes(checks, r, func(f estimators.Finding) bool { return f.OK })
}

// usable reports whether a result fails no check badly, and no bound.
func (t *thirdRoad) usable(checks []estimators.Check, r *estimators.Result) bool {
	return t.passes(checks, r, func(f estimators.Finding) bool { return f.OK || !f.Bad })
}

// passes reports whether a result passes the bounds and all checks that apply.
func (t *thirdRoad) passes(checks []estimators.Check, r *estimators.Result, pass func(estimators.Finding) bool) bool {
	if !num.Finite(r.LogZ) || !(r.SE >= 0) || estimators.BelowFloor(r.LogZ, r.SE, t.bounds.Floor) || t.tooHigh(r) {
		return false
	}
	facts := estimators.Facts{LogZ: r.LogZ, SE: r.SE, Lower: r.Lower, Upper: r.Upper, Values: t.Values, Number: r.Number}
	return !slices.ContainsFunc(checks, func(c estimators.Check) bool {
		found, applies := c.Judge(facts)
		return applies && !pass(found)
	})
}

func (t *thirdRoad) Estimate(peeked [][]byte) []*estimators.Result {
	if t.at == onFirst {
		return t.Method.Estimate(peeked)
	}
	r := *t.first() // a run gives the same result again
	switch {
	case t.at == onThird:
		r.Doing = thirdRound
	case t.took:
		return estimators.One(t.join(&r, t.formed.Estimate(nil)[0]))
	}
	return estimators.One(&r)
}

// join is the result of all three roads.
func (t *thirdRoad) join(first, formed *estimators.Result) *estimators.Result {
	first.Sweeps += formed.Sweeps + t.tried.Sweeps
	first.Evaluations += formed.Evaluations + t.tried.Evaluations

	// Tempering that is unsound may find far more than there is, which annealing seldom does.
	if t.ahead && first.Bias != "down" && !t.sound(checks, first) {
		annealed(first)
	}

	// An unsound third road counts only where the others are refuted and it is not.
	sound := t.sound(forming.RM.Checks, formed)
	if !sound && (t.usable(checks, first) || !t.usable(forming.RM.Checks, formed)) {
		return first
	}
	firstZ, firstSE := first.LogZ, first.SE

	// Forming has found more; or the ceiling refutes the others; or they are unsound, and forming agrees or they may be
	// too high.
	gap := formed.LogZ - firstZ
	limit := formedLimit(firstSE, formed.SE)
	if t.ahead {
		limit = min(limit, aheadNear)
	}
	if !num.Known(gap) || !num.Known(limit) || gap > limit || t.tooHigh(first) && !t.tooHigh(formed) ||
		!t.sound(checks, first) && (gap >= -limit || first.Bias != "down" && !t.ahead) {
		out := *formed
		out.Sweeps, out.Evaluations, out.PathStats, out.Runs = first.Sweeps, first.Evaluations, first.PathStats, first.Runs
		out.Flag(estimators.FlagFormed)
		out.Diagnose(estimators.DiagLogZFirst, firstZ)
		out.Diagnose(estimators.DiagLogZFirstSE, firstSE)
		if t.ahead && math.Abs(gap) <= limit {
			out.SE = max(out.SE, math.Abs(gap)/2)
		}
		return &out
	}

	// Else the third road is compared with the others, and changes no digit (checkFormed).
	first.Diagnostics = maps.Clone(first.Diagnostics)
	first.Diagnose(estimators.DiagLogZFormed, formed.LogZ)
	first.Diagnose(estimators.DiagLogZFormedSE, formed.SE)
	return first
}

// annealed has a result of tempering show what annealing found, unless they agree. Both are still compared.
func annealed(r *estimators.Result) {
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

// Sweeps are those of the roads that are taken.
func (t *thirdRoad) Sweeps() float64 {
	if !t.took {
		return t.Method.Sweeps()
	}
	return t.Method.Sweeps() + t.tried.Sweeps + t.formed.Sweeps()
}

// Need counts the memory of the third road always, its time where it is taken.
func (t *thirdRoad) Need() estimators.Need {
	third := t.formed.Need()
	if !t.took {
		third.Time = 0
	}
	if t.ahead && !t.grown {
		third.Lane *= aheadGrows
	}
	return t.Method.Need().And(t.floor.Need()).And(third)
}

// Found tells what the pilot finds.
func (t *thirdRoad) Found(partials [][]byte) *schedule.PathStats {
	if p, ok := t.Method.(estimators.Piloted); ok && t.at == onFirst {
		return p.Found(partials)
	}
	return nil
}
