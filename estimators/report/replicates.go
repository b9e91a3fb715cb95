package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators"
)

// replicated replaces log Z and its standard error by those over all replicates: log Z is the log of the mean Zhat for
// unbiased methods, else the mean of log Zhat. Lower and upper bounds are averaged over the runs that have them. The
// averages are still bounds of log Z in expectation.
func (r *Report) replicated(results []*estimators.Result, unbiased bool) {
	var z, squares []float64
	for _, res := range results {
		z = append(z, res.LogZ)
		r.Replicates = append(r.Replicates, Number(res.LogZ))
		r.ReplicateSE = append(r.ReplicateSE, Number(res.SE))
		if r.Truth != nil {
			d := (res.LogZ - float64(r.Truth.LogZ)) / res.SE
			squares = append(squares, num.Mul(d, d))
		}
	}

	// The bounds, and the summary.
	r.Lower = average(results, func(res *estimators.Result) float64 { return res.Lower })
	r.Upper = average(results, func(res *estimators.Result) float64 { return res.Upper })
	mean, v := stats.MeanVar(z)
	n := float64(len(z))
	s := &Summary{Mean: Number(mean), SD: Number(math.Sqrt(v)), LogMeanExp: Number(num.LogMeanExp(z)),
		RMSZ: Number(math.NaN())}
	if len(squares) > 0 {
		ms, _ := stats.MeanVar(squares)
		s.RMSZ = Number(math.Sqrt(ms))
	}
	r.Summary = s
	if first := results[0]; !IsNumber(Number(first.SE)) {
		r.asOneRun(z, first.SEMethod)
	}

	// log Z of all runs, with the error bar from their spread.
	r.SEMethod = estimators.SEReplicates
	if unbiased {
		w := stats.LogWeights(z)
		r.LogZ = s.LogMeanExp
		r.SE = Number(num.Mul(num.Exp(w.LogMean-float64(s.LogMeanExp)), w.SE))
	} else {
		r.LogZ, r.SE = s.Mean, Number(math.Sqrt(v/n))
	}

	// The history: the estimate from the first replicates.
	all := estimators.Result{LogZ: float64(r.LogZ), SE: float64(r.SE), Islands: z, Bias: "either"}
	for _, h := range r.Histories {
		all.Sweeps += h[len(h)-1].Sweeps
	}
	if len(r.Histories) < len(z) {
		all.Sweeps = float64(r.Cost.Sweeps)
	}
	if unbiased {
		all.Bias = "down"
	}
	r.History = all.PartHistory()
}

// average returns the mean of a number over the runs in which it is not NaN; NaN if there is no such run.
func average(results []*estimators.Result, number func(*estimators.Result) float64) Number {
	n, sum := 0.0, 0.0
	for _, res := range results {
		if x := number(res); num.NotNaN(x) {
			n++
		}
	}
	for _, res := range results {
		if x := number(res); num.NotNaN(x) {
			sum += x / n
		}
	}
	if n == 0 {
		return NaN
	}
	return Number(sum)
}

// asOneRun sets diagnostics for replicates without standard errors, with log Zhat z, as if they were the chains or the
// islands of one run. seMethod is the kind of standard error of one run.
func (r *Report) asOneRun(z []float64, seMethod string) {
	w := stats.LogWeights(z)
	put := func(name diag.Number, x float64) {
		if num.Finite(x) {
			r.Diagnostics[name] = Number(x)
		}
	}
	switch seMethod {
	case estimators.SEDelta:
		put(estimators.DiagESS, w.ESS)
		put(estimators.DiagVarLogWeight, w.VarLog)
		if !IsNumber(r.Lower) {
			r.Lower = Number(w.Lower) // as for the chains of one run
		}
		r.Flags = slices.DeleteFunc(r.Flags, func(f diag.Flag) bool { return f == estimators.FlagSingleChain })
	case estimators.SEIslands:
		put(estimators.DiagIslands, float64(len(z)))
		put(estimators.DiagIslandsSD, math.Sqrt(w.VarLog))
	}
}

// dropOneWeight removes the error bar if a single weight, or one of several runs, dominates the result
// (estimators.Result.OneWeight), and reports whether it did. The hash is computed before the removal of error bars
// shorter than 1: it contains them.
func (r *Report) dropOneWeight(runs []*estimators.Result) (ok bool) {
	combined := *runs[0]
	if len(runs) > 1 { // the runs are treated as islands
		combined.Islands, combined.SE = nil, float64(r.SE)
		for _, run := range runs {
			combined.Islands = append(combined.Islands, run.LogZ)
		}
	}
	alone, whole := combined.OneWeight()
	if !alone {
		return false
	}
	if whole {
		r.dropBars(1 - 1e-6)
	}
	r.sealedHash = r.hash()
	r.dropBars(estimators.SEOfFewWeights)
	return true
}

// finalHash returns the hash of a finished report.
func (r *Report) finalHash() string { return cmp.Or(r.sealedHash, r.hash()) }

// hash returns the first 8 bytes of SHA-256 over the link and the bits of the numbers listed in site/docs/contract.md, in
// hexadecimal. Every number that is null in JSON has the bits of the same NaN.
func (r *Report) hash() string {
	b := []byte(r.Link)
	put := func(x Number) {
		bits := math.Float64bits(float64(x))
		if !IsNumber(x) {
			bits = 0x7FF8000000000000
		}
		b = binary.LittleEndian.AppendUint64(b, bits)
	}

	// The estimate, the ladder, stages, replicates, and the estimates of auto's other strategies.
	for _, x := range []Number{r.LogZ, r.SE, r.Lower, r.Upper} {
		put(x)
	}
	for _, k := range r.Ladder {
		put(Number(k.Beta))
		put(Number(k.LogZ))
		put(Number(k.SE))
	}
	for _, s := range r.Stages {
		put(Number(s.N))
		put(Number(s.LogZ))
		put(Number(s.R))
		put(Number(s.ESS))
		put(Number(s.Gamma))
	}
	for i := range r.Replicates {
		put(r.Replicates[i])
	}
	for _, name := range []diag.Number{estimators.DiagLogZOther, estimators.DiagLogZOtherSE, estimators.DiagLogZGrown,
		estimators.DiagLogZGrownSE, estimators.DiagLogZFirst, estimators.DiagLogZFirstSE} {
		if x, ok := r.Diagnostics[name]; ok {
			put(x)
		}
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// dropBars removes the error bar, and the error bars of rungs that are longer than from and at most 1 (up to rounding).
func (r *Report) dropBars(from float64) {
	r.SE = NaN
	for k := range r.Ladder {
		if se := r.Ladder[k].SE; se > from && se < 1+1e-6 {
			r.Ladder[k].SE = math.NaN()
		}
	}
}

// FlagUseless reports that the result was dropped because its error bar was too long.
var FlagUseless = diag.NewFlag("no_number",
	"The error bar was longer than 20 nats, so log Z may be anything and no number is given.")

// maxUsefulSE is the standard error (nats) above which the result is dropped, as it says nothing about log Z.
const maxUsefulSE = 20

// dropUseless drops log Z if its error bar is too long to be useful, and reports whether it did.
func (r *Report) dropUseless() (ok bool) {
	if ok = float64(r.SE) > maxUsefulSE; ok {
		r.LogZ, r.SE = NaN, NaN
	}
	return ok
}
