package smc

import (
	"iter"
	"math"
	"slices"
	"strconv"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/resample"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// pilotSchedule is the parameter schedule with a learned default. A posterior far from a wide prior needs most of its
// temperatures in a small part of the path, which only a pilot finds.
var pilotSchedule = func() spec.Param {
	p := estimators.ScheduleParam
	p.Default = "friction"
	return p
}()

// SMC is sequential Monte Carlo along inverse temperatures ([DelMoral2006]): annealed importance sampling with
// resampling.
var SMC = estimators.Info{
	Name: "smc", Label: "SMC", Short: "particles", Path: estimators.Tempered, Provenance: estimators.OnRungs,
	Checks: estimators.Appended(estimators.IslandChecks, estimators.CheckTarget, checkShapes), Unbiased: true,
	New: anneal.Scheduled(newRun),
	About: "Sequential Monte Carlo: particles are cooled from the base to the target, weighted at every step, and " +
		"resampled where their weights are uneven.",
	Params: estimators.Appended(coolingParams, stepParams...),
}

// coolingParams set the sizes of a run; stepParams set when particles are resampled, and the length of steps.
var (
	coolingParams = []spec.Param{
		estimators.MainParam("particles", "100", 1, 1e4, "Number R of particles in a group."), estimators.IslandsParam("5"),
		estimators.MainParam("temperatures", "500", 2, 1e6, "Number of inverse temperatures from 0 to 1, both ends counted."),
		pilotSchedule,
		estimators.IntParam("moves", "1", 0, 1e4,
			"Kernel applications to each particle at every temperature between the ends; without any (0), copies stay equal."),
	}
	stepParams = []spec.Param{
		estimators.FloatParam("ess", "0.5", 0, 1,
			"Ratio of effective sample size to particles below which particles are resampled."),
		estimators.YesNoParam("adaptive",
			"Whether each group of particles picks its own temperatures among those of the schedule, as far apart "+
				"as cess allows."),
		estimators.FloatParam("cess", "0.9", 0, 1,
			"With adaptive = yes, the conditional effective sample size that a step must "+
				"keep, as a share of the particles.").When("adaptive", "yes"),
		estimators.ResampleParam.Unless("ess", "0"),
	}
)

// smc is the run of all these methods: islands, each a lane with its own particles. A step goes from rung k to k',
// which is k+1 or the farthest rung whose conditional effective sample size is at least cess R:
//
//	w = W f_k'(x) / f_k(x);  log Z += log sum w;  W = w / sum w;
//	resample if the ESS is below ess R;  move at k', unless it is the top.
//
// With a fixed ladder E[Zhat] = Z, so the estimate is the log of the mean of Zhat over islands. A round is a number of
// steps of every island.
type smc struct {
	estimators.Config
	estimators.Lanes
	params
	ladder           []float64
	recorded         []int                    // rungs at which log Z is recorded, increasing; the last is the top
	loop             func(l *lane, steps int) // (*lane).cool, or grow for ARM
	mean             bool                     // log Z is the mean of log Zhat, else the log of the mean of Zhat
	givesPosterior   bool                     // results have moments of the posterior (posterior.go)
	learnedProposals []float64                // proposals of the pilot of aisel

	records []*islandRecord        // records of all islands at the end of the previous round
	target  estimators.TargetCheck // the check against exact samples of the target (target_check.go)
	final   *estimators.Result
}

// params are the parameters of these methods; 0 if a method lacks the parameter.
type params struct {
	Particles int     `param:"particles"`
	Islands   int     `param:"islands"`
	Moves     int     `param:"moves"`
	MinESS    float64 `param:"ess"`      // resample below this share of the particles
	Adaptive  bool    `param:"adaptive"` // islands choose their rungs
	CESS      float64 `param:"cess"`
	Last      bool    `param:"last"` // particles are resampled and moved at the last rung too
	Resample  string  `param:"resample"`
	Gamma     float64 `param:"gamma"` // ARM generates below this share
	IMax      int     `param:"i_max"`
}

func newRun(c estimators.Config) (estimators.Method, error) {
	s := &smc{Config: c, loop: (*lane).cool}
	c.Values.Fill(&s.params)
	s.Lanes = estimators.Lanes{N: s.Islands * s.Particles, Size: s.Particles}
	var err error
	if s.ladder, err = c.Ladder(); err != nil {
		return nil, err
	}
	if s.recorded = anneal.Recorded(len(s.ladder), s.Count()); s.Adaptive {
		s.recorded = comparedOnly(s.ladder)
	}
	listed := make([]float64, len(s.recorded))
	for i, k := range s.recorded {
		listed[i] = s.ladder[k]
	}
	s.target = estimators.NewTargetCheck(c, listed)
	return s, nil
}

// comparedOnly returns the ends of the ladder and the rungs that are compared with exact samples of the target.
func comparedOnly(ladder []float64) (record []int) {
	const most = 16
	top := len(ladder) - 1
	from, _ := slices.BinarySearch(ladder, estimators.MinComparedBeta)
	record = []int{0}
	every := 1 + (top-from)/most
	for k := from + (top-from)%every; k <= top; k += every {
		record = append(record, k)
	}
	return record
}

func (s *smc) Sweeps() float64 {
	rungs := len(s.ladder) - 2
	if s.Last {
		rungs++
	}
	return float64(s.N*s.Moves) * float64(rungs)
}

// framesOfMoves returns the number of frames of moves at a rung: one for each move, or one without moves.
func (s *smc) framesOfMoves() int { return max(s.Moves, 1) }

// frames returns the number of frames at a rung: one after weighing, one after resampling, one for each move, and one
// at the end of a unit.
func (s *smc) frames() int { return s.framesOfMoves() + 3 }

// smcWork is the approximate number of particle-sweeps in a unit.
const smcWork = 200000

func (s *smc) Next(partials, states [][]byte) (*estimators.Round, error) {
	if s.final != nil {
		return s.target.Next(partials, s.final), nil
	}
	if partials != nil {
		s.records = nil
		done := true
		for _, p := range partials {
			d := readIslandRecord(&wire.Reader{B: p})
			s.records = append(s.records, d)
			done = done && d.Rung == len(s.ladder)-1
		}
		if done {
			s.final = s.estimate(nil)
			return s.target.Next(nil, s.final), nil
		}
	}
	steps := max(smcWork/(s.Size*s.framesOfMoves()), 1)
	if s.RoundSweeps > 0 {
		steps = max(s.RoundSweeps/s.framesOfMoves(), 1)
	}
	steps = min(steps, len(s.ladder)-1)
	var w wire.Writer
	w.Int(steps)
	w.Floats(s.learnedProposals)
	return &estimators.Round{Name: "cooling", Plan: w.B, Lanes: s.Count(), States: states,
		Sweeps: float64(steps*s.Moves) * float64(s.N), Time: s.time(s.Costs(), steps)}, nil
}

func (s *smc) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	switch u.Work {
	case estimators.LaneExact:
		return estimators.ExactLane(s.Model, u)
	case estimators.LaneTarget:
		return s.target.Lane(u, u.Lane)
	}
	return func(yield func(*frame.Frame) bool) {
		s.island(u).run(yield)
	}
}

// island makes the lane of a unit.
func (s *smc) island(u *estimators.Unit) *lane {
	v := estimators.NewView(s.Config, s.ladder, u, s.Lanes)
	v.Frame.Steps = len(s.ladder) * s.frames()
	v.Weighing = &frame.Weighing{Rule: s.Resample, Threshold: float32(s.MinESS), ParentFrame: -1, FrameNumber: -1}
	l := &lane{smc: s, u: u, lane: u.Lane, v: v, pop: v.Pop, lw: v.LogW, sampler: resample.New(s.Resample)}
	l.a, l.cur, l.next = make([]float64, s.Size), make([]float64, s.Size), make([]float64, s.Size)
	l.counts, l.parents = make([]int32, s.Size), make([]int32, s.Size)
	l.storesLikelihood = v.Can.Points != nil
	if l.hooks = (noHooks{}); s.givesPosterior {
		l.hooks = forPosterior{l}
	}
	return l
}

func (s *smc) Estimate(peeked [][]byte) []*estimators.Result {
	if s.final != nil {
		return estimators.SingleResult(s.final)
	}
	return estimators.SingleResult(s.estimate(peeked))
}

func (s *smc) estimate(peeked [][]byte) *estimators.Result {
	// The records of islands: peeked ones, else the records at the end of the previous round.
	var records []*islandRecord
	for i := range s.Count() {
		if i < len(peeked) && peeked[i] != nil {
			records = append(records, readIslandRecord(&wire.Reader{B: peeked[i]}))
		} else if s.records != nil {
			records = append(records, s.records[i])
		}
	}
	if len(records) == 0 {
		return nil
	}

	// There is no estimate before all islands have reached the top.
	top, res := len(s.ladder)-1, estimators.NewIslandsResult(s.mean)
	reached := top
	for _, d := range records {
		reached = min(reached, d.Rung)
		res.Sweeps += d.Sweeps
		res.Evaluations += d.Evals
	}
	res.Doing = "rung " + strconv.Itoa(reached+1) + " of " + strconv.Itoa(top+1)
	if reached < top || len(records) < s.Count() {
		res.SoFar = s.soFar(records)
		return res
	}

	// Log Z at the top.
	end := s.addLadder(res, records)
	last := res.Ladder[len(res.Ladder)-1]
	res.LogZ, res.SE = last.LogZ, last.SE

	// Sums over islands, for the spread and for diagnostics.
	islands := float64(len(records))
	within, steps, resampled, ancestors, worst, shape, shapes := 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0
	for _, d := range records {
		res.Climbed = append(res.Climbed, d.Climbed...)
		within += d.Within
		steps += float64(d.Steps)
		resampled += float64(d.Resampled)
		ancestors += d.Ancestors.Count()
		worst = min(worst, d.Worst)
		shape += d.Shape
		shapes += d.Shapes
	}
	res.AddIslands(end, within)
	s.widen(res)

	// Diagnostics of the run.
	if ancestors > 0 {
		res.Diagnose(estimators.DiagAncestors, ancestors/islands)
	}
	res.Diagnose(estimators.DiagTemperaturesUsed, steps/islands+1)
	res.Diagnose(estimators.DiagResamplings, resampled/islands)
	res.Diagnose(estimators.DiagGammaMin, worst)
	if shapes > 0 {
		res.Diagnose(estimators.DiagParetoK, shape/shapes)
	}
	if s.givesPosterior && allReachedTop(records) {
		s.addPosterior(res, records)
	}
	if s.mean {
		s.addGrowth(res, records)
	}

	// Adaptive ladders list their ends only.
	switch {
	case s.Adaptive:
		res.Compared, res.Ladder = res.Ladder, []estimators.Rung{res.Ladder[0], last}
		res.Flag(estimators.FlagAdaptive)
	case len(s.recorded) < len(s.ladder):
		res.Flag(estimators.FlagLadderThinned)
	}
	return res
}

// widen makes standard errors longer for Stan programs, because n islands estimate their spread poorly: the error in
// units of the standard error has Student's t distribution with n-1 degrees of freedom, of variance (n-1)/(n-3). The
// coverage of other models' error bars has been counted without this factor (estimators/calibration).
func (s *smc) widen(res *estimators.Result) {
	n := float64(s.Count())
	if models.CapabilitiesOf(s.Model).Base.Prefitted == nil || n < 4 || s.mean {
		return
	}
	longer := math.Sqrt((n - 1) / (n - 3))
	res.SE *= longer
	res.SEMethod = estimators.SEFewIslands
	for i := range res.Ladder {
		res.Ladder[i].SE *= longer
		res.RiseSE[i] *= longer
	}
}

// addLadder adds log Z at the recorded rungs and the standard error of the difference between each and the top. It
// returns log Zhat of each island at the top.
func (s *smc) addLadder(res *estimators.Result, records []*islandRecord) (end []float64) {
	for _, d := range records {
		end = append(end, d.LogZs[len(s.recorded)-1])
	}
	whole, z0 := num.LogMeanExp(end), s.Model.LogZ0()
	for i, k := range s.recorded {
		z, moved := s.logZsAt(i, records)
		mean, se := s.combine(z, moved)
		res.Ladder = append(res.Ladder, estimators.Rung{Beta: s.ladder[k], LogZ: mean + z0, SE: se})
		for j := range z { // contribution of each island to the error of the difference
			z[j] = num.Exp(end[j]-whole) - num.Exp(z[j]-mean)
		}
		_, v := stats.MeanVar(z)
		res.RiseSE = append(res.RiseSE, math.Sqrt(v/float64(len(z))))
	}
	return end
}

// soFar returns log Z at the last recorded rung that all islands have passed, not counting islands that have passed one
// rung or none. It is nil if no island counts.
func (s *smc) soFar(records []*islandRecord) *estimators.Rung {
	passed := func(d *islandRecord) int {
		if s.mean {
			return min(len(d.LogZs), len(d.Growth.Shifts))
		}
		return len(d.LogZs)
	}
	count := len(s.recorded)
	for _, d := range records {
		if n := passed(d); n > 1 {
			count = min(count, n)
		}
	}
	ahead := slices.DeleteFunc(slices.Clone(records), func(d *islandRecord) bool { return passed(d) < count })
	if len(ahead) == 0 {
		return nil
	}
	mean, se := s.combine(s.logZsAt(count-1, ahead))
	return &estimators.Rung{Beta: s.ladder[s.recorded[count-1]], LogZ: mean + s.Model.LogZ0(), SE: se}
}

// at returns log Zhat of all islands at a recorded rung, and the change of each by generated particles (0 if none).
func (s *smc) logZsAt(i int, records []*islandRecord) (z, moved []float64) {
	z, moved = make([]float64, len(records)), make([]float64, len(records))
	for j, d := range records {
		if z[j] = d.LogZs[i]; s.mean {
			moved[j] = d.Growth.Shifts[i]
		}
	}
	return z, moved
}

// combine returns the estimate of log Z from log Zhat of islands, and its standard error (nats).
func (s *smc) combine(z, moved []float64) (logZ, se float64) {
	if s.mean {
		return estimators.MeanOfLogs(z, moved)
	}
	return stats.LogMeanSE(z)
}
