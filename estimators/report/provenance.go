package report

import (
	"slices"

	"logzlab/estimators"
	"logzlab/models"
)

// provenance returns the parts that the result depends on. A sequence that is not made from samples takes the order of
// its units, and the effect of absent ones, from the base.
func (r *Report) provenance() estimators.Provenance {
	info := r.info()
	if absent, ok := r.Spec.Params["absent"]; ok && absent != models.Sampled {
		return info.Provenance | estimators.FromBase
	}
	return info.Provenance
}

// info returns the method behind the result: the growing method if auto's sequential check replaced the estimate.
func (r *Report) info() *estimators.Info {
	info, _ := r.names.Method(r.Method)
	if r.byGrowing() && info.Grower != nil {
		return info.Grower
	}
	return info
}

// byGrowing reports whether the result of auto is from its sequential check.
func (r *Report) byGrowing() bool { return slices.Contains(r.Flags, estimators.FlagByGrowing) }
