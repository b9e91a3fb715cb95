package estimators

import (
	"fmt"
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
)

// Parameters of methods that generate more particles where weights are uneven ([ARM] Algorithm 2).
var (
	ParamGamma = FloatParam("gamma", "0.7", 0, 1,
		"Ratio of effective sample size to particles below which more particles are generated.")
	ParamESSOfGamma = FloatParam("ess", "-1", -1, 1, "Ratio below which particles are resampled; -1 means gamma.")
)

// ParamIMax makes the parameter i_max. It is not inlined, as it fills package variables: see RATIONALE.md.
//
//go:noinline
func ParamIMax(most string) spec.Param {
	return IntParam("i_max", most, 0, 1000, "Largest number of batches generated at one stage.").Unless("gamma", "0")
}

// PlannedBatches is the share of the batches that a run may generate which its planned time counts with: only the run
// shows how many it takes.
const PlannedBatches = .1

// leastParticles is how many particles methods that generate more of them need for trust: on rbm-cd25-500 log Z is 0.43
// nats low at R = 100, 0.10 at 1,000.
const leastParticles = 200

// CheckParticles and CheckCutShort are those of these methods.
var (
	CheckParticles = Check{Name: "Particles",
		Means: "Particles are added until the weights look even. With few particles this choice alone moves log Z by " +
			"more than the error bar.",
		Do: "Use more particles.",
		Judge: func(f Facts) (Finding, bool) {
			n := f.Values.Int("particles")
			return Finding{Value: float64(n), Text: fmt.Sprint(n),
				Needs: fmt.Sprintf("≥ %d", leastParticles), OK: n >= leastParticles}, true
		}}
	CheckCutShort = Check{Name: "Generating cut short",
		Means: "At many stages i_max batches were not enough to even the weights.",
		Do:    "Raise i_max, or use more particles.",
		Judge: JudgeNumber(DiagIMaxShare, func(share float64) Finding {
			return Finding{Text: Against(100*share, 10, 0) + " %", Needs: "≤ 10 %", OK: share <= .1}
		})}
)

// MeanOfLogs is the estimate of log Z (nats) from log Zhat of islands that generate particles, and its error. More
// particles are generated where the first ones happen to have heavy weights, so their average is too low; the first
// ones alone, which no weight has chosen, say by how much: moved is how far later ones have moved each log Zhat. Their
// mean is part of the error, for a log Z that is moved by it would be too noisy.
func MeanOfLogs(z, moved []float64) (mean, se float64) {
	mean, v := stats.MeanVar(z)
	bias, _ := stats.MeanVar(moved)
	return mean, math.Sqrt(v/float64(len(z)) + num.Mul(bias, bias))
}
