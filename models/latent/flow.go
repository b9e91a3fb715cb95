package latent

import (
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
)

// Limits of a picture of a series: the number of data, of which it shows the last ones, the smallest and the largest
// number of particles, and the number of states of all particles.
const maxFlowData, minFlowParticles, maxFlowParticles, maxFlowStates = 2000, 24, 100, 40000

// flow returns the particles of a filter at the parameters x, with as many particles as in a run, within the limits of
// a picture; nil if all of them died. It also returns the cost, in estimates that take the given time. The filter has a
// key of its own, so results of a run do not depend on it.
func (y *series) flow(round uint32, x []float64, particles int, time float64) (*frame.Flow, float64) {
	firstDatum := max(len(y.y)-maxFlowData, 0)
	length := len(y.y) - firstDatum
	n := min(max(particles, minFlowParticles), maxFlowParticles, maxFlowStates/length)
	cost := float64(length) * (filterStep + num.Mul(filterParticle, float64(n))) / time
	flow := &frame.Flow{First: firstDatum, Logs: y.weigh == nil, N: n, X: make([]float32, 0, n*length), W: make([]float32, 0, n*length),
		Parents: make([]int32, 0, n*(length-1))}
	f := kernel.NewFilter(y.data[firstDatum:], n)
	if f.Watch = recordInto(flow); y.outliers != nil {
		f.Outliers = y.outliers[firstDatum:]
	}
	s := rng.NewKey(0, "flow", 0).Stream(0, round, 0)
	y.logLik(f, &s, x)
	if len(flow.X) < n*length {
		return nil, cost // all particles died
	}
	flow.Params, flow.Y = num.Float32s(x), num.Float32s(y.y[firstDatum:])
	if y.exactMeans != nil {
		flow.Exact = num.Float32s(y.exactMeans(x, y.data[firstDatum:]))
	}
	return flow, cost
}

// recordInto returns a function for kernel.Filter.Watch that adds the particles to f.
func recordInto(f *frame.Flow) func(x, w []float64, sum float64, from []int32) {
	return func(x, w []float64, sum float64, from []int32) {
		f.Parents = append(f.Parents, from...)
		for i, v := range x {
			f.X, f.W = append(f.X, float32(v)), append(f.W, float32(w[i]/sum))
		}
	}
}
