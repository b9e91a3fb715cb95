package estimators

import (
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/core/stats"
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
	FlagFewIslands = diag.NewFlag("few_islands",
		"Fewer than four islands give a rough error bar, one gives none: run more of them.")
	FlagZeroWeights = diag.NewFlag("zero_weights",
		"Every weight was zero: no sample reached the target.")
	FlagNoSandwich = diag.NewFlag("no_sandwich",
		"This method gives no bounds: its error bar is all there is.")
	FlagNoErrorBar = diag.NewFlag("no_error_bar",
		"Too few chains and sweeps for an error bar: run more.")
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
	// Posterior are the coordinates of a target that is a posterior. They stand in no hash.
	Posterior []Moment
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
	// Data are lower bounds of the log-likelihood of data (RAISE), at most 1000. They stand in no hash.
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
	// Climbed are lower bounds of log Z that climbs from samples ended at (models.Climber). They stand in no hash.
	Climbed []float64
	// Batch is what is left for pooling of a finished run of rts with at most 50 rungs. It stands in no hash.
	Batch *Batch
	// Learned is what the run, or a pilot before it, found about the path from base to target; nil where nothing did. It
	// stands in no hash.
	Learned *schedule.Pilot
	// Stage names what the method was doing, for pictures of its progress.
	Stage       string
	Sweeps      float64 // kernel applications, summed over chains
	Evaluations float64 // log density evaluations
	Diagnostics map[diag.Number]float64
	Flags       []diag.Flag

	works    []float64 // log weights without log Z of the base, all of them
	riseSE   []float64 // of log Z_K - log Z_k for each rung k, for checks
	compared []Rung    // the ladder that checks look at, if that is another
}

// Moment is the mean and the standard deviation of a coordinate, and the standard error of the mean.
type Moment struct{ Mean, SD, SE float64 }

// Guess is a guess of log Z at every rung on the way to an estimate.
type Guess struct {
	Sweeps int       // of each chain, those before it
	LogZ   []float64 // as in Result.Ladder, nats
	// LogC is log c_k of the initial iteration of a tempering run that made the guess, from the guess before: chains
	// spend the share c_k of their sweeps at rung k. nil where no such iteration made it.
	LogC []float64
}

// Trim keeps what replicates after the first are read for: numbers, not the way to them.
func (r *Result) Trim() {
	r.Ladder, r.Stages, r.Occupancy, r.Overlap, r.Data, r.riseSE = nil, nil, nil, nil, nil, nil
	r.Guesses, r.Travel, r.compared, r.LogWeights, r.Islands = nil, nil, nil, nil, nil
	r.OverlapMatrix, r.Effective, r.works, r.Learned = nil, nil, nil, nil
	r.Posterior = nil
}

// Work is what a limit counts: chain-sweeps, or log densities of a method that moves no chains.
func (r *Result) Work() float64 {
	if r.Sweeps > 0 {
		return r.Sweeps
	}
	return r.Evaluations
}

// one is the result of a run with a single reader, nil while there is none.
func one(r *Result) []*Result {
	if r == nil {
		return nil
	}
	return []*Result{r}
}

// flag adds a flag once.
func (r *Result) flag(name diag.Flag) {
	for _, f := range r.Flags {
		if f == name {
			return
		}
	}
	r.Flags = append(r.Flags, name)
}

// diagnose records a number if it is one.
func (r *Result) diagnose(name diag.Number, x float64) {
	if num.Finite(x) {
		if r.Diagnostics == nil {
			r.Diagnostics = map[diag.Number]float64{}
		}
		r.Diagnostics[name] = x
	}
}

// calibratedESS is the effective sample size from which the error of weights is calibrated, if the variance of their
// logs is at most 1.
const calibratedESS = 50

// weighted is the result of importance weights: the estimate, both errors, both
// effective sample sizes, and the lower end of the sandwich,
// mean(log w) - 2 sd/sqrt(n) (a stochastic lower bound, since E log w <= log Z).
// The s.e. claims to be calibrated only if ESS >= calibratedESS and Var(log w) <= 1.
func weighted(logw []float64, logZ0 float64) *Result {
	w := stats.LogWeights(logw)
	r := &Result{LogZ: w.LogMean + logZ0, SE: w.SE, SEMethod: SEDelta, Bias: "down", Upper: math.NaN()}
	r.Lower = w.Lower + logZ0
	r.diagnose(DiagESS, w.ESS)
	r.diagnose(DiagESSKish, w.ESSKish)
	r.diagnose(DiagSEJackknife, w.JackSE)
	r.diagnose(DiagLogZJackknife, w.JackLogMean+logZ0)
	r.diagnose(DiagMeanLogWeight, w.MeanLog)
	r.diagnose(DiagVarLogWeight, w.VarLog)
	if len(logw) < 2 {
		r.flag(FlagSingleChain)
	} else if !(w.ESS >= calibratedESS && w.VarLog <= 1) {
		r.flag(FlagSEOptimistic)
	}
	return r
}

// upperEnd is the upper end of the sandwich, -mean(log w) + 2 sd/sqrt(n) over
// reverse chains: E[-log w] >= log Z when they start from exact target samples.
func (r *Result) upperEnd(reverse []float64, logZ0 float64) {
	mean, v := stats.MeanVar(reverse)
	n := float64(len(reverse))
	r.Upper = -mean + 2*math.Sqrt(v/n) + logZ0
	r.diagnose(DiagReverseMeanLogWeight, mean)
	r.diagnose(DiagReverseVarLogWeight, v)
	r.diagnose(DiagLogZReverse, logZ0-num.LogMeanExp(reverse))
}

// bennett is the c at which
//
//	sum_forward 1/(1 + e^(c - w)) = sum_reverse 1/(1 + e^(w - c)),
//
// over forward and reverse log weights w, the reverse ones given as -w: log Z from both directions, minus
// log(reverse/forward), their numbers ([Bennett1976] eq. 12). No term exceeds 1, so the estimate is stable even where
// reverse weights have infinite variance.
func bennett(forward, reverse []float64) float64 {
	ahead, back := num.LogMeanExp(forward), -num.LogMeanExp(reverse)
	room := 1 + math.Abs(num.Log(float64(len(reverse))/float64(len(forward))))
	lo, hi := min(ahead, back)-room, max(ahead, back)+room
	for range 40 {
		c, excess := float64((lo+hi)/2), 0.0
		for i := range max(len(forward), len(reverse)) {
			left, right := 0.0, 0.0
			if i < len(forward) {
				left = 1 / (1 + num.Exp(c-forward[i]))
			}
			if i < len(reverse) {
				right = 1 / (1 + num.Exp(-reverse[i]-c))
			}
			excess += left - right
		}
		if excess > 0 {
			lo = c
		} else {
			hi = c
		}
	}
	return float64((lo + hi) / 2)
}

// islands records the spread of log Zhat over independent islands, and se_within, the error
// if the particles of an island were independent, from the sum of the islands' variances. It
// is too small, because they are not.
func (r *Result) islands(z []float64, within float64) {
	n := float64(len(z))
	r.Islands = slices.Clone(z)
	r.diagnose(DiagIslands, n)
	r.diagnose(DiagSEWithin, math.Sqrt(max(within, 0))/n)
	if len(z) > 1 {
		_, v := stats.MeanVar(z)
		r.diagnose(DiagIslandsSD, math.Sqrt(v))
	}
	if len(z) < 4 {
		r.flag(FlagFewIslands)
	}
	if math.IsInf(num.LogSumExp(z), -1) {
		r.flag(FlagZeroWeights)
	}
}
