package latent

import (
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
)

// Bounds of what a picture of a series shows: its last data, particles of a filter, and their states at all data.
const flowData, fewestFlow, mostFlow, flowStates = 2000, 24, 100, 40000

// follow is the trajectories of a filter with about as many particles as a run has, as far as a picture can show them,
// and how many estimates that take a time each it is worth. It has a key of its own and changes no digit.
func (y *series) follow(round uint32, x []float64, particles int, time float64) (*frame.Flow, float64) {
	first := max(len(y.y)-flowData, 0)
	t := len(y.y) - first
	n := min(max(particles, fewestFlow), mostFlow, flowStates/t)
	worth := float64(t) * (filterStep + num.Mul(filterParticle, float64(n))) / time
	flow := &frame.Flow{First: first, Logs: y.weigh == nil, N: n, X: make([]float32, 0, n*t), W: make([]float32, 0, n*t),
		From: make([]int32, 0, n*(t-1))}
	f := kernel.NewFilter(y.data[first:], n)
	if f.Watch = keep(flow); y.outliers != nil {
		f.Outliers = y.outliers[first:]
	}
	s := rng.NewKey(0, "flow", 0).Stream(0, round, 0)
	y.logLik(f, &s, x)
	if len(flow.X) < n*t {
		return nil, worth // no particle was left
	}
	flow.At, flow.Y = num.Single(x), num.Single(y.y[first:])
	if y.exact != nil {
		flow.Exact = num.Single(y.exact(x, y.data[first:]))
	}
	return flow, worth
}

// keep is a kernel.Filter.Watch that adds particles to f.
func keep(f *frame.Flow) func(x, w []float64, sum float64, from []int32) {
	return func(x, w []float64, sum float64, from []int32) {
		f.From = append(f.From, from...)
		for i, v := range x {
			f.X, f.W = append(f.X, float32(v)), append(f.W, float32(w[i]/sum))
		}
	}
}
