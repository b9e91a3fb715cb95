package auto

import (
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// maxEvenWork is the planned time of a run from the even base, in nanoseconds, up to which auto starts there.
const maxEvenWork = 1e9

// evenPilotShare is the share of maxEvenWork that the pilot of the even base may take. Where it would take more, the
// run from the even base would cost too much as well: on 784 x 500 units the pilot was a tenth of the whole run, in
// vain.
const evenPilotShare = .1

// workEven marks the rounds of its pilot (estimators.WorkRefit).
const workEven estimators.Work = 1 << 13

// withEven returns a run from the even base of a model (models.Base), which favours no state, if a pilot finds that
// its path costs little, and else from a base that is fitted to rough samples. The fitted base makes the path of
// trained machines many times shorter. But if the chains behind its samples miss a mode, the base has next to no mass
// there, and later chains miss the mode, too.
func withEven(c estimators.Config) (estimators.Method, error) {
	uniform := models.Can(c.Model).Base.Uniform
	if uniform == nil {
		return estimators.AfterFit(c, piloted)
	}

	// Even the pilot may cost too much.
	even, taken := c, false
	even.Model, even.Fitted, even.PathStats = uniform(), true, assumedPath
	ladder := autoLadder(even.Model)
	if cheapest, _ := planAuto(even); pilotChains*float64(len(ladder))*cheapest.unitTime > evenPilotShare*maxEvenWork {
		return estimators.AfterFit(c, piloted)
	}

	even.Key[1] += 3 // the pilot of the fitted base and its samples have the keys between
	run, err := anneal.AfterPilot(even, pilotChains, ladder, assumedPath,
		func(found estimators.Config) (estimators.Method, error) {
			found.Key = c.Key
			annealing, tempering := planAuto(found)
			if taken = min(annealing.cost(), tempering.cost()) <= maxEvenWork; taken {
				return newAuto(found)
			}
			return estimators.AfterFit(c, piloted)
		})
	if err != nil {
		return nil, err
	}

	// A result from the even base has a flag and the diagnostics of its path.
	run.Mark = workEven
	path := run.AddDiagnostics
	run.AddDiagnostics = func(r *estimators.Result) {
		if taken {
			path(r)
			r.Flag(estimators.FlagUniformBase)
		}
	}
	return run, nil
}
