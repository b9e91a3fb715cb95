package report

import (
	"math"

	"logzlab/core/format"
	"logzlab/estimators"
)

// CompareWithTracked adds a check that compares log Z of a trained RBM with the estimate logz, with standard error se
// (nats), that was tracked during training and belongs to the same weights.
func (r *Report) CompareWithTracked(logz, se float64) {
	difference := math.Abs(float64(r.LogZ) - logz)
	limit := max(opinionBars*math.Hypot(float64(r.SE), se), opinionFloor)
	if r.Verdict != nil && IsNumber(Number(difference)) && IsNumber(Number(limit)) {
		r.addCheck(VerdictCheck{Name: "What was followed", Value: Number(difference), Text: estimators.FormatAgainst(difference, limit, 2) + " nats",
			Needs: "≤ " + format.Fixed(limit, 2), OK: difference <= limit,
			Meaning: "Log Z as tracked during training differs much from log Z of the finished model.",
			Advice:  "Follow with more chains and sweeps, and run another method on the file."})
	}
}
