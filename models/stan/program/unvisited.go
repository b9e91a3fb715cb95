package program

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models/density"
	"logzlab/models/stan/tape"
)

// Limits of UnvisitedMass.
const (
	maxUnvisitedDim = 200 // coordinates
	unvisitedDraws  = 400 // draws for the mass of a mode
)

// UnvisitedMass returns the log of the mass of the density around those modes that have none of the points near them,
// and -Inf if every mode has one. points are draws of another sampler, by rows, in coordinates of the tape. Modes are
// found by the search of a pilot. The mass of a mode is estimated by importance sampling from a component around the
// mode (newComponent), with weight 0 for draws that are not near the mode. If the chains of the other sampler stay in
// one of several modes, the unvisited mass is a large part of Z: compare the result with an estimate of log Z from the
// points.
func UnvisitedMass(t *tape.Tape, points []float64) float64 {
	dim := t.Dim()
	if dim > maxUnvisitedDim {
		return math.Inf(-1)
	}
	key := rng.NewKey(0, "unvisited", dim)
	s := newSearch(t, t.EvaluatorPool(), key)
	s.run()
	return s.logMassNear(key, func(m *mode) bool { return !isVisited(&m.Base, points) })
}

// isVisited reports whether one of the points is near the mode.
func isVisited(mode *density.Base, points []float64) bool {
	dim := len(mode.Mean)
	for r := 0; r < len(points); r += dim {
		if near(mode, points[r:r+dim]) {
			return true
		}
	}
	return false
}

// logMassNear estimates the log of the total mass around those of the maxModeComponents heaviest modes for which
// include returns true; -Inf if there are none. The estimate of the mass is unbiased, and Z is at least that mass.
func (s *search) logMassNear(key rng.Key, include func(*mode) bool) float64 {
	total := math.Inf(-1)
	ranked := s.byMass()
	for k, m := range ranked[:min(len(ranked), maxModeComponents)] {
		if include(m) {
			total = num.LogAddExp(total, massNear(m, s.points, key, k))
		}
	}
	return total
}

// massNear estimates the log of the integral of the density over the points near a mode.
func massNear(m *mode, points *tape.EvaluatorPool, key rng.Key, k int) float64 {
	q := newComponent(m.Base)
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
