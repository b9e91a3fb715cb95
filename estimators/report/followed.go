package report

import (
	"math"

	"logzlab/core/format"
	"logzlab/estimators"
)

// CompareWithTracked compares log Z of a trained RBM with the log Z that was followed during training, for the same
// weights.
func (r *Report) CompareWithTracked(logz, se float64) {
	off := math.Abs(float64(r.LogZ) - logz)
	limit := max(opinionBars*math.Hypot(float64(r.SE), se), opinionFloor)
	if r.Verdict != nil && IsNumber(Number(off)) && IsNumber(Number(limit)) {
		r.addCheck(VerdictCheck{Name: "What was followed", Value: Number(off), Text: estimators.FormatAgainst(off, limit, 2) + " nats",
			Needs: "≤ " + format.Fixed(limit, 2), OK: off <= limit,
			Means: "Log Z as tracked during training differs much from log Z of the finished model.",
			Do:    "Follow with more chains and sweeps, and run another method on the file."})
	}
}
