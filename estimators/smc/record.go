package smc

import (
	"logzlab/core/wire"
	"logzlab/estimators"
)

// islandRecord is the record of an island. It is the partial of its lane, and the state begins with it.
type islandRecord struct {
	Rung             int       // rung of the particles
	LogZ             float64   // at Rung, relative to the base (nats)
	LogZs            []float64 // at the recorded rungs up to Rung
	Steps, Resampled int       // numbers of steps and of resamplings
	Within, Worst    float64   // variance of LogZ for independent particles; the smallest ESS/R
	Shape, Shapes    float64   // sum of the Pareto shapes of the weights of each step (stats.ParetoK), and their number
	Sweeps, Evals    float64   // numbers of moves of a particle and of log densities
	Climbed          []float64 // see Result.Climbed
	Ancestors        estimators.Ancestors
	Growth           growth
	Posterior        posterior
}

// append encodes the record after b.
func (d *islandRecord) append(b []byte) []byte {
	w := wire.Writer{B: b}
	w.Value(*d)
	return w.B
}

func readIslandRecord(r *wire.Reader) *islandRecord {
	d := &islandRecord{}
	r.Value(d)
	estimators.MustDecode(r)
	return d
}
