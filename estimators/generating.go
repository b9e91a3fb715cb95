package estimators

import (
	"fmt"
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
)

// Parameters of methods that generate more particles if the weights are uneven ([ARM] Algorithm 2).
var (
	ParamGamma = FloatParam("gamma", "0.7", 0, 1,
		"Ratio of effective sample size to particles below which more particles are generated.")
	ParamESSOfGamma = FloatParam("ess", "-1", -1, 1, "Ratio below which particles are resampled; -1 means gamma.")
)

// ParamIMax returns the parameter i_max. It is not inlined, as it fills package variables: see RATIONALE.md.
//
//go:noinline
func ParamIMax(most string) spec.Param {
	return IntParam("i_max", most, 0, 1000, "Largest number of batches generated at one stage.").Unless("gamma", "0")
}

// PlannedBatches is the fraction of the allowed batches that the planned time counts. How many a run generates is known
// only afterwards.
const PlannedBatches = .1

// minParticles is the number of particles from which methods that generate more particles are trusted: on rbm-cd25-500
// log Z is 0.43 nats low at R = 100, 0.10 at 1,000.
const minParticles = 200

// CheckParticles and CheckCutShort are the checks of these methods.
var (
	CheckParticles = Check{Name: "Particles",
		Means: "Particles are added until the weights look even. With few particles this choice alone moves log Z by " +
			"more than the error bar.",
		Do: "Use more particles.",
		Judge: func(f Facts) (Finding, bool) {
			n := f.Values.Int("particles")
			return Finding{Value: float64(n), Text: fmt.Sprint(n),
				Needs: fmt.Sprintf("≥ %d", minParticles), OK: n >= minParticles}, true
		}}
	CheckCutShort = Check{Name: "Generating cut short",
		Means: "At many stages i_max batches were not enough to even the weights.",
		Do:    "Raise i_max, or use more particles.",
		Judge: JudgeNumber(DiagIMaxShare, func(share float64) Finding {
			return Finding{Text: FormatAgainst(100*share, 10, 0) + " %", Needs: "≤ 10 %", OK: share <= .1}
		})}
)

// MeanOfLogs returns the mean of log Zhat (nats) over islands that generate particles, and its standard error. More
// particles are generated if the first ones happen to have uneven weights, so averages over all of them are biased
// down. The first particles alone were not selected by weights, so they reveal the bias: moved is the shift of each log
// Zhat by the later ones. The error includes the mean shift; log Z itself is not shifted, as this would add noise.
func MeanOfLogs(z, moved []float64) (mean, se float64) {
	mean, v := stats.MeanVar(z)
	bias, _ := stats.MeanVar(moved)
	return mean, math.Sqrt(v/float64(len(z)) + num.Mul(bias, bias))
}
