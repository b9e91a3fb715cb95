package estimators

import (
	"math"

	"logzlab/core/num/stats"
)

// Point is the estimate from a part of a run's work, in nats. Points tell how an estimate came about; they stand in no
// hash, and are the same on every machine.
type Point struct {
	Sweeps   float64 // as Result.Sweeps, of that part; of plain draws, which move nothing, their number
	LogZ, SE float64 // NaN where it cannot be had
}

// HistoryPoints is the greatest number of points of the history of a run as planned, the last of which is its result.
// One that grows (auto) has a few more.
const HistoryPoints = 24

// historyShare is the share of the work at point j, from 1: short at first, for axes of the logarithm of the work.
func historyShare(j int) float64 { return float64(j*j) / (HistoryPoints * HistoryPoints) }

// mostParts is the largest number of parts whose history is looked back at.
const mostParts = 100_000

// PartHistory is the history of a result that is made of parts: chains with weights, or islands. A point is the
// estimate from the first of them. nil where there are no parts, or too many.
func (r *Result) PartHistory() (out []Point) {
	parts, work := r.Islands, r.Sweeps
	if parts == nil {
		parts = r.Works
	}
	n := len(parts)
	if work == 0 {
		work = float64(n)
	}

	// The estimate of the first k parts.
	estimate := func(k int) (z, se float64) {
		if r.Islands != nil && r.Bias != "down" { // islands whose log Zhat are averaged
			mean, v := stats.MeanVar(parts[:k])
			return mean, math.Sqrt(v / float64(k))
		}
		w := stats.LogWeights(parts[:k])
		return w.LogMean, w.SE
	}

	// Too few parts, or too many, make no history.
	if n < 2 || n > mostParts {
		return nil
	}

	// Points on the way, shifted to end at the result.
	whole, _ := estimate(n)
	last := 0
	for j := 1; j < HistoryPoints; j++ {
		k := max(int(math.Ceil(historyShare(j)*float64(n))), j)
		if k == last || k >= n {
			continue
		}
		last = k
		z, se := estimate(k)
		if k < 2 {
			se = math.NaN()
		}
		out = append(out, Point{work * float64(k) / float64(n), z + (r.LogZ - whole), se})
	}
	return append(out, Point{work, r.LogZ, r.SE})
}

// HistoryStep tells whether the estimate after a sweep of n stands in the history of a run whose chains all move on
// together.
func HistoryStep(sweep, n int) bool {
	for j := 1; j < HistoryPoints; j++ {
		if int(math.Ceil(historyShare(j)*float64(n))) == sweep {
			return true
		}
	}
	return false
}
