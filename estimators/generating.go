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

// ParamIMax returns the parameter i_max with the given default. It is not inlined, as it fills package variables: see
// RATIONALE.md.
//
//go:noinline
func ParamIMax(defaultBatches string) spec.Param {
	return IntParam("i_max", defaultBatches, 0, 1000, "Largest number of batches generated at one stage.").Unless("gamma", "0")
}

// PlannedBatches is the fraction of the allowed batches (i_max) that a run is assumed to generate when its time is planned;
// the true number is not known in advance.
const PlannedBatches = .1

// minParticles is the smallest number R of particles at which methods that generate more particles are trusted: on the
// model rbm-cd25-500 log Z is 0.43 nats low at R = 100, and 0.10 nats low at R = 1,000.
const minParticles = 200

// CheckParticles and CheckCutShort are checks of methods that generate more particles.
var (
	CheckParticles = Check{Name: "Particles",
		Meaning: "Particles are added until the weights look even. With few particles this choice alone moves log Z by " +
			"more than the error bar.",
		Advice: "Use more particles.",
		Judge: func(f Facts) (Finding, bool) {
			n := f.Values.Int("particles")
			return Finding{Value: float64(n), Text: fmt.Sprint(n),
				Needs: fmt.Sprintf("≥ %d", minParticles), OK: n >= minParticles}, true
		}}
	CheckCutShort = Check{Name: "Generating cut short",
		Meaning: "At many stages i_max batches were not enough to even the weights.",
		Advice:  "Raise i_max, or use more particles.",
		Judge: JudgeNumber(DiagIMaxShare, func(share float64) Finding {
			return Finding{Text: FormatAgainst(100*share, 10, 0) + " %", Needs: "≤ 10 %", OK: share <= .1}
		})}
)

// MeanOfLogs returns the mean of log Zhat (nats) over islands that generate particles, and its standard error. More
// particles are generated if the weights of the first ones happen to be uneven, so averages over all particles are biased
// down. The first particles alone give averages without this bias: shifts holds, for each island, log Zhat from all
// particles minus log Zhat from the first ones. The squared standard error is the squared standard error between islands
// plus the squared mean shift. The mean itself is not corrected by the shift, as this would add noise.
func MeanOfLogs(logZhat, shifts []float64) (mean, se float64) {
	mean, v := stats.MeanVar(logZhat)
	bias, _ := stats.MeanVar(shifts)
	return mean, math.Sqrt(v/float64(len(logZhat)) + num.Mul(bias, bias))
}
