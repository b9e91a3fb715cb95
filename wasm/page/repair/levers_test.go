package repair

import (
	"slices"
	"testing"

	"logzlab/estimators/catalog"
)

// Levers belong to checks that exist, and pull parameters that some method or model has.
func TestLeversExist(t *testing.T) {
	names := []string{"An error bar", "Bars that held", "Bars off the truth", "Distance to the truth", "A second opinion",
		"Floor of log Z", "Ceiling of log Z", "The wanted error bar"}
	params := []string{"replicates", "method", "limit"}
	for _, m := range catalog.Methods {
		for _, c := range m.Checks {
			names = append(names, c.Name)
		}
		for _, q := range append(slices.Clone(m.Params), catalog.Kinds.Params("")...) {
			params = append(params, q.Name)
		}
	}
	for name, all := range levers {
		for _, l := range all {
			if !slices.Contains(names, name) || !slices.Contains(params, l.param) {
				t.Errorf("%q, %q does not exist", name, l.param)
			}
		}
	}
}
