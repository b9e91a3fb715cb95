package anneal

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/schedule"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// Chains of a pilot, and the steps of the linear half of its ladder.
const (
	PilotChains = 100
	PilotSteps  = 150
)

// pilotLadder returns the inverse temperatures i/n and (i/n)^5, i = 0..n. The latter are dense near 0: a posterior is
// often so far from its prior that on a linear ladder all chains but one would lose their weight in the first step.
func pilotLadder(n int) (out []float64) {
	for i := range n + 1 {
		x := float64(i) / float64(n)
		out = append(out, x)
		if i > 0 && i < n {
			out = append(out, num.Mul(x*x, x*x)*x)
		}
	}
	slices.Sort(out)
	return out
}

// recordCurves makes chains record curves if the path has units summed out and every rung is recorded.
func (a *run) recordCurves() {
	if len(a.recorded) == len(a.ladder) {
		a.curved = models.CapabilitiesOf(a.Model).Kernel.SumsOut
	}
}

// pathStats estimates the statistics of the path from log weights of chains and, if recorded, second derivatives.
func (a *run) pathStats(rows [][]float64, kept float64, flat bool) *schedule.PathStats {
	p := schedule.Learn(a.ladder, rows, kept, flat)
	if curves := a.known.curvesByChain(); curves != nil {
		p.SetJoint(a.ladder, rows, curves, flat)
	}
	return p
}

// PilotRound is the name of the rounds of a pilot.
const PilotRound = "pilot"

// Scheduled wraps make so that the run begins with a pilot if its schedule is learned.
func Scheduled(make estimators.Maker) estimators.Maker {
	return func(c estimators.Config) (estimators.Method, error) {
		if !schedule.NeedsPilot(c.LadderParams().Schedule) {
			return make(c)
		}
		return AfterPilot(c, PilotChains, pilotLadder(PilotSteps), schedule.UnknownPath, make)
	}
}

// AfterPilot returns a run whose schedule comes from a pilot ([VAROPT] Algorithm 2): an annealing run of few chains
// along ladder, with its own random numbers, estimates the variance at each part of the path (schedule.Learn), and the
// ladder of the run is made from these. Until the end of the pilot, guess is used in place of its statistics for
// planning.
func AfterPilot(c estimators.Config, chains int, ladder []float64, guess *schedule.PathStats,
	make estimators.Maker) (*estimators.WithPilot, error) {
	near := models.CapabilitiesOf(c.Model).Base.Prefitted != nil // chains move well there, but the base is wider than the target
	wanted := c.LadderParams().Schedule
	kept, flat := schedule.CESSFraction(wanted), near || schedule.FlattensWeights(wanted)

	// The pilot: one sweep at each rung, with its own random numbers.
	p := c
	p.Key[1]++
	p.Readers, p.Auxiliary = nil, true
	a := along(p, ladder, chains, 1)
	a.recordCurves()

	// A run by the guess, for planning.
	c.PathStats = guess
	run, err := make(c)
	if err != nil {
		return nil, err
	}

	// The run by the pilot's statistics.
	var raw, joint []float64 // for pictures and diagnostics; workers do not have them
	seen := 0                // number of lanes in looked
	unusable := false        // the pilot's statistics are not finite
	var looked *schedule.PathStats
	return &estimators.WithPilot{Pilot: a, Name: PilotRound, Mark: estimators.PilotMark, Run: run,
		Findings: func() []byte {
			rows := a.known.rows()
			found := a.pathStats(rows, kept, flat)
			found.AutocorrTimes, raw, joint = schedule.AutocorrelationTimes(ladder, rows), found.Raw, found.Joint
			unusable = !found.Consistent()
			return encodePath(found)
		},
		Begin: func(found []byte) (estimators.Method, error) {
			if unusable {
				return nil, problem.New("the pilot run found log weights that are not numbers: the log density of the model is " +
					"NaN or infinite at some states")
			}
			c.PathStats = decodePath(&wire.Reader{B: found})
			c.PathStats.Raw, c.PathStats.Joint, c.PathStats.Fitted = raw, joint, c.BaseFitted
			return make(c)
		},
		FoundSoFar: func(partials [][]byte) *schedule.PathStats {
			if a.work != workForward || a.from < len(ladder) {
				return nil
			}
			if way := a.merge(partials); len(way) > seen {
				seen = len(way)
				known := Record{Betas: a.known.Betas, LogW: way}
				if looked = schedule.Learn(ladder, known.rows(), 0, flat); slices.Max(looked.Var) == 0 {
					looked = nil
				} else {
					looked.Fitted = c.BaseFitted
				}
			}
			return looked
		},
		AddDiagnostics: func(r *estimators.Result) {
			predicted := math.NaN() // for runs that choose their own ladders
			if along, err := c.Ladder(); err == nil {
				predicted = schedule.PredictedVariance(c.PathStats.Betas, c.PathStats.Var, along)
			}
			r.Evaluations += 2 * float64(chains*(len(ladder)-1))
			addPath(r, c.PathStats, predicted)
		}}, nil
}

// addPath adds the statistics of the path to a result: F of the linear and of the optimal schedule, which are k-1 times
// Var(log w) of annealing with perfect moves at k temperatures ([VAROPT] Theorem 1); F by g of the joint density, if
// units are summed out; and, for results of annealing, the predicted Var(log w) on the ladder of the run.
func addPath(r *estimators.Result, p *schedule.PathStats, predicted float64) {
	r.PathStats = p
	linear, optimal := schedule.Functionals(p.Betas, p.Var)
	r.Diagnose(estimators.DiagPathLinear, linear)
	r.Diagnose(estimators.DiagPathOptimal, optimal)
	if p.Joint != nil {
		linear, optimal = schedule.Functionals(p.Betas, p.Joint)
		r.Diagnose(estimators.DiagPathLinearJoint, linear)
		r.Diagnose(estimators.DiagPathOptimalJoint, optimal)
	}
	if _, ok := r.Diagnostics[estimators.DiagVarLogWeight]; ok && num.NotNaN(predicted) {
		r.Diagnose(estimators.DiagVarPredicted, predicted)
		r.Diagnose(estimators.DiagESSPredicted, num.Mul(r.Diagnostics[estimators.DiagChains], num.Exp(-predicted)))
	}
}

func encodePath(p *schedule.PathStats) []byte {
	var w wire.Writer
	for _, y := range [][]float64{p.Betas, p.Mean, p.Var, p.Steps, p.AutocorrTimes} {
		w.Floats(y)
	}
	w.Float(p.VarianceRatio)
	return w.B
}

func decodePath(r *wire.Reader) *schedule.PathStats {
	p := &schedule.PathStats{}
	for _, y := range []*[]float64{&p.Betas, &p.Mean, &p.Var, &p.Steps, &p.AutocorrTimes} {
		*y = r.Floats()
	}
	p.VarianceRatio = r.Float()
	estimators.MustDecode(r)
	estimators.CorruptIf(!p.Consistent())
	return p
}
