package estimators

import (
	"math"

	"logzlab/core/num/stats"
)

// Point is the estimate (nats) from the first part of a run's work. Points show how an estimate developed with the work.
// They do not enter the hash of a report, but are the same on every computer.
type Point struct {
	Sweeps   float64 // Result.Sweeps of that part, or the number of draws if the method makes no sweeps
	LogZ, SE float64 // NaN if unknown
}

// HistoryPoints is the largest number of points in the history of a run, if the run keeps to its plan; the last point
// is the result. A run that grows (auto) has a few more.
const HistoryPoints = 24

// historyFraction returns the fraction of the work at point j, counted from 1. Early points are dense, for log axes.
func historyFraction(j int) float64 { return float64(j*j) / (HistoryPoints * HistoryPoints) }

// maxParts is the largest number of parts for which a history is computed.
const maxParts = 100_000

// PartHistory returns the history of a result that combines parts: islands (Result.Islands), or weighted chains
// (Result.Works). Each point is the estimate from the first parts, up to some number. It returns nil if there are fewer
// than two parts or more than maxParts.
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
		if r.Islands != nil && r.Bias != "down" { // the estimate is the mean of log Zhat
			mean, v := stats.MeanVar(parts[:k])
			return mean, math.Sqrt(v / float64(k))
		}
		w := stats.LogWeights(parts[:k])
		return w.LogMean, w.SE
	}

	if n < 2 || n > maxParts {
		return nil
	}

	// Earlier points, shifted so that the last one equals the result.
	whole, _ := estimate(n)
	last := 0
	for j := 1; j < HistoryPoints; j++ {
		k := max(int(math.Ceil(historyFraction(j)*float64(n))), j)
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

// IsHistoryStep reports whether the estimate after the given one of n sweeps is a point in the history of a run whose
// chains make each sweep together.
func IsHistoryStep(sweep, n int) bool {
	for j := 1; j < HistoryPoints; j++ {
		if int(math.Ceil(historyFraction(j)*float64(n))) == sweep {
			return true
		}
	}
	return false
}
