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

// programBudget is the planned time, in nanoseconds, that auto gives a program in all: as long as a user waits for the
// wanted error of a default run, and longer for a smaller one. Chains may be slow in a program of any shape, and what
// they find by then gets the verdict that it deserves. Other models may take any time.
func programBudget(c estimators.Config) float64 {
	if _, program := c.Model.(models.NearBase); !program {
		return math.Inf(1)
	}
	times := max(1, autoTarget/c.Target)
	return num.Mul(programWork*times, times)
}

// endlessWork is the planned time, in nanoseconds, of a run on a target whose integral is infinite.
const endlessWork = 2e8

// endless reports whether the integral of a model's target is infinite, as far as numbers tell: then no error bar is
// worth any work, and the verdict is stop whatever chains find.
func endless(m models.Model) bool {
	e, ok := m.(models.Ending)
	if !ok {
		return false
	}
	slope, _ := e.Endless()
	return slope > models.EndlessTail
}

// worthwhile is how many runs of so much work a budget has, 0 for any number.
func worthwhile(budget, work float64) int {
	if math.IsInf(budget, 1) {
		return 0
	}
	return clamped(math.Floor(models.Rough(budget/work)), 1, spec.MaxReplicates)
}

// mostSweeps is how many sweeps of the main run the limit and a budget of sweeps have.
func mostSweeps(c estimators.Config, budget float64) float64 {
	most := math.Inf(1)
	if c.Limit > 0 {
		spent := float64(autoPilot * (len(autoLadder(c.Model)) - 2))
		if c.Fitted {
			spent += spent + estimators.BaseChains*estimators.BaseSweeps
		}
		most = max(c.Limit-spent, 1) / (1 + autoOpinion)
	}
	return min(most, budget/(1+autoOpinion))
}
