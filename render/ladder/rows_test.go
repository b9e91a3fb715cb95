package ladder

import (
	"math"
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
)

// TestRowsWithExactValues checks a long ladder with exact values at every twentieth rung and at its ends: all rows
// show such rungs, evenly spaced.
func TestRowsWithExactValues(t *testing.T) {
	const rungs = 2000
	l := frame.Ladder{Method: "ais", Beta: make([]float64, rungs), LogZ: make([]float64, rungs),
		Exact: make([]float64, rungs)}
	for k := range rungs {
		l.Beta[k] = float64(k) / (rungs - 1)
		if l.LogZ[k], l.Exact[k] = 3*l.Beta[k], math.NaN(); k%20 == 0 || k == rungs-1 {
			l.Exact[k] = 3 * l.Beta[k]
		}
	}
	v := newLadder(rendertest.Area(704, 420, 1), &rendertest.StageWith(&frame.Frame{Method: "ais", Ladders: []frame.Ladder{l}}).Run, nil)
	if len(v.rows) < 10 || v.rows[0] != 0 || v.rows[len(v.rows)-1] != rungs-1 {
		t.Fatalf("rows %v", v.rows)
	}
	for i, k := range v.rows {
		even := float64(i) * (rungs - 1) / float64(len(v.rows)-1)
		if math.IsNaN(l.Exact[k]) || math.Abs(float64(k)-even) > 11 {
			t.Errorf("row %d shows rung %d, want about %.0f with an exact value", i, k, even)
		}
	}
}
