package report

import (
	"testing"

	"logzlab/core/diag"
	"logzlab/models"
)

// A search that ends at very many modes is no trust: there may be more, and chains hardly pass between them.
func TestManyModesAreCaution(t *testing.T) {
	t.Parallel()
	for modes, ok := range map[Number]bool{1: true, models.MostModes: true, models.MostModes + 1: false} {
		r := &Report{Diagnostics: map[diag.Number]Number{models.DiagModes: modes}}
		if c := r.ofSearch(60); c.OK != ok || c.Bad {
			t.Errorf("%v modes: %+v", modes, c)
		}
	}
}
