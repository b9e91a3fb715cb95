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
	// Flags of the method auto: the algorithm that made the estimate.
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
	// FlagAdaptive also means that E[Zhat] differs from Z, even if Info.Unbiased is set.
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

// Result is the estimate of a finished or running method. Logarithms are in nats. Unavailable numbers are NaN, and Flags
// give the reason. Fields that are "not hashed" do not enter the hash of a report (site/docs/contract.md).
type Result struct {
	LogZ, SE     float64
	SEMethod     string // kind of SE: SENone, ... SECubature (errorbar.go)
	Bias         string // direction of the bias of LogZ: down, up, none or either
	Lower, Upper float64
	Ladder       []Rung
	Stages       []Stage // one for each stage of a method that grows the model, else nil
	// SoFar is log Z at the largest inverse temperature that all islands of a running method have reached, else nil.
	SoFar *Rung
	// Posterior holds the moments of the coordinates of a posterior, or of the visible units of an RBM, not hashed.
	Posterior []Moment
	// AtTarget holds the same moments from the samples at the target alone, for methods that use the samples of all
	// rungs for Posterior.
	AtTarget []Moment
	// Occupancy is c_k/r_k of each rung k of a tempering method, nil for others: c_k is the share of sweeps that chains
	// spent at the rung, r_k the intended share.
	Occupancy []float64
	// Overlap holds, for each pair of neighbouring rungs k and k+1, the mean acceptance probability of a move between
	// them, a measure of how much the two densities overlap. It is nil if it is not measured, and not hashed.
	Overlap []float64
	// OverlapMatrix, rungs x rungs, has in row k, column l the share of the samples of rung l in the estimate of the
	// density of rung k: sum_i W_ik n_l W_il with the weights W of mbar. Rows sum to 1. Effective holds the effective
	// number of samples at each rung, 1/sum_i W_ik^2. Both are nil for methods other than mbar, and not hashed.
	OverlapMatrix [][]float64
	Effective     []float64
	// Data holds estimated log-likelihoods of at most 1000 data rows under the annealed model (RAISE), each biased down,
	// not hashed.
	Data []float64
	// LogWeights are the log weights with log-mean-exp log Z, for pictures; nil if there are more than 1000. Not hashed.
	LogWeights []float64
	// Islands are the log Zhat of the islands of a run, up to a common constant. History is the estimate after increasing
	// amounts of work. Both are not hashed.
	Islands []float64
	History []Point
	// Guesses are the successive guesses of log Z of the rungs, not hashed.
	Guesses []Guess
	// Travel records how the chains of a tempering run moved over the ladder, for pictures; nil for other runs. It is
	// not hashed.
	Travel *frame.Travel
	// Climbed are lower bounds of log Z from climbs that start at samples (models.Bounds). They are not hashed.
	Climbed []float64
	// Batch holds the numbers for pooling several runs of rts, if the run has at most 50 rungs; not hashed.
	Batch *Batch
	// PathStats are statistics of the path from base to target, measured by the run or its pilot; nil if unknown. They
	// are not hashed.
	PathStats *schedule.PathStats
	// Runs is the number of replicates above which more replicates of this run do not help; 0: no limit. Not hashed.
	Runs int
	// Doing names the current activity of the method, for progress displays.
	Doing       string
	Sweeps      float64 // kernel applications, summed over chains
	Evaluations float64 // log density evaluations
	Diagnostics map[diag.Number]float64
	Flags       []diag.Flag

	Works    []float64 // all log weights, without log Z of the base
	RiseSE   []float64 // standard error of log Z_K - log Z_k for each rung k, for checks
	Compared []Rung    // ladder for the check against exact samples (target_check.go) if it differs from Ladder
}

// Moment is the mean and standard deviation of a coordinate, and the standard error of the mean.
type Moment struct{ Mean, SD, SE float64 }

// Guess is an intermediate guess of log Z at every rung.
type Guess struct {
	Sweeps int       // sweeps of each chain before the guess
	LogZ   []float64 // log Z of each rung of the ladder, nats
	// LogC is log c_k for each of the K rungs, where c_k is the share of their sweeps that chains spent at rung k in the
	// initial iteration of tempering that made this guess from the previous one. If the run aims at shares r_k that are
	// not all 1/K, LogC is log c_k/(K r_k), which is constant for c = r. It is nil if no such iteration made the guess.
	LogC []float64
}

// Trim drops the fields that only the first of several replicates needs, to save memory.
func (r *Result) Trim() {
	r.Ladder, r.Stages, r.Occupancy, r.Overlap, r.Data, r.RiseSE = nil, nil, nil, nil, nil, nil
	r.Guesses, r.Travel, r.Compared, r.LogWeights, r.Islands = nil, nil, nil, nil, nil
	r.OverlapMatrix, r.Effective, r.Works, r.PathStats = nil, nil, nil, nil
	r.Posterior, r.AtTarget = nil, nil
}

// Compact returns a copy of the result without the fields for pictures and for checks within the run.
func (r *Result) Compact() *Result {
	compact := *r
	compact.LogWeights, compact.History, compact.Guesses, compact.Travel, compact.OverlapMatrix, compact.Batch = nil, nil, nil, nil, nil, nil
	compact.Works, compact.RiseSE, compact.Compared = nil, nil, nil
	return &compact
}

// The log of a mean dominated by k of many weights has a standard error of sqrt(1/k), so 0.8 for k = 1.5. If there are
// fewer than minWeights effective weights and the standard error is above SEOfFewWeights, it shows only that the weights
// are few. The standard error of few islands with two equal weights is below SEOfFewWeights.
const minWeights, SEOfFewWeights = 2, .8

// OneWeight reports whether a single weight, island or chain dominates the mean behind the estimate. The error bar is
// then meaningless: the standard error of a mean dominated by one term equals the mean, so the standard error of its log
// is 1 for any weights, up to the rounding of a huge log Z. isSEOne reports whether SE is 1.
func (r *Result) OneWeight() (dominated, isSEOne bool) {
	ess, hasESS := r.Diagnostics[DiagESS]
	if len(r.Islands) > 0 {
		ess, hasESS = stats.LogWeights(r.Islands).ESSKish, true
	}
	slack := 1e-6 + math.Ldexp(math.Abs(r.LogZ), -50)                          // allowance for rounding
	hasUnvisitedRung := len(r.Occupancy) > 0 && slices.Min(r.Occupancy) < 1e-3 // hardly any chain visits some rung
	isSEOne = math.Abs(r.SE-1) < slack
	return isSEOne && !hasESS && hasUnvisitedRung || hasESS && ess < minWeights && r.SE > SEOfFewWeights && r.SE < 1+slack, isSEOne
}

// Work returns the amount of work that limits refer to: sweeps summed over chains, or the number of log density
// evaluations if the method moves no chains.
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

// Stage describes stage n of a run that grows the model: the estimate of log Z_n (nats), and, averaged over islands, the
// number R of particles, the effective sample size ESS of the weights W for the next stage, and Gamma = ESS/R. At the
// last stage W = 1. Share is sqrt(v_n)/sum_n' sqrt(v_n') over the stages so far, where v_n is the variance of W divided
// by its mean ([ARM] Theorem 1). Share is the stage's share of V_min and the optimal share of particles at the stage.
// Share is not hashed.
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

// Batch holds the numbers for pooling a tempering run with others: the share of its samples at each rung, and the log
// Zhat with which these samples were made.
type Batch struct {
	N             float64   // number of samples
	LogC, LogZhat []float64 // log of the share c_k of samples at rung k; log(Zhat_k/r_k), 0 at k = 0, r the intended shares
	LogZ0         float64   // log Z of the base
}
