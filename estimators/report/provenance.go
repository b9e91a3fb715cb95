package report

import (
	"slices"

	"logzlab/estimators"
	"logzlab/models"
)

// provenance is what the number depends on. A sequence that is not made from samples takes the order of its units, and
// what absent ones are, from the base.
func (r *Report) provenance() estimators.Provenance {
	info := r.info()
	if absent, ok := r.Spec.Params["absent"]; ok && absent != models.Sampled {
		return info.Provenance | estimators.FromBase
	}
	return info.Provenance
}

// info is the method that the number is of: of auto's sequential check, that which formed the model.
func (r *Report) info() *estimators.Info {
	info, _ := r.names.Method(r.Method)
	if r.formed() && info.Grower != nil {
		return info.Grower
	}
	return info
}

// formed reports whether the number of auto is that of its sequential check.
func (r *Report) formed() bool { return slices.Contains(r.Flags, estimators.FlagByGrowing) }
