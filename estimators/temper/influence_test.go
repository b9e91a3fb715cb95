package temper

import (
	"math"
	"testing"

	"logzlab/core/diag"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
	"logzlab/internal/methodtest"
)

// Stuck chains have batches that agree, and differ from each other. The error is then between chains, and a check
// fails. If chains differ by no more than batches do, the error is within chains.
func TestStuckChains(t *testing.T) {
	const chains, batches = 40, 5
	rec := &Record{Model: script{}, Ladder: []float64{0, 1}, SEMethod: estimators.SEFixedBatches}
	for _, stuck := range []bool{true, false} {
		var rows mbar.Influence
		for c := range chains {
			for b := range batches {
				u := .01 * float64(1-c%2*2) // of all batches of a chain
				if !stuck {
					u = .01 * float64([]int{2, -1, 0, 1, -2}[b])
				}
				rows = append(rows, []float64{0, u})
			}
		}
		res := rec.fromRows([]float64{0, 1}, rows, rows.ByChain(batches))
		method, want, ok := estimators.SEFixedBatches, .01*math.Sqrt(chains*10*200./199), true
		if stuck {
			method, want, ok = estimators.SEFixed, .05*math.Sqrt(chains*40./39), false
		}
		methodtest.Near(t, "error", res.SE, want, 1e-12)
		if res.SEMethod != method {
			t.Errorf("stuck %v: the error is %s", stuck, res.SEMethod)
		}
		facts := estimators.Facts{Number: func(n diag.Number) float64 { return res.Diagnostics[n] }}
		if f, _ := checkApart.Judge(facts); f.OK != ok {
			t.Errorf("stuck %v: %+v", stuck, f)
		}
	}
}
