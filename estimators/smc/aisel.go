package smc

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/resample"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// AISEL is annealed importance sampling with an estimated likelihood ([AISEL] Algorithm 1): SMC from pi_0, the prior or
// a fitted base (aisel_base.go), through pi_0^(1-beta) (prior x likelihood)^beta. A particle keeps the estimate of its
// likelihood until a move is accepted. Continuous parameters move by random walks with 2.38^2/d times the covariance of
// the particles and a factor adapted to the acceptance rate. Z is estimated as in SMC, by the product of the mean
// weights of the steps; E[Zhat] = Z for any number of draws behind an estimate, so log Zhat is biased down. The
// covariances come from a pilot island that is not part of the estimate, which keeps E[Zhat] = Z exact. The diagnostics
// include a second estimate, by the power posterior (eqs 9-11). Without resampling and with an exact likelihood this is
// AIS.
var AISEL = estimators.Info{
	Name: "aisel", Label: "AISEL", Short: "noisy likelihoods", Path: estimators.Tempered, Provenance: estimators.OnRungs,
	Unbiased: true,
	Refines:  true, New: fromBase(anneal.Scheduled(newAISEL), true),
	Checks: estimators.Appended(estimators.Appended(estimators.IslandChecks, estimators.CheckTarget, checkShapes), latentChecks...),
	About: "Annealed importance sampling for likelihoods that are only estimated: particles are cooled from the prior " +
		"to the posterior and keep the estimates that brought them there.",
	Params: estimators.Appended(
		[]spec.Param{estimators.MainParam("particles", "100", 1, 1e4, "Number M of particles in a group."),
			estimators.IslandsParam("12"),
			estimators.MainParam("temperatures", "40", 2, 1e6, "Number of inverse temperatures from 0 to 1, both ends counted."),
			pilotSchedule,
			estimators.IntParam("moves", "2", 1, 1e4,
				"Kernel applications to each particle at every temperature between the ends.")},
		estimators.Appended(estimators.Appended(stepParams, lastParam), baseParams...)...),
}

// lastParam selects parts (ii) and (iii) of [AISEL] Algorithm 1 at the last step T.
var lastParam = estimators.YesNoParam("last", "Whether particles are resampled (below ess) and moved at the last "+
	"temperature too, as in the paper; log Z stays the same, and the posterior is that of the moved particles.")

// IS2 is importance sampling squared ([Tran2013]): draws from the prior, weighted by estimates of their likelihoods. It
// is AISEL with a single step.
var IS2 = estimators.Info{
	Name: "is2", Label: "IS²", Short: "noisy weights", Path: estimators.Direct, Provenance: estimators.FromBase,
	Unbiased: true, Refines: true,
	New: fromBase(newIS2, false), Checks: estimators.Appended(estimators.Appended(estimators.IslandChecks, estimators.CheckTarget,
		estimators.CheckParetoK), latentChecks...),
	About: "Importance sampling squared: draws from the prior, each weighted by an estimate of its likelihood, which " +
		"is itself made from draws.",
	Params: estimators.Appended([]spec.Param{
		estimators.MainParam("particles", "500", 1, 1e5, "Number M of draws in a group."),
		estimators.IslandsParam("20")}, baseParams...),
}

func newAISEL(c estimators.Config) (estimators.Method, error) {
	ladder, err := c.Ladder()
	if err != nil {
		return nil, err
	}
	s, err := withPosterior(c, Tau(ladder))
	if err != nil {
		return nil, err
	}
	if models.RowCapabilitiesOf(s.Model.New(1, s.ladder)).Points != nil && len(ladder) > 2 &&
		s.Model.Info().Dim <= maxProposalDim {
		return &aisel{smc: s}, nil
	}
	return s, nil
}

func newIS2(c estimators.Config) (estimators.Method, error) {
	// Without moves and resampling, rungs between the ends do not change the estimate; they serve the comparison with
	// exact samples.
	v := spec.Values{"temperatures": "5", "schedule": "betas:0.5_0.8_0.9", "moves": "0", "ess": "0",
		"resample": resample.Schemes[0]}
	v["particles"], v["islands"] = c.Values["particles"], c.Values["islands"]
	c.Values = v
	return withPosterior(c, 1)
}

// withPosterior returns SMC with a record of the posterior. The model makes its estimates of the likelihood as precise
// as is best for tau (see Tau).
func withPosterior(c estimators.Config, tau float64) (*smc, error) {
	if m := models.CapabilitiesOf(c.Model).Likelihood; m != nil {
		c.Model = m.ChooseDraws(tau)
	}
	m, err := newRun(c)
	if err != nil {
		return nil, err
	}
	s := m.(*smc)
	s.givesPosterior = true
	return s, nil
}

// Tau returns sum (beta_k - beta_{k-1})^2. Noise of variance s in the log likelihoods multiplies the effective sample
// size of annealing by e^(-tau s) ([AISEL] Theorem 1). Tau is 1 for one step and 1/T for T equal steps.
func Tau(ladder []float64) (sum float64) {
	for k := 1; k < len(ladder); k++ {
		d := ladder[k] - ladder[k-1]
		sum += num.Mul(d, d)
	}
	return sum
}

// aisel is SMC after a pilot island that learns proposals.
type aisel struct {
	*smc
	started   bool
	pilotCost []float64 // sweeps and density evaluations of the pilot; nil before its end
}

// workLearn is the work of the pilot island.
const workLearn = estimators.LaneTarget + 1

func (a *aisel) Next(partials, states [][]byte) (*estimators.Round, error) {
	switch {
	case a.pilotCost != nil:
		return a.smc.Next(partials, states)
	case !a.started:
		a.started = true
		return &estimators.Round{Name: "pilot", Work: workLearn, Lanes: 1, Sweeps: a.smc.Sweeps() / float64(a.Count()),
			Time: a.pilotTime()}, nil
	}
	r := wire.Reader{B: partials[0]}
	a.pilotCost, a.learnedProposals = []float64{r.Float(), r.Float()}, r.Floats()
	estimators.MustDecode(&r)
	return a.smc.Next(nil, nil)
}

func (a *aisel) pilotTime() float64 {
	return a.smc.time(a.Costs(), len(a.ladder)-1) / float64(a.Count())
}

func (a *aisel) Sweeps() float64 { return a.smc.Sweeps() * (1 + 1/float64(a.Count())) }

// Need includes the time of the pilot, and the proposals in the plan of each unit.
func (a *aisel) Need() estimators.Need {
	need := a.smc.Need()
	need.Time += a.pilotTime()
	need.Retained += num.Mul((need.Lanes+2)*8, maxProposalFloats)
	need.Lane += 2 * 8 * maxProposalFloats
	return need
}

func (a *aisel) Estimate(peeked [][]byte) []*estimators.Result {
	if a.pilotCost == nil {
		return nil
	}
	out := a.smc.Estimate(peeked)
	for i, r := range out {
		sum := *r // a copy, as the final result is made once
		sum.Sweeps += a.pilotCost[0]
		sum.Evaluations += a.pilotCost[1]
		out[i] = &sum
	}
	return out
}

func (a *aisel) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	if u.Work != workLearn {
		return a.smc.Lane(u)
	}
	return func(yield func(*frame.Frame) bool) {
		l := a.island(u)
		l.lane = a.Count() // its own random numbers
		l.learn(yield)
	}
}
