package tape

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/rng"
	ops "logzlab/core/tape"
	"logzlab/models/density"
)

// Sizes of the check for modes without draws: the largest number of coordinates, and the draws by which the mass of a
// mode is measured.
const (
	mostUnvisitedDim = 200
	unvisitedDraws   = 400
)

// Unvisited is the log of the mass, in nats, that a density has around those of its modes that no given point is near;
// -Inf where every mode found has one. points are rows of coordinates of the tape, draws of the density that another
// sampler made. Modes are found by the search that comes before a run. The mass of a mode is estimated by importance
// sampling from a normal and a t distribution around it, of which only draws near the mode count. It is meant to be
// compared with log Z by the points: where chains of a sampler stay in one of several modes, it is a large part of Z.
func Unvisited(t *ops.Tape, points []float64) float64 {
	dim := t.Dim()
	if dim > mostUnvisitedDim {
		return math.Inf(-1)
	}
	key := rng.NewKey(0, "unvisited", dim)
	s := newSearch(t, t.Points(), key)
	s.run()
	total := math.Inf(-1)
	for k, b := range s.ranked() {
		if k == pilotModes {
			break
		}
		if !visited(&b.Base, points) {
			total = num.LogAddExp(total, massNear(b, s.points, key, k))
		}
	}
	return total
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

// massNear estimates the log of the integral of the density over the points near a mode.
func massNear(mode *basin, points *ops.Points, key rng.Key, k int) float64 {
	q := newPart(mode.Base)
	x, logW := make([]float64, len(mode.Mean)), make([]float64, unvisitedDraws)
	for i := range logW {
		stream := key.Stream(20, uint32(i), uint32(k))
		q.Draw(&stream, x)
		if logW[i] = points.LogF(x) - q.Log(x); !num.Finite(logW[i]) || !near(&mode.Base, x) {
			logW[i] = math.Inf(-1)
		}
	}
	return num.LogMeanExp(logW)
}
