package auto

import (
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// maxUniformWork is the planned time (ns) of a run from the uniform distribution up to which auto starts there.
const maxUniformWork = 1e9

// uniformPilotShare is the share of maxUniformWork that the pilot from the uniform distribution may take. If it would
// take more, the run would cost too much as well: on 784 x 500 units the pilot was a tenth of the whole run, for
// nothing.
const uniformPilotShare = .1

// workUniform marks the rounds of this pilot (estimators.WorkRefit).
const workUniform estimators.Work = 1 << 13

// withUniformBase returns a run from the uniform distribution over states (models.Base) if a pilot finds that its path
// costs little, else from a base that is fitted to preliminary samples. The fitted base makes the path of trained RBMs
// many times shorter. But if the chains behind its samples miss a mode, the base has almost no mass there, and later
// chains miss the mode, too.
func withUniformBase(c estimators.Config) (estimators.Method, error) {
	uniform := models.CapabilitiesOf(c.Model).Base.Uniform
	if uniform == nil {
		return estimators.AfterFit(c, piloted)
	}

	// The pilot alone may cost too much.
	even, taken := c, false
	even.Model, even.Fitted, even.PathStats = uniform(), true, assumedPath
	ladder := autoLadder(even.Model)
	if cheapest, _ := planAuto(even); pilotChains*float64(len(ladder))*cheapest.unitTime > uniformPilotShare*maxUniformWork {
		return estimators.AfterFit(c, piloted)
	}

	even.Key[1] += 3 // the pilot of the fitted base and its samples use the keys in between
	run, err := anneal.AfterPilot(even, pilotChains, ladder, assumedPath,
		func(found estimators.Config) (estimators.Method, error) {
			found.Key = c.Key
			annealing, tempering := planAuto(found)
			if taken = min(annealing.cost(), tempering.cost()) <= maxUniformWork; taken {
				return newAuto(found)
			}
			return estimators.AfterFit(c, piloted)
		})
	if err != nil {
		return nil, err
	}

	// A result from the uniform distribution has a flag and the diagnostics of its path.
	run.Mark = workUniform
	path := run.AddDiagnostics
	run.AddDiagnostics = func(r *estimators.Result) {
		if taken {
			path(r)
			r.Flag(estimators.FlagUniformBase)
		}
	}
	return run, nil
}
