package temper

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
)

// SteppingStone is stepping-stone sampling ([Xie2011]): the samples of one rung are weighed under its neighbour. For
// neighbouring rungs j, k = j+1 with samples the rise log Z_k - log Z_j is
//
//	forward    log of the mean of f_k/f_j over the samples of j     too low, as the log of a mean of few weights
//	backward   -log of the mean of f_j/f_k over the samples of k    too high for the same reason
//	both       their mean (the default)
//
// summed over the ladder. To first order the biases are v_j/2n_j and v_k/2n_k, where v is the variance of the weights
// over their mean. They are nearly equal for neighbours, so the mean of both directions has almost no bias, of either
// sign, and it uses every sample twice. The gap between the directions bounds it: check "Both directions". Rungs
// without samples are skipped, and a rung beyond the last one with samples is weighed from that one. The error bar is
// the spread of whole rows, summed over the ladder, as for bar.
var SteppingStone = estimators.Info{
	Name: "stepping-stone", Label: "Stepping stone", Short: "steps weighed", Path: estimators.Tempered,
	Provenance: estimators.OnRungs,
	About: "Stepping-stone sampling: the samples of each rung are weighed under the next one, and those of the next one " +
		"back again; the logs of the mean weights add up along the ladder.",
	Params: estimators.Appended(Run.Params, paramSamples, paramDirection),
	Checks: estimators.Appended(sampleChecks, checkDirections), Overlaps: true,
	Reads: &Reader{Needs: []*Statistic{Conditionals, Overlap, ThinnedSamples}, Read: readSteppingStone,
		Fit: &Fit{mbar.FitSteppingStone, func(n, _ float64) float64 { return 200 * n }}},
}

var paramDirection = spec.Param{Name: "direction", Type: "choice", Default: "both",
	Choices: []string{"both", "forward", "backward"},
	Help: "Which samples are weighed: those of the hotter rung of each step (forward, too low), of the colder one " +
		"(backward, too high), or the mean of both."}

var checkDirections = estimators.Check{Name: "Both directions",
	Meaning: "Steps up and down the ladder differ by far more than chance: the rungs are too far apart for mean weights.",
	Advice:  "Use more temperatures or sweeps, or bar.",
	Judge: func(f estimators.Facts) (estimators.Finding, bool) {
		gap := f.Number(estimators.DiagLogZReverse) - f.Number(estimators.DiagLogZForward)
		limit := max(.1, 2*f.SE)
		return estimators.Finding{Value: gap, Text: estimators.FormatAgainst(gap, math.Copysign(limit, gap), 2) + " nats",
				Needs: "± " + format.Fixed(limit, 2), OK: math.Abs(gap) <= limit, Bad: math.Abs(gap) > max(3, 10*f.SE)},
			num.NotNaN(gap) && num.NotNaN(limit)
	}}

// readSteppingStone reads one or both directions of a fit. The fit holds log Z and the influences of rows, forward
// first, then backward.
func readSteppingStone(t *Record, v spec.Values) *estimators.Result {
	if t.Fit == nil {
		return t.fitResult()
	}
	k := len(t.Ladder)
	mean := func(x []float64, back float64) []float64 {
		out := make([]float64, k)
		for i := range out {
			if out[i] = num.Mul(1-back, x[i]) + num.Mul(back, x[k+i]); !num.Finite(out[i]) {
				out[i] = math.NaN()
			}
		}
		return out
	}
	read := func(back float64) *estimators.Result {
		one, fit := *t, *t.Fit
		fit.Z, fit.Parts = mean(fit.Z, back), nil
		for _, row := range t.Fit.Parts {
			fit.Parts = append(fit.Parts, mean(row, back))
		}
		one.Fit = &fit
		return one.fitResult()
	}

	// The chosen direction, or the mean of both.
	res, ahead, back := read(.5), read(0), read(1)
	var p struct {
		Direction string `param:"direction"`
	}
	v.Fill(&p)
	switch p.Direction {
	case "forward":
		res, ahead.Bias = ahead, "down"
	case "backward":
		res, back.Bias = back, "up"
	}
	res.Diagnose(estimators.DiagLogZForward, ahead.LogZ)
	res.Diagnose(estimators.DiagLogZForwardSE, ahead.SE)
	res.Diagnose(estimators.DiagLogZReverse, back.LogZ)
	res.Diagnose(estimators.DiagLogZReverseSE, back.SE)
	return res
}
