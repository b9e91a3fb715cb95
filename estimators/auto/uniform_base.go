package auto

import (
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// auto starts from the uniform distribution if the planned time of that run is at most maxUniformTime (ns).
const maxUniformTime = 1e9

// uniformPilotShare is the share of maxUniformTime that the pilot from the uniform distribution may take. If the
// pilot takes longer, the run would be too slow anyway: for an RBM of 784 x 500 units such a useless pilot took a tenth
// of the whole run.
const uniformPilotShare = .1

// workUniform marks the rounds of the pilot from the uniform distribution, as estimators.RefitMark marks those of the
// refit.
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
	atUniform, startsUniform := c, false
	atUniform.Model, atUniform.BaseFitted, atUniform.PathStats = uniform(), true, assumedPath
	ladder := autoLadder(atUniform.Model)
	if cheapest, _ := planAuto(atUniform); pilotChains*float64(len(ladder))*cheapest.unitTime > uniformPilotShare*maxUniformTime {
		return estimators.AfterFit(c, piloted)
	}

	atUniform.Key[1] += 3 // the keys +1 and +2 are used by the pilot of the fitted base and by its samples
	run, err := anneal.AfterPilot(atUniform, pilotChains, ladder, assumedPath,
		func(found estimators.Config) (estimators.Method, error) {
			found.Key = c.Key
			annealing, tempering := planAuto(found)
			if startsUniform = min(annealing.cost(), tempering.cost()) <= maxUniformTime; startsUniform {
				return newAuto(found)
			}
			return estimators.AfterFit(c, piloted)
		})
	if err != nil {
		return nil, err
	}

	// A result from the uniform distribution has a flag and the diagnostics of its path.
	run.Mark = workUniform
	addPathDiagnostics := run.AddDiagnostics
	run.AddDiagnostics = func(r *estimators.Result) {
		if startsUniform {
			addPathDiagnostics(r)
			r.Flag(estimators.FlagUniformBase)
		}
	}
	return run, nil
}
