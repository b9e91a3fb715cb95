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
	"logzlab/estimators/forming"
	"logzlab/estimators/temper"
	"logzlab/models"
)

// AUTO finds log Z to a wanted standard error by itself. If the model has a base that can be fitted, it is fitted to
// rough samples of the target, which makes the path shorter; where the path from a base that favours no state costs
// little, runs start there (withEven). A pilot measures how hard each part of the path is and how far chains lag
// behind it. From these, and from counted operations, follow the work of annealing and of tempering for the wanted
// error. The cheaper one is run with the best schedule; where exact samples of the target can be drawn, which show
// modes that chains miss, annealing is run there and back whatever it costs. Annealing one way adds chains, and
// tempering adds sweeps, until the error bar is small enough. On both roads, averages over chains vary less than
// over those of the papers (Config.Overrelaxed). Then the other one gives a second opinion, with a quarter of the
// work that this took, or with 16 chains at 50 rungs or 40 chains for 200 sweeps where that is more. Where nothing
// confirms the number, the model is also formed unit by unit (thirdRoad). If the error bar is still too large, the
// experiment repeats all this (engine: target).
var AUTO = estimators.Info{
	Name: "auto", Label: "Auto", Short: "by itself", Path: estimators.Tempered,
	Stretch:    1, // its tempering runs have grown until a bar 1.1 times as long was small enough
	Provenance: estimators.OnRungs | estimators.FromData, Target: autoTarget,
	About: "Chooses the method by itself and works until the error bar is as small as wanted: annealing or tempering after " +
		"a short pilot, with the other one beside it; for posteriors importance sampling, cubature or bridge sampling where " +
		"these are reliable.",
	Checks: checks, Formed: &forming.RM,
	New: func(c estimators.Config) (estimators.Method, error) {
		if m, ok := c.Model.(models.Zero); ok && m.IsZero() {
			return nothing{}, nil
		}
		c.Overrelaxed = true
		if m, ok := c.Model.(models.WithFasterKernel); ok {
			c.Model = m.Faster()
		}
		if _, searched := c.Model.(models.NearBase); searched {
			return newPosterior(c)
		}
		if _, exact := estimators.ExactTarget(c.Model); exact {
			if _, ok := c.Model.(models.RoughlyFitted); ok { // the prior may be wide, and proposals need a shape
				return estimators.AfterFit(c, piloted)
			}
			return piloted(quick(c)) // the way back is as good from any base
		}
		return withThird(c, withEven)
	},
}

// piloted is a run after a pilot.
func piloted(c estimators.Config) (estimators.Method, error) {
	return anneal.AfterPilot(c, autoPilot, autoLadder(c.Model), guessed, newAuto)
}

// guessed stands for what a pilot finds before there is one.
var guessed = &schedule.PathStats{Betas: []float64{0, 1}, Mean: []float64{0, 0}, Var: []float64{200, 200}, Lag: 3}

// checks are those of all roads.
var checks = autoChecks()

// autoChecks are the checks of annealing, tempering and forming. Their advice to change sizes is replaced, since auto
// sets sizes by itself for the wanted error.
func autoChecks() []estimators.Check {
	out := []estimators.Check{oneWay(anneal.CheckESS), oneWay(anneal.CheckSpread), anneal.CheckMeeting,
		anneal.CheckReverse, anneal.CheckSandwich}
	out = estimators.With(out, temper.Checks...)
	out = estimators.With(out, forming.RM.Checks...)
	for _, c := range bridge.Bridge.Checks {
		out = append(out, bridged(c))
	}
	for i := range out {
		out[i].Do = "Want a smaller error bar: both roads then work longer. Or give ais-bar or rts more work by hand."
	}
	return append(out, checkOther, checkFormed)
}

// bridged is a check of bridge sampling; only those of Pareto shapes and of halves apply to numbers of other methods.
func bridged(c estimators.Check) estimators.Check {
	if c.Name == estimators.CheckParetoK.Name || c.Name == estimators.CheckHalves.Name {
		return c
	}
	judge := c.Judge
	c.Judge = func(f estimators.Facts) (estimators.Finding, bool) {
		if !num.Known(f.Number(estimators.DiagRHat)) {
			return estimators.Finding{}, false
		}
		return judge(f)
	}
	return c
}

// oneWay is a check of weights that does not apply where chains on the way back share in the estimate (ais-bar).
func oneWay(c estimators.Check) estimators.Check {
	judge := c.Judge
	c.Judge = func(f estimators.Facts) (estimators.Finding, bool) {
		if num.Known(f.Number(estimators.DiagESSBennett)) {
			return estimators.Finding{}, false
		}
		return judge(f)
	}
	return c
}

// autoLadder is the ladder of auto's pilot: half of its rungs crowd towards 1, where the chains of trained machines
// lag, and a quarter towards 0 (see anneal.pilotLadder). The path from a base that is near the target needs few.
func autoLadder(m models.Model) (out []float64) {
	n := 50
	if _, near := m.(models.NearBase); near {
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

// road is one of the two ways to log Z and its size.
type road struct {
	temper, both, data    bool // else annealing; both: there and back from exact samples; data: some chains from data
	chains, rungs, sweeps int
	each                  float64 // nanoseconds of a chain at a rung or in a sweep
	most                  int     // chains of annealing, or sweeps of tempering, that it may grow to; 0: it does not grow
}

// back is how many chains go back, and how many sweeps at the target they begin with.
func (r road) back() (chains, burnIn int) {
	switch {
	case r.both:
		return r.chains, 0
	case r.data:
		return min(autoBack, r.chains), autoBurnIn
	}
	return 0, 0
}

// work is the time of a road in nanoseconds.
func (r road) work() float64 {
	if r.temper {
		return num.Mul(float64(r.chains)*(num.Mul(1.1, float64(r.sweeps))+temperStart), r.each)
	}
	back, burnIn := r.back()
	return num.Mul(float64(r.chains*r.rungs+back*(r.rungs+burnIn)), r.each)
}

// cost is what a road counts as where roads are compared.
func (r road) cost() float64 {
	if r.temper || r.both {
		return r.work()
	}
	return autoHeavy * r.work()
}

// within is a road with less work, about this many nanoseconds, if it has more. Annealing takes fewer chains, and where
// these are few, fewer rungs; tempering fewer chains and sweeps. Of each it keeps a least number.
func (r road) within(work float64) road {
	share := float64(work / r.work())
	if !(share < 1) {
		return r
	}
	size := float64(work / r.each)
	if r.temper {
		r.chains = min(r.chains, 40)
		r.sweeps = clamped(float64(size/float64(r.chains)-temperStart)/1.1, 50, float64(r.sweeps))
		return r
	}
	if r.both {
		r.rungs = clamped(size/(2*leastChains), 50, float64(r.rungs))
		r.chains = clamped(size/float64(2*r.rungs), leastChains, float64(r.chains))
		return r
	}
	back, burnIn := r.back()
	size -= float64(back * burnIn)
	r.rungs = clamped(size/float64(leastChains+back), 50, float64(r.rungs))
	r.chains = clamped(size/float64(r.rungs)-float64(back), leastChains, float64(r.chains))
	return r
}

// leastChains of annealing tell an error bar. Fewer chains are better than fewer rungs: at the same work the variance
// of log Z is (e^v - 1)/v times a constant, v = Var(log w) falling with the rungs.
const leastChains = 16

// longer is annealing at so many times the rungs, or tempering for so many times the sweeps.
func (r road) longer(times float64) road {
	if r.temper {
		r.sweeps = int(times * float64(r.sweeps))
	} else {
		r.rungs = int(times * float64(r.rungs))
	}
	return r
}

func clamped(x, lo, hi float64) int { return int(max(min(math.Ceil(x), hi), lo)) }

// Sizes of auto. Where chains cannot be added it aims below the wanted error, since error bars are random. A short
// pilot sees part of the lag: the machines of the lab have 1 to 2.3 times the variance that it leads one to expect. So
// annealing counts on autoUnseen times of it, and has so many rungs that this is autoSpread.
const (
	autoAim     = .72
	autoLeast   = .05 // chains or sweeps that are added at a time, at least, as a share of those there are
	autoMore    = .5  // and at most
	annealMost  = 3   // times the planned chains that annealing may grow to
	temperFirst = .5  // of the planned sweeps: tempering that may grow begins with these
	temperMost  = 10  // times the planned sweeps that it may grow to
	autoSpread  = .5
	autoUnseen  = 2
	autoHeavy   = 2   // of annealing one way: a few heavy weights, of modes that chains seldom find, cost as much again
	autoOpinion = .25 // work of the second opinion
	temperStart = 150 // sweeps of a tempering chain before its burn-in
	autoInitial = 20  // of these, those of each initial iteration
	autoTarget  = .1  // the error that is wanted where none is named
	autoPilot   = 64  // chains of the pilot
	autoLag     = 10  // lag in sweeps that counts about twice in the ladder of tempering
)

// planAuto sizes both roads for a wanted error.
//
// Annealing at K temperatures has Var(log w) = v = F/(K-1), with the friction g t in place of g ([VAROPT] Theorem 1;
// [Sivak2012]), and C chains give log Z with variance (e^v - 1)/C; with chains on the way back from exact samples, half
// of it. Tempering moves freely: n samples give log Z with variance (4 + 2 sqrt(lag)) F/n, a fit to the machines and
// mixtures of the lab within a factor of two, and of four where modes are far apart, which no pilot sees.
func planAuto(c estimators.Config) (annealing, tempering road) {
	_, f := schedule.Functionals(c.PathStats.Betas, c.PathStats.Var)
	_, slow := schedule.Functionals(c.PathStats.Betas, c.PathStats.Friction())
	lag := min(max(c.PathStats.Lag, 1), 100)
	aim := func(share float64) float64 { return num.Mul(share*c.Target, share*c.Target) }

	// Annealing: rungs by the friction of the path, chains by the error wanted.
	slow = autoUnseen * max(slow, num.Mul(lag, f))
	annealing.rungs = clamped(1+float64(slow/autoSpread), 50, 20000)
	v := slow / float64(annealing.rungs-1)
	chains := num.Exp(min(v, 10)) - 1
	_, annealing.both = estimators.ExactTarget(c.Model)
	data, some := c.Model.(models.WithData)
	if annealing.data = !annealing.both && some && data.Data() > 0; annealing.both {
		chains /= 2 * aim(autoAim)
	} else {
		chains /= aim(1)
	}
	least := max(64, 1/num.Mul(autoAim, c.Target)) // fewer would have too few effective ones, or miss too much
	annealing.chains = clamped(chains, least, 1e5)
	cost := c.Costs()
	if m, ok := c.Model.(models.NearBase); ok && c.PathStats != guessed {
		cost.Cost = m.Measured()
	}
	annealing.each = models.Rough(cost.Sweep + num.Mul(2, cost.Density) + 20)

	// Tempering: rungs by the length of the path, sweeps by the error wanted.
	tempering.temper, tempering.chains = true, 100
	tempering.rungs = clamped(1+num.Mul(1.5, math.Sqrt(f)), 8, 200)
	samples := num.Mul(4+num.Mul(2, math.Sqrt(lag)), f) / aim(1)
	tempering.sweeps = clamped(samples/float64(tempering.chains), 100, 1e6)
	k := float64(tempering.rungs)
	tempering.each = models.Rough(cost.Sweep + cost.Density + num.Mul(k, cost.Beta+temper.StepTime))
	return annealing, tempering
}

// newAuto is the run that follows the pilot.
func newAuto(c estimators.Config) (estimators.Method, error) {
	annealing, tempering := planAuto(c)
	first, second := annealing, tempering
	if !annealing.both && tempering.cost() < annealing.cost() {
		first, second = tempering, annealing
	}

	// The cheaper road goes first, within the budget of time and sweeps.
	budget, infinite := programBudget(c), endless(c.Model)
	if infinite {
		budget = endlessWork
	}
	most := mostSweeps(c, float64(budget/first.each))
	first = first.within(num.Mul(most, first.each))
	if infinite {
		first.most = 0
	} else if first.temper {
		first.most = int(min(temperMost*float64(first.sweeps), float64(most/float64(first.chains)-temperStart)/1.1))
	} else if !first.both {
		back, _ := first.back()
		first.most = int(min(annealMost*float64(first.chains), most/float64(first.rungs)-float64(back)))
	}

	// The main run, and a second opinion by the other road for a part of the work.
	main, err := first.run(c)
	if err != nil {
		return nil, err
	}
	c.Key[0]++
	c.Auxiliary = true
	a := &estimators.WithSecondOpinion{Method: main, Planned: main.Sweeps(),
		Resize: func(growth float64) (estimators.Method, error) {
			work := min(num.Mul(growth, first.work()), num.Mul(most, second.each))
			return second.longer(growth).within(num.Mul(autoOpinion, work)).run(c)
		}}

	// Diagnostics of both roads.
	_, looks := c.Model.(models.LooksAhead)
	a.AddDiagnostics = func(r, o *estimators.Result) {
		r.Diagnose(estimators.DiagLag, c.PathStats.Lag)
		r.Diagnose(estimators.DiagCostAnnealing, annealing.cost())
		r.Diagnose(estimators.DiagCostTempering, tempering.cost())
		r.Diagnose(estimators.DiagLogZOther, o.LogZ)
		r.Diagnose(estimators.DiagLogZOtherSE, fewSE(o))
		if r.Runs = worthwhile(budget, first.work()+second.work()); infinite || looks && r.SE > estimators.Rounding {
			r.Runs = 1 // more time goes into forming
		}
		if first.temper {
			takeBounds(r, o)
		} else if r.SE > estimators.Rounding {
			r.SE = max(r.SE, 1/r.Number(estimators.DiagChains)) // what n chains have not met may have 1/n of the mass
		}
	}
	return a, a.SizeFor(1)
}

// takeBounds gives a result that has no bounds those of annealing.
func takeBounds(r, annealed *estimators.Result) {
	r.Lower, r.Upper = annealed.Lower, annealed.Upper
	r.Flags = slices.DeleteFunc(slices.Clone(r.Flags), func(f diag.Flag) bool { return f == estimators.FlagNoSandwich })
	for _, f := range []diag.Flag{anneal.FlagNoUpperBound, estimators.FlagUpperFromData} {
		if slices.Contains(annealed.Flags, f) {
			r.Flag(f)
		}
	}
}

// autoBack is how many chains go back from data. Data are not samples of the target: joined with those of the way
// there, as many would move log Z by more than its error with as few rungs as here. So they have no part in the
// estimate; a few may show modes that it misses.
const autoBack = 12

// autoBurnIn is how many sweeps at the target these chains begin with, so that data become more like samples of it.
const autoBurnIn = 400

// slower is a pilot in which long lags count more. Tempering spends the same time at every rung, so it needs more rungs
// where chains lag than annealing does (measured, see RATIONALE.md).
func slower(p *schedule.PathStats) *schedule.PathStats {
	out := *p
	out.Lags = slices.Clone(p.Lags)
	for k, t := range p.Lags {
		out.Lags[k] = t * (1 + (t-1)/autoLag)
	}
	return &out
}

// missing is how many chains or sweeps are to be added to those that a road has, by what it has found with them.
func (r road) missing(info estimators.Info, found []*estimators.Result, wanted float64, have int) int {
	if ok, _ := estimators.Enough(info, found, wanted); ok {
		return 0
	}
	least, most := autoLeast*float64(have), autoMore*float64(have)
	missing := num.Mul(float64(have), estimators.WorkFactor(info, found, wanted)-1)
	if !(missing > 0) { // too few effective weights, or no error bar
		missing = most
	}
	return max(min(clamped(missing, math.Ceil(least), math.Ceil(most)), r.most-have), 0)
}
