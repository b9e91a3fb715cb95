package latent

import (
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
)

// Limits of a picture of a series: its last maxFlowData data, the number of particles, and the number of states in all.
const maxFlowData, minFlowParticles, maxFlowParticles, maxFlowStates = 2000, 24, 100, 40000

// flow returns the trajectories of a filter with as many particles as a run has, within the limits of a picture, and
// its cost in estimates that take the given time. It has its own key, so results of a run do not depend on it.
func (y *series) flow(round uint32, x []float64, particles int, time float64) (*frame.Flow, float64) {
	first := max(len(y.y)-maxFlowData, 0)
	t := len(y.y) - first
	n := min(max(particles, minFlowParticles), maxFlowParticles, maxFlowStates/t)
	worth := float64(t) * (filterStep + num.Mul(filterParticle, float64(n))) / time
	flow := &frame.Flow{First: first, Logs: y.weigh == nil, N: n, X: make([]float32, 0, n*t), W: make([]float32, 0, n*t),
		From: make([]int32, 0, n*(t-1))}
	f := kernel.NewFilter(y.data[first:], n)
	if f.Watch = recordInto(flow); y.outliers != nil {
		f.Outliers = y.outliers[first:]
	}
	s := rng.NewKey(0, "flow", 0).Stream(0, round, 0)
	y.logLik(f, &s, x)
	if len(flow.X) < n*t {
		return nil, worth // all particles died
	}
	flow.At, flow.Y = num.Float32s(x), num.Float32s(y.y[first:])
	if y.exactMeans != nil {
		flow.Exact = num.Float32s(y.exactMeans(x, y.data[first:]))
	}
	return flow, worth
}

// recordInto returns a kernel.Filter.Watch that adds the particles to f.
func recordInto(f *frame.Flow) func(x, w []float64, sum float64, from []int32) {
	return func(x, w []float64, sum float64, from []int32) {
		f.From = append(f.From, from...)
		for i, v := range x {
			f.X, f.W = append(f.X, float32(v)), append(f.W, float32(w[i]/sum))
		}
	}
}
