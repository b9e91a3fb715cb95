package auto

import (
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// evenWork is the planned time of a run from the even base, in nanoseconds, up to which auto starts there.
const evenWork = 1e9

// evenShare is the share of evenWork that the pilot of the even base may take. A machine on which the pilot takes more
// is too large for the even base: on 784 x 500 units the pilot was a tenth of the whole run, in vain.
const evenShare = .1

// workEven marks the rounds of its pilot (estimators.WorkRefit).
const workEven estimators.Work = 1 << 13

// withEven is a run from the even base of a model where that costs little, and else from a base that is fitted to rough
// samples. The fitted base makes the path of trained machines many times shorter. But its samples come from chains, and
// where these miss a mode, the base all but excludes the mode, and later chains miss it for the same reason. From the
// even base no state is farther than others. A pilot tells what its path costs.
func withEven(c estimators.Config) (estimators.Method, error) {
	m, ok := c.Model.(models.Evened)
	if !ok || !m.Refits() {
		return estimators.AfterFit(c, piloted)
	}

	// The run from the even base, if cheap enough.
	even, taken := c, false
	even.Model, even.Fitted, even.PathStats = m.Evenly(), true, guessed
	ladder := autoLadder(even.Model)
	if cheapest, _ := planAuto(even); autoPilot*float64(len(ladder))*cheapest.each > evenShare*evenWork {
		return estimators.AfterFit(c, piloted)
	}

	// The pilot's costs decide between the two bases.
	even.Key[1] += 3 // the pilot of the fitted base and its samples have the keys between
	run, err := anneal.AfterPilot(even, autoPilot, ladder, guessed,
		func(found estimators.Config) (estimators.Method, error) {
			found.Key = c.Key
			annealing, tempering := planAuto(found)
			if taken = min(annealing.cost(), tempering.cost()) <= evenWork; taken {
				return newAuto(found)
			}
			return estimators.AfterFit(c, piloted)
		})
	if err != nil {
		return nil, err
	}

	// The result has a flag where the even base was taken.
	run.Mark = workEven
	path := run.AddDiagnostics
	run.AddDiagnostics = func(r *estimators.Result) {
		if taken {
			path(r)
			r.Flag(estimators.FlagEven)
		}
	}
	return run, nil
}
