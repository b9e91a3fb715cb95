package auto

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/models"
)

// programWork is the planned time (ns) that auto gives a program in all for the error of a default run.
const programWork = 4e10

// programBudget returns the planned nanoseconds that auto gives a program in all: programWork, or more in proportion to
// 1/error^2 if the wanted error is smaller than the default. Chains may mix slowly in any program, so a run may end
// with a longer error bar than wanted. For other models the budget is infinite.
func programBudget(c estimators.Config) float64 {
	if models.CapabilitiesOf(c.Model).Base.Prefitted == nil {
		return math.Inf(1)
	}
	ratio := max(1, defaultTarget/c.Target)
	return num.Mul(programWork*ratio, ratio)
}

// infiniteWork is the planned time (ns) of a run on a target whose integral is infinite.
const infiniteWork = 2e8

// infiniteIntegral reports whether the integral of a model's target is infinite, as far as floating-point numbers show.
// Then the verdict is stop whatever chains find, so they get little time.
func infiniteIntegral(m models.Model) bool {
	endless := models.CapabilitiesOf(m).Search.TailSlope
	if endless == nil {
		return false
	}
	slope, _ := endless()
	return slope > models.InfiniteTail
}

// affordableRuns returns how many runs of the given work fit into a budget, at least 1; 0 means any number.
func affordableRuns(budget, work float64) int {
	if math.IsInf(budget, 1) {
		return 0
	}
	return ceilWithin(math.Floor(models.RoundTime(budget/work)), 1, spec.MaxReplicates)
}

// sweepBudget returns the number of sweeps of the main run: the given budget or, if it is less, the part of the user's
// limit that remains after the pilot, both without the share of the second opinion.
func sweepBudget(c estimators.Config, budget float64) float64 {
	limit := math.Inf(1)
	if c.SweepLimit > 0 {
		pilotSweeps := float64(pilotChains * (len(autoLadder(c.Model)) - 2))
		if c.BaseFitted {
			pilotSweeps += pilotSweeps + estimators.BaseChains*estimators.BaseSweeps
		}
		limit = max(c.SweepLimit-pilotSweeps, 1) / (1 + opinionShare)
	}
	return min(limit, budget/(1+opinionShare))
}
