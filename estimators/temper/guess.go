package temper

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/estimators"
)

// The first guess of log Zhat: 0 at every rung (init = ones), the weights of an annealing pass (ais), or what islands
// of the run's chains learn by the rule of a method that adapts its weights (wl, sams).

// annealed sets log Zhat_k to the log-mean-exp of the weights at k.
func (r *run) annealed(partials [][]byte) {
	sums := make([]num.LSE, len(r.ladder))
	for lane, p := range partials {
		in := wire.Reader{B: p}
		for _, n := r.Span(lane); n > 0; n-- {
			for k, w := range in.Floats() {
				sums[k].Add(w)
			}
		}
		estimators.Must(&in)
	}
	for k := range sums {
		r.zhat[k] = sums[k].Value() - num.Log(float64(r.N))
	}
}

// adapted takes log Zhat from the islands, and deals their chains, which go on as they are, to the lanes.
func (r *run) adapted(partials, states [][]byte) [][]byte {
	islands := r.adapt.read(partials)
	r.zhat = mean(islands, zhatOf)
	r.guesses = guesses(islands, r.Model.LogZ0())
	rows := r.adapt.rows(states)
	out := make([][]byte, r.Count())
	for lane := range out {
		first, n := r.Span(lane)
		out[lane] = slices.Concat(rows[first : first+n]...)
	}
	return out
}

// guess keeps log Zhat for pictures.
func (r *run) guess(zhat, logC []float64) {
	g := estimators.Guess{Sweeps: int(r.total) / r.N, LogZ: slices.Clone(zhat), LogC: logC}
	for k := range g.LogZ {
		g.LogZ[k] += r.Model.LogZ0()
	}
	r.guesses = append(r.guesses, g)
}

// provisional is log Zhat as the estimate, between rounds.
func (r *run) provisional(zhat []float64, guesses []estimators.Guess) []*estimators.Result {
	out := make([]*estimators.Result, len(r.Readers))
	nan := math.NaN()
	for i := range out {
		out[i] = &estimators.Result{LogZ: zhat[len(zhat)-1] + r.Model.LogZ0(), Guesses: guesses, SE: nan, Lower: nan,
			Upper:    nan,
			SEMethod: estimators.SENone, Bias: "either", Sweeps: r.total, Evaluations: r.evaluations()}
		if r.maxDev > 0 {
			out[i].Diagnose(estimators.DiagInitialMaxDev, r.maxDev)
		}
	}
	return out
}
