package temper

import (
	"iter"
	"math"

	"logzlab/core/diag"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/estimators"
)

// FlagUnsettled reports that log Zhat was still moving when the run ended.
var FlagUnsettled = diag.NewFlag("unsettled",
	"The weights had not settled when the run ended: use more sweeps, or fewer temperatures.")

var adaptParams = []spec.Param{
	estimators.MainParam("chains", "10", 1, 1e4, "Number of tempering chains in a group; they adapt together."),
	estimators.IntParam("islands", "10", 1, 1000,
		"Number of independent groups of chains (islands); their spread gives the error bar."),
	estimators.MainParam("temperatures", "50", 2, 1e4, "Number of rungs K of the ladder, both ends counted."),
	estimators.ScheduleParam,
	estimators.MainParam("sweeps", "4000", 1, 1e7, "Sweeps of each chain."),
	paramPrior,
}

// adaptiveRun is the run of wl and sams: an adaptation, then the check against exact samples of the target
// (target_check.go).
type adaptiveRun struct {
	adaptation
	target estimators.TargetCheck
	final  *estimators.Result
}

func newAdapt(c estimators.Config, rule func(rungs, sweeps int) gainRule) (estimators.Method, error) {
	var p struct {
		Chains     int    `param:"chains"`
		Islands    int    `param:"islands"`
		Sweeps     int    `param:"sweeps"`
		Prior      string `param:"prior"`
		Increments string `param:"increments"`
	}
	c.Values.Fill(&p)
	ladder, err := c.Ladder()
	if err != nil {
		return nil, err
	}
	r, err := schedule.Prior(p.Prior, ladder)
	if err != nil {
		return nil, err
	}
	a := &adaptiveRun{target: estimators.NewTargetCheck(c, ladder)}
	a.adaptation = adaptation{Config: c, Lanes: estimators.Lanes{N: p.Islands * p.Chains, Size: p.Chains},
		ladder: ladder, prior: r, rule: rule(len(ladder), p.Sweeps), length: p.Sweeps, climbs: true,
		visits: p.Increments == "visits"}
	return a, nil
}

func (a *adaptiveRun) Sweeps() float64 { return float64(a.length) * float64(a.N) }

func (a *adaptiveRun) Next(partials, states [][]byte) (*estimators.Round, error) {
	if a.final != nil {
		return a.target.Next(partials, a.final), nil
	}
	if partials != nil {
		a.islands = a.read(partials)
	}
	if a.done < a.length {
		return a.round(states), nil
	}
	a.final = a.result(a.islands)
	return a.target.Next(nil, a.final), nil
}

func (a *adaptiveRun) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	switch u.Work {
	case estimators.LaneExact:
		return estimators.ExactLane(a.Model, u)
	case estimators.LaneTarget:
		return a.target.Lane(u, u.Lane)
	}
	return a.lane(u)
}

func (a *adaptiveRun) Estimate(peeked [][]byte) []*estimators.Result {
	if a.final != nil {
		return estimators.SingleResult(a.final)
	}
	known := a.read(peeked)
	if len(known) < a.Count() && a.islands != nil {
		known = a.islands // the complete islands of the last cut
	}
	if len(known) == 0 {
		return nil
	}
	return estimators.SingleResult(a.result(known))
}

// result returns the estimate of the islands.
func (a *adaptiveRun) result(islands []*island) *estimators.Result {
	z0, top, n := a.Model.LogZ0(), len(a.ladder)-1, float64(len(islands))
	res := &estimators.Result{SEMethod: estimators.SEIslands, Bias: "either", Lower: math.NaN(), Upper: math.NaN(),
		Doing:   adapting,
		Guesses: guesses(islands, z0)}
	spread := func(of func(l *island) float64) (mean, se float64) {
		x := make([]float64, len(islands))
		for i, l := range islands {
			x[i] = of(l)
		}
		mean, v := stats.MeanVar(x)
		return mean, math.Sqrt(v / n)
	}

	// The ladder, with errors between islands.
	for k := range a.ladder {
		z, se := spread(func(l *island) float64 { return l.zhat[k] })
		res.Ladder = append(res.Ladder, estimators.Rung{Beta: a.ladder[k], LogZ: z + z0, SE: se})
		_, rise := spread(func(l *island) float64 { return l.zhat[top] - l.zhat[k] })
		res.RiseSE = append(res.RiseSE, rise)
	}
	res.LogZ, res.SE = res.Ladder[top].LogZ, res.Ladder[top].SE

	// Islands one by one, and the work.
	z := make([]float64, len(islands))
	for i, l := range islands {
		z[i] = l.zhat[top]
		res.Climbed = append(res.Climbed, l.climbed...)
		res.Sweeps += float64(l.sweeps * l.chains)
	}
	res.Evaluations = res.Sweeps * float64(top+1)
	res.AddIslands(z, math.NaN())

	// The change of log Z over the second half.
	if islands[0].sweeps == a.length {
		drift, se := spread(func(l *island) float64 { return l.zhat[top] - l.half })
		res.Diagnose(estimators.DiagDrift, drift)
		res.Diagnose(estimators.DiagDriftSE, se)
	}
	a.progress(res, islands)
	res.Flag(estimators.FlagNoSandwich)
	return res
}

// progress records how far the islands have come, and how evenly the rungs were visited since the gain was last halved,
// or since it began to fall as 1/sweeps.
func (a *adaptiveRun) progress(res *estimators.Result, islands []*island) {
	gain, relaxed, falls, trips := 0.0, math.Inf(1), 0.0, 0.0
	res.Occupancy = mean(islands, func(l *island) []float64 {
		c := make([]float64, len(l.occupancy))
		for k, x := range l.occupancy {
			c[k] = num.Mul(float64(len(c)), x) / float64(max(l.counted, 1))
		}
		return c
	})

	for _, l := range islands {
		gain, relaxed = max(gain, l.gain), min(relaxed, l.relaxed)
		trips += float64(l.trips)
		if l.period == falling {
			falls++
		}
	}

	// The evenness of visits, and the remaining effect of the start.
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range res.Occupancy {
		lo, hi = min(lo, c), max(hi, c)
	}
	res.Diagnose(estimators.DiagOccupancyMin, lo)
	res.Diagnose(estimators.DiagOccupancyMax, hi)
	res.Diagnose(estimators.DiagRoundTrips, trips)
	res.Diagnose(estimators.DiagGain, gain)
	res.Diagnose(estimators.DiagSettled, falls/float64(len(islands)))
	left := num.Exp(-relaxed)
	res.Diagnose(estimators.DiagLeftOver, left)
	if left > maxLeftOver {
		res.Flag(FlagUnsettled)
	}
}
