package resamplemove

import (
	"logzlab/core/spec"
	"logzlab/estimators"
)

// ARM is adaptive resample-move ([ARM] Algorithm 2). The particles of a stage are moved; while the effective sample
// size of their weights is below gamma times their number, a moved copy of them is added. Without moves (moves = 0)
// copies would repeat their sources, so none are made and ARM is RM.
var ARM = armInfo("arm", "ARM", "adaptive", "3",
	"Adaptive resample-move: particles grow unit by unit, and where their weights are uneven, copies of them are "+
		"moved on and join them.",
	estimators.OnStages, (*lane).copyBatch, 1, true)

// ARMAnticipate is ARM that adds more copies of the particles with large weights at the next stage ([ARM] section 3.2).
var ARMAnticipate = armInfo("arm-anticipate", "ARM-anticipate", "looks ahead", "3",
	"ARM that, where weights are uneven, adds more copies of the particles that the next stage will favour.",
	estimators.OnStages, (*lane).anticipate, 2, true,
	estimators.YesNoParam("extra_copies", "Whether a promising particle gets one copy more than its share."))

// ARMReseed is ARM that adds new particles, drawn independently of the others, in place of copies ([ARM] section 3.2).
var ARMReseed = armInfo("arm-reseed", "ARM-reseed", "starts anew", "2",
	"ARM that, where weights are uneven, adds new particles, started from data and moved for long.",
	estimators.OnStages|estimators.FromData|estimators.FromBase, (*lane).fresh, 1, false,
	estimators.IntParam("reseed_sweeps", "100", 1, 1e5, "Kernel applications to each new particle."))

// armInfo describes a variant of ARM. rule chooses the particles of a batch, at most batch times R of them; copies
// reports whether they are copies, which must be moved. more are the parameters of the rule.
func armInfo(name, label, short, iMax, about string, from estimators.Provenance, rule batchRule, batch int,
	copies bool, more ...spec.Param) estimators.Info {
	generating := append([]spec.Param{
		estimators.ParamIMax(iMax),
		estimators.YesNoParam("discard_initial",
			"Whether the first particles of a stage are dropped when more are generated, as the paper's listing does."),
	}, more...)

	// These parameters have no effect if no particles are generated or moved.
	for i, p := range generating {
		if i > 0 {
			p = p.Unless("gamma", "0").Unless("i_max", "0")
		}
		if copies {
			p = p.Unless("moves", "0")
		}
		generating[i] = p
	}

	return estimators.Info{Name: name, Label: label, Short: short, About: about, Path: estimators.Sequential,
		Provenance: from,
		Checks:     generatingChecks,
		Params: append([]spec.Param{
			paramParticles, paramIslands, paramMoves,
			estimators.ParamGamma, estimators.ParamESSOfGamma, generating[0], estimators.ResampleParam, paramAbsent,
		}, generating[1:]...),
		New: func(c estimators.Config) (estimators.Method, error) {
			f, err := newResampleMove(c, name)
			if err != nil {
				return nil, err
			}
			if copies && f.Moves == 0 {
				f.IMax = 0
			}
			f.mean, f.rule, f.maxGrowth = true, rule, float64(1+batch*f.IMax)
			return f.withOpinion(f.beginWithSamples(f))
		}}
}
