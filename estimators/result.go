package estimators

import (
	"math"
	"slices"
	"strconv"

	"logzlab/core/diag"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/schedule"
	"logzlab/core/spec"
)

// Flags of results of several methods.
var (
	FlagSEOptimistic = diag.NewFlag("se_optimistic",
		"An error bar from weights is firm from 50 effective samples on, if the log weights vary by at most 1. Here it may "+
			"be too short: look at the sandwich, and use more temperatures, chains or draws.")
	FlagSingleChain = diag.NewFlag("single_chain",
		"A single weight has no error bar: run more chains, or take more draws.")
	FlagUpperFromData = diag.NewFlag("upper_from_data",
		"The upper end starts from data instead of exact samples, so it is typical, not certain.")
	FlagZeroWeights = diag.NewFlag("zero_weights",
		"Every weight was zero: no sample reached the target.")
	FlagNoSandwich = diag.NewFlag("no_sandwich",
		"This method has no bounds of its own, only an error bar.")
	FlagNoErrorBar = diag.NewFlag("no_error_bar",
		"Too few chains and sweeps for an error bar: run more.")
	FlagOneWeight = diag.NewFlag("one_weight",
		"A single weight, chain or group carries nearly the whole estimate, so its error is unknown.")
	FlagUniformBase = diag.NewFlag("even_start",
		"The run starts from the uniform distribution, which favours no state, since this costs little here.")
	// Flags of auto: how the estimate for a posterior was made.
	FlagByDraws = diag.NewFlag("by_draws", "The number is by importance sampling: the density fitted to the target has "+
		"nearly its shape, so the weights of plain draws are even.")
	FlagByCubature = diag.NewFlag("by_cubature", "The number is the integral by adaptive cubature, computed twice; "+
		"importance sampling, bridge sampling or a path agrees with it.")
	FlagByBridge = diag.NewFlag("by_bridge", "The number is by bridge sampling between draws of the target and the "+
		"density fitted to it, as the weights of plain draws are uneven.")
	FlagByPath = diag.NewFlag("by_path", "Importance sampling and bridge sampling fail their own checks here. The number "+
		"is by annealing or tempering.")
	FlagByGrowing = diag.NewFlag("formed",
		"Annealing and tempering, which both start at the base, missed part of the target or fail checks of their own. The "+
			"number is by resample-move, which grows the model unit by unit.")
	FlagByAnnealing = diag.NewFlag("annealed",
		"Tempering and annealing do not agree. The number is that of annealing, which seldom finds too much.")
	// FlagAdaptive also reports that E[Zhat] is not Z, even if the method is unbiased (Info.Unbiased).
	FlagAdaptive = diag.NewFlag("adaptive",
		"Temperatures were picked by the particles that are averaged, so log Z may be off by more than chance while "+
			"they are few.")
	FlagLadderThinned = diag.NewFlag("ladder_thinned",
		"Log Z along the ladder is recorded at some rungs only, to save memory.")
)

// Rung is the estimate at one inverse temperature.
type Rung struct {
	Beta float64 `json:"beta"`
	LogZ float64 `json:"logz"`
	SE   float64 `json:"se"`
}

// MarshalJSON writes unknown numbers as null.
func (k Rung) MarshalJSON() ([]byte, error) {
	n := spec.JSONNumber
	return []byte(`{"beta":` + n(k.Beta) + `,"logz":` + n(k.LogZ) + `,"se":` + n(k.SE) + `}`), nil
}

// Result is an estimate, possibly still running, in nats. Unavailable values are NaN, and Flags give the reason.
type Result struct {
	LogZ, SE     float64
	SEMethod     string // how SE was made: SENone, ... SEReplicates
	Bias         string // direction of the bias of LogZ: down, up, none or either
	Lower, Upper float64
	Ladder       []Rung
	Stages       []Stage // of methods that grow a model by stages
	// SoFar is log Z at the inverse temperature that all running islands have reached, nil in other runs.
	SoFar *Rung
	// Posterior holds the moments of the coordinates of a posterior, or of the visible units of an RBM. It is not
	// hashed.
	Posterior []Moment
	// AtTarget is Posterior from the samples at the target alone, for methods whose Posterior uses all rungs.
	AtTarget []Moment
	// Occupancy is c_k/r_k of each rung of a tempering method, nil for others.
	Occupancy []float64
	// Overlap holds, for each pair of neighbouring rungs k and k+1, the mean acceptance of a move between them, in [0,
	// 1], a measure of how much the two densities overlap. It is nil if the method does not measure it. It is not
	// hashed.
	Overlap []float64
	// OverlapMatrix, rungs x rungs, has in row k, column l the share of the samples of rung l in the estimate of the
	// density of rung k: sum_i W_ik n_l W_il with the weights W of mbar. Rows sum to 1. Effective holds the effective
	// number of samples at each rung, 1/sum_i W_ik^2. Both are nil for other methods; they are not hashed.
	OverlapMatrix [][]float64
	Effective     []float64
	// Data holds log-likelihoods of data under the annealed model (RAISE), each biased down; at most 1000. It is not
	// hashed.
	Data []float64
	// LogWeights are the log weights whose log-mean-exp is log Z, for pictures; nil if there are more than 1000. They
	// are not hashed.
	LogWeights []float64
	// Islands are the estimates of the islands of a run, up to a constant that they share. History shows how the
	// estimate developed. Both are not hashed.
	Islands []float64
	History []Point
	// Guesses are the successive guesses of the rungs' log Z, in order. They are not hashed.
	Guesses []Guess
	// Travel records how the chains of a tempering run moved over its ladder, for pictures; nil for others. It is not
	// hashed.
	Travel *frame.Travel
	// Climbed are lower bounds of log Z from climbs that start at samples (models.Bounds). They are not hashed.
	Climbed []float64
	// Batch is what pooling needs of a finished run of rts with at most 50 rungs. It is not hashed.
	Batch *Batch
	// PathStats are statistics of the path from base to target, by the run or a pilot before it; nil if unknown. They
	// are not hashed.
	PathStats *schedule.PathStats
	// Runs is the largest number of replicates of this run that are worth their time; 0: no limit. It is not hashed.
	Runs int
	// Doing names the current activity of the method, for progress displays.
	Doing       string
	Sweeps      float64 // kernel applications, summed over chains
	Evaluations float64 // log density evaluations
	Diagnostics map[diag.Number]float64
	Flags       []diag.Flag

	Works    []float64 // all log weights, without log Z of the base
	RiseSE   []float64 // standard error of log Z_K - log Z_k for each rung k, for checks
	Compared []Rung    // the ladder that checks compare, if it is not Ladder
}

// Moment is the mean and standard deviation of a coordinate, and the standard error of the mean.
type Moment struct{ Mean, SD, SE float64 }

// Guess is an intermediate guess of log Z at every rung.
type Guess struct {
	Sweeps int       // sweeps of each chain before the guess
	LogZ   []float64 // as in Result.Ladder, nats
	// LogC is log c_k of the initial iteration of a tempering run that made this guess from the previous one: chains
	// spend the share c_k of their sweeps at rung k. If the run aims at uneven shares r_k, LogC is log c_k/(K r_k),
	// even for c = r. It is nil if the guess was not made by such an iteration.
	LogC []float64
}

// Trim drops everything but the numbers needed of replicates after the first.
func (r *Result) Trim() {
	r.Ladder, r.Stages, r.Occupancy, r.Overlap, r.Data, r.RiseSE = nil, nil, nil, nil, nil, nil
	r.Guesses, r.Travel, r.Compared, r.LogWeights, r.Islands = nil, nil, nil, nil, nil
	r.OverlapMatrix, r.Effective, r.Works, r.PathStats = nil, nil, nil, nil
	r.Posterior, r.AtTarget = nil, nil
}

// Bare returns the result without the fields that only pictures, or only its own run, need.
func (r *Result) Bare() *Result {
	bare := *r
	bare.LogWeights, bare.History, bare.Guesses, bare.Travel, bare.OverlapMatrix, bare.Batch = nil, nil, nil, nil, nil, nil
	bare.Works, bare.RiseSE, bare.Compared = nil, nil, nil
	return &bare
}

// A mean dominated by k of many weights has an error bar of sqrt(1/k), so 0.8 for k = 1.5. Below minWeights effective
// weights, an error bar of SEOfFewWeights or more shows only that they are few. Two equal ones of a few islands have a
// shorter bar.
const minWeights, SEOfFewWeights = 2, .8

// OneWeight reports whether a single weight, island or chain is nearly the whole mean behind the estimate, so that the
// error bar shows only this: the standard error of a mean of one term is the mean itself, and its log has standard
// error 1, whatever the values (except for the rounding of a huge log Z). whole reports that SE is 1.
func (r *Result) OneWeight() (alone, whole bool) {
	ess, known := r.Diagnostics[DiagESS]
	if len(r.Islands) > 0 {
		ess, known = stats.LogWeights(r.Islands).ESSKish, true
	}
	slack := 1e-6 + math.Ldexp(math.Abs(r.LogZ), -50)               // allowance for rounding
	never := len(r.Occupancy) > 0 && slices.Min(r.Occupancy) < 1e-3 // a rung that no chain visits
	whole = math.Abs(r.SE-1) < slack
	return whole && !known && never || known && ess < minWeights && r.SE > SEOfFewWeights && r.SE < 1+slack, whole
}

// Work returns the work that limits count: chain-sweeps, or log density evaluations if the method moves no chains.
func (r *Result) Work() float64 {
	if r.Sweeps > 0 {
		return r.Sweeps
	}
	return r.Evaluations
}

// SingleResult returns the results of a run with one reader: r alone, or nil if r is nil.
func SingleResult(r *Result) []*Result {
	if r == nil {
		return nil
	}
	return []*Result{r}
}

// Flag adds a flag unless the result has it.
func (r *Result) Flag(name diag.Flag) {
	for _, f := range r.Flags {
		if f == name {
			return
		}
	}
	r.Flags = append(r.Flags, name)
}

// Diagnose records a diagnostic if x is finite.
func (r *Result) Diagnose(name diag.Number, x float64) {
	if num.Finite(x) {
		if r.Diagnostics == nil {
			r.Diagnostics = map[diag.Number]float64{}
		}
		r.Diagnostics[name] = x
	}
}

// Stage describes stage n of a run that grows the model: the estimate of log Z_n, and the weights W with which
// particles go on to the next stage: their number R, effective sample size, and gamma = ess/R, averaged over islands.
// At the last stage W = 1. Share is the stage's share of V_min, sqrt(v_n)/sum_n' sqrt(v_n') over the stages so far,
// with v_n the variance of W over its mean ([ARM] Theorem 1). It is also the optimal share of particles at the stage.
// It is not hashed.
type Stage struct {
	N     int     `json:"n"`
	LogZ  float64 `json:"logz"`
	SE    float64 `json:"-"`
	R     float64 `json:"R"`
	ESS   float64 `json:"ess"`
	Gamma float64 `json:"gamma"`
	Share float64 `json:"share"`
}

// MarshalJSON writes unknown numbers as null.
func (s Stage) MarshalJSON() ([]byte, error) {
	n := spec.JSONNumber
	return []byte(`{"n":` + strconv.Itoa(s.N) + `,"logz":` + n(s.LogZ) + `,"R":` + n(s.R) + `,"ess":` + n(s.ESS) +
		`,"gamma":` + n(s.Gamma) + `,"share":` + n(s.Share) + `}`), nil
}

// Batch is what pooling needs of a tempering run: the shares of its samples at each rung under its own frozen log Zhat.
type Batch struct {
	N             float64   // number of samples
	LogC, LogZhat []float64 // LogZhat is log(Zhat_k/r_k), 0 at the base, r the prior over rungs
	LogZ0         float64   // log Z of the base
}
