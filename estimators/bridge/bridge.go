package bridge

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// Bridge is bridge sampling ([Meng1996]) between draws of the target f/Z and draws of a normal density q with the mean
// and covariance of other draws of the target (warp-II, [Meng2002]). With n_1 effective draws of the target and n_2 of
// q, Z solves
//
//	Z = mean_q [f/(n_1 f/Z + n_2 q)] / mean_target [q/(n_1 f/Z + n_2 q)],
//
// Bennett's equation, which is the optimal bridge. No term exceeds 1/n_1 or 1/n_2 of its mean, so no weight has
// infinite variance, whatever the tails. With warp = 3, f is the mean of f at a point and at its mirror image about the
// mean of q, which has the same Z and is nearer to q if f is skewed (warp-III). To first order the error combines the
// relative errors of both means ([Fruehwirth2004]); for dependent draws these come from the spread between chains or,
// if there are few chains, from overlapping batches. q is fitted to the first half of the sweeps and the estimate made
// from the second, since using the same draws twice would bias log Z down ([Overstall2010]). If the model has a base
// with the heavy tails of the target, whose draws have no covariance, q is that base. The bias is of order 1/n and has
// no fixed sign.
var Bridge = estimators.Info{
	Name: "bridge", Label: "Bridge sampling", Short: "posterior draws", Path: estimators.Fitted,
	Provenance: estimators.OnRungs, Checks: checks,
	About: "Bridge sampling: draws of the target and draws of a normal distribution that is fitted to them are each " +
		"weighed under the other, and log Z makes both agree.",
	Params: []spec.Param{
		estimators.MainParam("chains", "100", 2, 1e5, "Number of chains run side by side at the target."),
		estimators.MainParam("sweeps", "400", 8, 1e6, "Sweeps of each chain after burn-in: half of them fit the normal "+
			"distribution, the other half make the estimate."),
		{Name: "warp", Type: "choice", Default: "2", Choices: []string{"2", "3"},
			Help: "How the target is brought near the normal distribution: by mean and covariance (2), or also mirrored " +
				"about the mean (3), which helps where it is skewed."},
	},
	New: func(c estimators.Config) (estimators.Method, error) {
		can := models.CapabilitiesOf(c.Model)
		if can.Base.StudentT == nil {
			return nil, problem.New("the method %s fits a normal distribution to points; a model of kind %s has none: "+
				"choose a method that goes through temperatures", "bridge", c.Model.Info().Kind)
		}
		if paramsOf(c).Warp == "3" && models.RowCapabilitiesOf(c.Model.New(1, []float64{0, 1})).Estimate != nil {
			return nil, problem.New("warp = 3 needs a likelihood that is computed, not estimated; leave warp out")
		}
		if can.Kernel.Faster != nil {
			c.Model = can.Kernel.Faster()
		}
		if c.Model.Info().Dim > maxRoughDim {
			return newRun(c)
		}
		return estimators.AfterFit(c, newRun)
	},
}

// params are the values of the parameters of Bridge.
type params struct {
	Chains int    `param:"chains"`
	Sweeps int    `param:"sweeps"`
	Warp   string `param:"warp"`
}

func paramsOf(c estimators.Config) (p params) {
	c.Values.Fill(&p)
	return p
}

// maxRoughDim is the largest dimension in which a base is fitted to rough samples before the run. The samples are found
// by importance sampling, which in more dimensions seldom finds a narrow target.
const maxRoughDim = 10

// Sizes of a run.
const (
	coolFitted = 20        // sweeps from a fitted base to the target
	coolOther  = 100       // sweeps from another base
	burnBlocks = 4         // largest number of blocks of burn-in; the first has a quarter of the kept sweeps
	maxKept    = 1_000_000 // largest number of draws of the target, over all chains, that the estimate keeps
	cutSweeps  = 1000      // sweeps of a chain after which a round may be cut
)

// run is a run of bridge sampling: consecutive phases, each of which is some sweeps of all chains.
type run struct {
	estimators.Config
	estimators.Lanes
	ladder   []float64 // of cooling, from the base to the target
	sweeps   int       // of each chain after burn-in
	thinning int       // sweeps per kept draw, while bridging
	mirror   bool      // warp-III
	oneMode  bool      // the target has one mode, so that moves may use the covariance of all draws

	phase        phase
	block        int    // of burn-in
	done         int    // sweeps of each chain in the phase, or the block
	sweepsBefore int    // sweeps of each chain before it
	trend        meanSE // burnInTrend of the last block

	chains     []chainRecord
	fitMoments []float64    // moments of draws, followed by their number; empty before the first fit
	fitted     models.Model // the model with the base fitted to fitMoments
	check      estimators.TargetCheck
	final      *estimators.Result
}

type phase int

// Phases of a run, in their order.
const (
	cooling phase = iota
	burning
	fitting
	bridging
)

// phaseNames are the names of rounds.
var phaseNames = [...]string{"cooling", "burn-in", "fit", "bridge"}

// meanSE is a mean and its standard error.
type meanSE struct{ mean, se float64 }

// chainRecord is the result of a chain in a phase.
type chainRecord struct {
	sums         []float64 // see lane.addSweep
	draws, drawn []float64 // log f/q of the chain's points and of draws from q; in a partial, since the last cut
}

func newRun(c estimators.Config) (estimators.Method, error) {
	p := paramsOf(c)
	b := &run{Config: c, Lanes: c.Lanes(p.Chains), sweeps: p.Sweeps, mirror: p.Warp == "3"}
	b.thinning = 1 + (b.N*b.length(bridging)-1)/maxKept
	n := coolOther
	if b.oneMode = c.BaseFitted || models.CapabilitiesOf(c.Model).Base.Refit != nil; c.BaseFitted {
		n = coolFitted
	}
	for k := range n + 1 { // dense near the base, where a wide one changes fastest
		x := float64(k) / float64(n)
		b.ladder = append(b.ladder, num.Mul(x*x, x))
	}
	return b, nil
}

// length returns the number of sweeps of each chain in a phase, or in the current block of burn-in.
func (b *run) length(s phase) int {
	switch s {
	case cooling:
		return len(b.ladder) - 1
	case burning:
		return max(b.sweeps/4, 4) << b.block
	case fitting:
		return b.sweeps / 2
	}
	return b.sweeps - b.sweeps/2
}

// totalSweeps returns the number of sweeps of each chain if burn-in takes all its blocks.
func (b *run) totalSweeps() int {
	return b.length(cooling) + max(b.sweeps/4, 4)*(1<<burnBlocks-1) + b.sweeps
}

func (b *run) Sweeps() float64 { return float64(b.N * b.totalSweeps()) }

func (b *run) Next(partials, states [][]byte) (*estimators.Round, error) {
	if b.final != nil {
		return b.nextCheck(partials), nil
	}
	if partials != nil {
		b.readPartials(partials)
		if b.done == b.length(b.phase) {
			if err := b.advance(); err != nil || b.final != nil {
				return b.nextCheck(nil), err
			}
		}
	}
	n := min(b.length(b.phase)-b.done, b.RoundSweepsOr(cutSweeps))
	var w wire.Writer
	w.Floats(b.fitMoments)
	for _, x := range []int{int(b.phase), b.block, b.sweepsBefore, b.done, n} {
		w.Int(x)
	}
	b.done += n
	return &estimators.Round{Name: phaseNames[b.phase], Plan: w.B, Lanes: b.Count(), States: states,
		Sweeps: float64(n * b.N), Time: b.time(b.phase, n)}, nil
}

// nextCheck returns the next round of the target check, nil before the estimate is made and after the last round.
func (b *run) nextCheck(partials [][]byte) *estimators.Round {
	if b.final == nil {
		return nil
	}
	r := b.check.Next(partials, b.final)
	if r != nil {
		var w wire.Writer
		w.Floats(b.fitMoments)
		r.Plan = append(w.B, r.Plan...)
	}
	return r
}

// readPartials sets chains to the results of all chains, with the draws of earlier cuts of the phase before new ones.
func (b *run) readPartials(partials [][]byte) {
	before := b.chains
	b.chains = nil
	for lane, p := range partials {
		in := wire.Reader{B: p}
		_, n := b.Span(lane)
		for range n {
			c := chainRecord{in.Floats(), in.Floats(), in.Floats()}
			if i := len(b.chains); i < len(before) {
				c.draws, c.drawn = append(before[i].draws, c.draws...), append(before[i].drawn, c.drawn...)
			}
			b.chains = append(b.chains, c)
		}
		estimators.MustDecode(&in)
	}
}

// advance goes to the next phase or the next block of burn-in, or makes the estimate.
func (b *run) advance() error {
	b.sweepsBefore += b.done
	b.done = 0
	switch b.phase {
	case burning:
		b.fit(b.pooledMoments(2, b.length(burning)-b.length(burning)/2)) // if it fails, the kernel stays
		if b.trend = b.burnInTrend(); !b.trend.settled() && b.block < burnBlocks-1 {
			b.block++
			return nil
		}
	case fitting:
		if !b.fit(b.pooledMoments(0, b.length(fitting))) {
			return problem.New("the draws of the target have no covariance to which a normal distribution could be fitted; " +
				"use more chains or sweeps")
		}
	case bridging:
		b.final = b.estimate()
		return nil
	}
	b.phase++
	return nil
}

// pooledMoments returns the sums over all chains from index i on, followed by the number of draws in the given number
// of sweeps.
func (b *run) pooledMoments(i, sweeps int) []float64 {
	sums := make([]float64, len(b.chains[0].sums)-i)
	for _, c := range b.chains {
		for j, x := range c.sums[i:] {
			sums[j] += x
		}
	}
	return append(sums, float64(b.N*sweeps))
}

// fit sets fitted and the target check from moments as returned by pooledMoments. It returns false if they have no
// positive definite covariance.
func (b *run) fit(moments []float64) bool {
	if slices.Equal(moments, b.fitMoments) {
		return true
	}
	last := len(moments) - 1
	fitted := b.Model
	if !b.ownBase() {
		normal := models.CapabilitiesOf(b.Model).Base.Normal()
		fitted = models.CapabilitiesOf(normal).Base.Refit(moments[:last], int(moments[last]))
	}
	if models.CapabilitiesOf(fitted).Base.Refit != nil {
		return false
	}
	b.fitMoments, b.fitted = moments, fitted
	c := b.Config
	c.Model = fitted
	b.check = estimators.NewTargetCheck(c, []float64{0, estimators.MinComparedBeta, 1})
	return true
}

// ownBase reports whether q is the base of the model instead of a normal distribution, as for targets with heavy tails
// or several modes.
func (b *run) ownBase() bool {
	m := models.CapabilitiesOf(b.Model).Base.Prefitted
	return b.heavy() || m != nil && m.Components() > 1
}

// heavy reports whether the base of the model has the heavy tails of the target.
func (b *run) heavy() bool {
	m := models.CapabilitiesOf(b.Model).Base.Prefitted
	return m != nil && m.HeavyTailed()
}

// averages returns the number of quantities whose posterior mean is reported: none with heavy tails, where means may
// not exist.
func (b *run) averages() int {
	if b.heavy() {
		return 0
	}
	return models.AverageCount(b.Model, b.Model.New(1, []float64{0, 1}))
}

// burnInTrend returns the change of the mean of log f from the first half of a block of burn-in to the second.
func (b *run) burnInTrend() meanSE {
	half := b.length(burning) / 2
	rest := b.length(burning) - half
	x := make([]float64, len(b.chains))
	for i, c := range b.chains {
		x[i] = c.sums[1]/float64(rest) - c.sums[0]/float64(half)
	}
	return meanOfIndependent(x)
}

// settled reports whether the trend is not significant.
func (e meanSE) settled() bool {
	return math.Abs(e.mean) <= max(num.Mul(2.5, e.se), estimators.HarmlessGap)
}

func (b *run) Estimate([][]byte) []*estimators.Result {
	switch {
	case b.final != nil:
		return estimators.SingleResult(b.final)
	case b.phase < bridging || len(b.chains[0].draws) == 0:
		return nil
	}
	return estimators.SingleResult(b.estimate())
}
