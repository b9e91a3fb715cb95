package report

import (
	"slices"

	"logzlab/estimators"
	"logzlab/models"
)

// provenance returns the elements of the algorithm behind the result. Methods that add units one by one also depend on the
// base, for the order of the units and the effect of absent ones, unless the sequence is made from samples.
func (r *Report) provenance() estimators.Provenance {
	info := r.info()
	if absent, ok := r.Spec.Params["absent"]; ok && absent != models.Sampled {
		return info.Provenance | estimators.FromBase
	}
	return info.Provenance
}

// info returns the method that made the estimate: resample-move if it replaced the estimate of auto, else the method of
// the report.
func (r *Report) info() *estimators.Info {
	info, _ := r.names.Method(r.Method)
	if r.isByGrowing() && info.GrowingMethod != nil {
		return info.GrowingMethod
	}
	return info
}

// isByGrowing reports whether resample-move, a method that grows the model, made the estimate of auto.
func (r *Report) isByGrowing() bool { return slices.Contains(r.Flags, estimators.FlagByGrowing) }
