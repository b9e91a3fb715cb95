package auto

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/models"
)

// programWork is the planned time, in nanoseconds, that auto gives a program in all for the error of a default run.
const programWork = 4e10

// programBudget returns the planned nanoseconds that auto gives a program in all: programWork, or more in proportion to
// 1/error^2 where the wanted error is smaller than the default. Chains may mix slowly in any program, so a run may end
// with a longer error bar than wanted. Other models may take any time.
func programBudget(c estimators.Config) float64 {
	if models.Can(c.Model).Base.Prefitted == nil {
		return math.Inf(1)
	}
	ratio := max(1, defaultTarget/c.Target)
	return num.Mul(programWork*ratio, ratio)
}

// infiniteWork is the planned time, in nanoseconds, of a run on a target whose integral is infinite.
const infiniteWork = 2e8

// infiniteIntegral reports whether the integral of a model's target is infinite, as far as floating-point numbers
// tell. Then the verdict is stop whatever chains find, so they get little time.
func infiniteIntegral(m models.Model) bool {
	endless := models.Can(m).Search.TailSlope
	if endless == nil {
		return false
	}
	slope, _ := endless()
	return slope > models.InfiniteTail
}

// affordableRuns returns how many runs of this work fit in a budget, at least 1; 0 for an infinite budget: any number.
func affordableRuns(budget, work float64) int {
	if math.IsInf(budget, 1) {
		return 0
	}
	return ceilWithin(math.Floor(models.RoundTime(budget/work)), 1, spec.MaxReplicates)
}

// sweepBudget returns how many sweeps the main run may make: a budget of sweeps or, if it is less, what the user's
// limit leaves after the pilot, both less the share of the second opinion.
func sweepBudget(c estimators.Config, budget float64) float64 {
	limit := math.Inf(1)
	if c.Limit > 0 {
		pilotSweeps := float64(pilotChains * (len(autoLadder(c.Model)) - 2))
		if c.Fitted {
			pilotSweeps += pilotSweeps + estimators.BaseChains*estimators.BaseSweeps
		}
		limit = max(c.Limit-pilotSweeps, 1) / (1 + opinionShare)
	}
	return min(limit, budget/(1+opinionShare))
}
