package report

import (
	"slices"

	"logzlab/estimators"
	"logzlab/models"
)

// provenance is what the number depends on. A sequence that is not made from samples takes the order of its units, and
// what absent ones are, from the base.
func (r *Report) provenance() estimators.Provenance {
	if r.formed() {
		return estimators.OnStages
	}
	info, _ := r.names.Method(r.Method)
	if absent, ok := r.Spec.Params["absent"]; ok && absent != models.Sampled {
		return info.Provenance | estimators.FromBase
	}
	return info.Provenance
}

// formed reports whether the number of auto is that of its third road.
func (r *Report) formed() bool { return slices.Contains(r.Flags, estimators.FlagFormed) }
