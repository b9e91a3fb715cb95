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

// Flags that this file sets.
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
		"One weight, chain or island is nearly the whole estimate, so nothing says how far it is off.")
	FlagEven = diag.NewFlag("even_start",
		"The run starts from coins, a base that favours no state, since this costs little here.")
	// Which method auto took for a posterior.
	FlagByDraws = diag.NewFlag("by_draws", "The number is by importance sampling: the density fitted to the target has "+
		"nearly its shape, so the weights of plain draws are even.")
	FlagByCubature = diag.NewFlag("by_cubature", "The number is the integral by adaptive cubature, computed twice; "+
		"importance sampling, bridge sampling or a path agrees with it.")
	FlagByBridge = diag.NewFlag("by_bridge", "The number is by bridge sampling between draws of the target and the "+
		"density fitted to it, as the weights of plain draws are uneven.")
	FlagByPath = diag.NewFlag("by_path", "Importance sampling and bridge sampling fail their own checks here. The number "+
		"is by annealing or tempering.")
	FlagFormed = diag.NewFlag("formed",
		"Annealing and tempering, which both start at the base, missed part of the target or fail checks of their own. The "+
			"number is that of a third road, which forms the model unit by unit.")
	FlagAnnealed = diag.NewFlag("annealed",
		"Tempering and annealing do not agree. The number is that of annealing, which seldom finds too much.")
	// FlagAdaptive also says that E[Zhat] is not Z, though it is so for the method (Info.Unbiased).
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

// MarshalJSON has null where a number is not known.
func (k Rung) MarshalJSON() ([]byte, error) {
	n := spec.JSONNumber
	return []byte(`{"beta":` + n(k.Beta) + `,"logz":` + n(k.LogZ) + `,"se":` + n(k.SE) + `}`), nil
}

// Result is the state of an estimate, in nats. A value that cannot be had is NaN, and Flags
// say why.
type Result struct {
	LogZ, SE     float64
	SEMethod     string // how SE was made: SENone, ... SEReplicates
	Bias         string // direction of the bias of LogZ: down, up, none or either
	Lower, Upper float64
	Ladder       []Rung
	Stages       []Stage // of methods that form a model step by step
	// SoFar is log Z at the inverse temperature that the islands under way have passed, nil in other runs.
	SoFar *Rung
	// Posterior are the coordinates of a target that is a posterior, or the visible units of a machine. They stand in no
	// hash.
	Posterior []Moment
	// AtTarget is Posterior from the samples at the target alone, of methods whose Posterior is from those of all rungs.
	AtTarget []Moment
	// Occupancy is c_k/r_k of each rung of a tempering method, nil for others.
	Occupancy []float64
	// Overlap is, of each pair of neighbouring rungs k and k+1, the mean acceptance of a move
	// between them, in [0, 1]: how far the densities of the two rungs have samples in common. nil
	// where a method does not measure it. It stands in no hash.
	Overlap []float64
	// OverlapMatrix, rungs x rungs, has in row k, column l the share that the samples of rung l have in the estimate of
	// the density of rung k: sum_i W_ik n_l W_il with the weights W of mbar. Rows sum to 1. Effective are effective
	// numbers of samples at the rungs, 1/sum_i W_ik^2. nil for other methods; they stand in no hash.
	OverlapMatrix [][]float64
	Effective     []float64
	// Data are log-likelihoods of data under the annealed model (RAISE), each biased down; at most 1000. They stand in no
	// hash.
	Data []float64
	// LogWeights are the log weights whose log-mean-exp is log Z, for pictures; nil if there are more than 1000. They
	// stand in no hash.
	LogWeights []float64
	// Islands are the estimates of the islands of a run, up to a number that they share; History is how the estimate came
	// about. They stand in no hash.
	Islands []float64
	History []Point
	// Guesses are the first guesses of the rungs' log Z and how they came closer, in order. They stand in no hash.
	Guesses []Guess
	// Travel is how the chains of a tempering run went over its ladder, for pictures; nil for others. It stands in no
	// hash.
	Travel *frame.Travel
	// Climbed are lower bounds of log Z that climbs from samples ended at (models.Bounds). They stand in no hash.
	Climbed []float64
	// Batch is what is left for pooling of a finished run of rts with at most 50 rungs. It stands in no hash.
	Batch *Batch
	// PathStats is what the run, or a pilot before it, found about the path from base to target; nil where nothing did. It
	// stands in no hash.
	PathStats *schedule.PathStats
	// Runs is how many runs like this one are worth their time, at most; 0: any number. It stands in no hash.
	Runs int
	// Doing names what the method was doing, for pictures of its progress.
	Doing       string
	Sweeps      float64 // kernel applications, summed over chains
	Evaluations float64 // log density evaluations
	Diagnostics map[diag.Number]float64
	Flags       []diag.Flag

	Works    []float64 // log weights without log Z of the base, all of them
	RiseSE   []float64 // of log Z_K - log Z_k for each rung k, for checks
	Compared []Rung    // the ladder that checks look at, if that is another
}

// Moment is the mean and the standard deviation of a coordinate, and the standard error of the mean.
type Moment struct{ Mean, SD, SE float64 }

// Guess is a guess of log Z at every rung on the way to an estimate.
type Guess struct {
	Sweeps int       // of each chain, those before it
	LogZ   []float64 // as in Result.Ladder, nats
	// LogC is log c_k of the initial iteration of a tempering run that made the guess, from the guess before: chains
	// spend the share c_k of their sweeps at rung k. Where the run aims at shares r_k that are not all the same, LogC is
	// log c_k/(K r_k), even where c = r. nil where no such iteration made it.
	LogC []float64
}

// Trim keeps what replicates after the first are read for: numbers, not the way to them.
func (r *Result) Trim() {
	r.Ladder, r.Stages, r.Occupancy, r.Overlap, r.Data, r.RiseSE = nil, nil, nil, nil, nil, nil
	r.Guesses, r.Travel, r.Compared, r.LogWeights, r.Islands = nil, nil, nil, nil, nil
	r.OverlapMatrix, r.Effective, r.Works, r.PathStats = nil, nil, nil, nil
	r.Posterior, r.AtTarget = nil, nil
}

// Bare is the result without what only pictures show, and what its run alone needed.
func (r *Result) Bare() *Result {
	bare := *r
	bare.LogWeights, bare.History, bare.Guesses, bare.Travel, bare.OverlapMatrix, bare.Batch = nil, nil, nil, nil, nil, nil
	bare.Works, bare.RiseSE, bare.Compared = nil, nil, nil
	return &bare
}

// fewestWeights and BarOfFew say below how many effective weights, and from which bar on, a bar shows only that they
// are few: of k of many weights it is sqrt(1/k), so 0.8 of 1.5. Two equal ones of few islands have a shorter bar.
const fewestWeights, BarOfFew = 2, .8

// OneWeight reports whether the error bar shows only that one weight, island or chain is nearly the whole mean behind
// the estimate: the standard error of a mean of one is the mean itself, and that of its log is 1, whatever the values
// are (but for the rounding of a huge log Z). whole: it is 1.
func (r *Result) OneWeight() (alone, whole bool) {
	ess, known := r.Diagnostics[DiagESS]
	if len(r.Islands) > 0 {
		ess, known = stats.LogWeights(r.Islands).ESSKish, true
	}
	slack := 1e-6 + math.Ldexp(math.Abs(r.LogZ), -50)               // of rounding
	never := len(r.Occupancy) > 0 && slices.Min(r.Occupancy) < 1e-3 // a rung that no chain visits
	whole = math.Abs(r.SE-1) < slack
	return whole && !known && never || known && ess < fewestWeights && r.SE > BarOfFew && r.SE < 1+slack, whole
}

// Work is what a limit counts: chain-sweeps, or log densities of a method that moves no chains.
func (r *Result) Work() float64 {
	if r.Sweeps > 0 {
		return r.Sweeps
	}
	return r.Evaluations
}

// One is the list of results of a run with a single reader: r, or nothing while r is nil.
func One(r *Result) []*Result {
	if r == nil {
		return nil
	}
	return []*Result{r}
}

// Flag adds a flag once.
func (r *Result) Flag(name diag.Flag) {
	for _, f := range r.Flags {
		if f == name {
			return
		}
	}
	r.Flags = append(r.Flags, name)
}

// Diagnose records a number if it is one.
func (r *Result) Diagnose(name diag.Number, x float64) {
	if num.Finite(x) {
		if r.Diagnostics == nil {
			r.Diagnostics = map[diag.Number]float64{}
		}
		r.Diagnostics[name] = x
	}
}

// Stage is the estimate of log Z_n and the weights W with which particles of
// stage n went on to the next one: their number R, effective sample size and
// gamma = ess/R, averaged over islands. At the last stage W = 1.
// Share is the stage's share of V_min, sqrt(v_n)/sum_n' sqrt(v_n') over the stages so
// far, with v_n the variance of W over its mean ([ARM] Theorem 1): also the share of
// the particles that it would best have. It stands in no hash.
type Stage struct {
	N     int     `json:"n"`
	LogZ  float64 `json:"logz"`
	SE    float64 `json:"-"`
	R     float64 `json:"R"`
	ESS   float64 `json:"ess"`
	Gamma float64 `json:"gamma"`
	Share float64 `json:"share"`
}

// MarshalJSON has null where a number is not known.
func (s Stage) MarshalJSON() ([]byte, error) {
	n := spec.JSONNumber
	return []byte(`{"n":` + strconv.Itoa(s.N) + `,"logz":` + n(s.LogZ) + `,"R":` + n(s.R) + `,"ess":` + n(s.ESS) +
		`,"gamma":` + n(s.Gamma) + `,"share":` + n(s.Share) + `}`), nil
}

// Batch is what a tempering run leaves for pooling: the shares of its samples at each rung under its own frozen
// log Zhat.
type Batch struct {
	N             float64   // samples
	LogC, LogZhat []float64 // LogZhat is log(Zhat_k/r_k), 0 at the base, r the prior over rungs
	LogZ0         float64   // of the base
}
