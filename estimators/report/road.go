package report

import (
	"slices"

	"logzlab/estimators"
)

// provenance is that of the road that the number came by.
func (r *Report) provenance() estimators.Provenance {
	if r.formed() {
		return estimators.OnStages
	}
	info, _ := r.names.Method(r.Method)
	return info.Provenance
}

// formed reports whether the number of auto is that of its third road.
func (r *Report) formed() bool { return slices.Contains(r.Flags, estimators.FlagFormed) }
