package forming

import (
	"logzlab/core/spec"
	"logzlab/estimators"
)

// ARM is adaptive resample-move ([ARM] Algorithm 2): the
// particles of a stage are moved, and while the effective sample size of their
// weights W is below gamma of their number, more of them are generated. Without moves
// copies would only repeat their sources, so none are made: it is resample-move then.
var ARM = armInfo("arm", "ARM", "adaptive", "3",
	"Adaptive resample-move: particles grow unit by unit, and where their weights are uneven, copies of them are "+
		"moved on and join them.",
	estimators.OnStages, (*lane).copyBatch, 1, true)

// ARMAnticipate copies the particles that the next stage will favour.
var ARMAnticipate = armInfo("arm-anticipate", "ARM-anticipate", "looks ahead", "3",
	"ARM that, where weights are uneven, adds more copies of the particles that the next stage will favour.",
	estimators.OnStages, (*lane).anticipate, 2, true,
	estimators.YesNoParam("extra_copies", "Whether a promising particle gets one copy more than its share."))

// ARMReseed draws new particles.
var ARMReseed = armInfo("arm-reseed", "ARM-reseed", "starts anew", "2",
	"ARM that, where weights are uneven, adds new particles, started from data and moved for long.",
	estimators.OnStages|estimators.FromData|estimators.FromBase, (*lane).fresh, 1, false,
	estimators.IntParam("reseed_sweeps", "100", 1, 1e5, "Kernel applications to each new particle."))

// armInfo describes a method whose rule generates at most batch R particles at once: copies, which must be moved, or
// new ones. more are parameters of what is generated.
func armInfo(name, label, short, iMax, about string, from estimators.Provenance, rule batchRule, batch int,
	copies bool, more ...spec.Param) estimators.Info {
	generating := append([]spec.Param{
		estimators.ParamIMax(iMax),
		estimators.YesNoParam("discard_initial",
			"Whether the first particles of a stage are dropped when more are generated, as the paper's listing does."),
	}, more...)

	// Parameters without use where no particles are generated or moved.
	for i, p := range generating {
		if i > 0 {
			p = p.Unless("gamma", "0").Unless("i_max", "0")
		}
		if copies {
			p = p.Unless("moves", "0")
		}
		generating[i] = p
	}

	// The description, and how a run is made.
	return estimators.Info{Name: name, Label: label, Short: short, About: about, Path: estimators.Sequential,
		Provenance: from,
		Checks:     generatingChecks,
		Params: append([]spec.Param{
			paramParticles, paramIslands, paramMoves,
			estimators.ParamGamma, estimators.ParamESSOfGamma, generating[0], estimators.ResampleParam, paramAbsent,
		}, generating[1:]...),
		New: func(c estimators.Config) (estimators.Method, error) {
			f, err := newFormer(c, name)
			if err != nil {
				return nil, err
			}
			if copies && f.Moves == 0 {
				f.IMax = 0
			}
			f.mean, f.rule, f.most = true, rule, float64(1+batch*f.IMax)
			return f.advise(f.onSamples(f))
		}}
}
