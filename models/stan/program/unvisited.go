package program

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models/density"
	"logzlab/models/stan/tape"
)

// Limits of the check for modes without draws.
const (
	maxUnvisitedDim = 200 // coordinates
	unvisitedDraws  = 400 // draws by which the mass of a mode is estimated
)

// Unvisited returns the log of the mass of the density around those of its modes that no given point is near, -Inf if
// every mode found has a point near it. points are draws that another sampler made, by rows, in coordinates of the
// tape. Modes are found by the search that comes before a run. The mass of a mode is estimated by importance sampling
// from a part around it (newPart), with a weight of 0 for draws that are not near the mode. It is meant to be compared
// with log Z by the points: where the chains of a sampler stay in one of several modes, it is a large part of Z.
func Unvisited(t *tape.Tape, points []float64) float64 {
	dim := t.Dim()
	if dim > maxUnvisitedDim {
		return math.Inf(-1)
	}
	key := rng.NewKey(0, "unvisited", dim)
	s := newSearch(t, t.EvaluatorPool(), key)
	s.run()
	return s.logMassNear(key, func(m *mode) bool { return !visited(&m.Base, points) })
}

// visited reports whether one of the points is near the mode.
func visited(mode *density.Base, points []float64) bool {
	dim := len(mode.Mean)
	for r := 0; r < len(points); r += dim {
		if near(mode, points[r:r+dim]) {
			return true
		}
	}
	return false
}

// logMassNear estimates the log of the mass around those of the maxModeParts heaviest modes that count; -Inf if none
// does. The estimate of the mass is unbiased, and Z is at least that mass.
func (s *search) logMassNear(key rng.Key, counts func(*mode) bool) float64 {
	total := math.Inf(-1)
	ranked := s.byMass()
	for k, m := range ranked[:min(len(ranked), maxModeParts)] {
		if counts(m) {
			total = num.LogAddExp(total, massNear(m, s.points, key, k))
		}
	}
	return total
}

// massNear estimates the log of the integral of the density over the points near a mode.
func massNear(m *mode, points *tape.EvaluatorPool, key rng.Key, k int) float64 {
	q := newPart(m.Base)
	x, logW := make([]float64, len(m.Mean)), make([]float64, unvisitedDraws)
	for i := range logW {
		stream := key.Stream(20, uint32(i), uint32(k))
		q.Draw(&stream, x)
		if logW[i] = points.LogF(x) - q.Log(x); !num.Finite(logW[i]) || !near(&m.Base, x) {
			logW[i] = math.Inf(-1)
		}
	}
	return num.LogMeanExp(logW)
}
