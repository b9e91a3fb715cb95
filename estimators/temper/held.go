package temper

import (
	"slices"

	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/mbar"
)

// maxHeld is the largest number of rungs of held samples, the limit of mbar and of estimators/external/samples.
const maxHeld = maxMBAR

// Held holds the samples of a run on its ladder, in the format of pymbar: the samples of the first rung, then of the
// second and so on, each with its potential at all rungs.
type Held struct {
	N []int64   // number of samples drawn at each rung
	U []float64 // rungs x samples: the reduced potential, -log f; the density of the base is normalised
}

// HoldSamples returns methods whose tempering runs pass their samples to hold when they end. Results do not change.
func HoldSamples(methods []estimators.Info, hold func(*Held)) []estimators.Info {
	run := Run
	run.New = anneal.Scheduled(func(c estimators.Config) (estimators.Method, error) {
		return WithOptions(c, Options{Hold: hold})
	})
	methods = slices.Clone(methods)
	for i := range methods {
		if r, ok := methods[i].Reads.(*Reader); ok {
			of := *r
			of.run = &run
			methods[i].Reads = &of
		}
	}
	return methods
}

// held converts samples to reduced potentials. As the base is normalised, log Z is log Z of the last rung minus log Z
// of the first. The samples of a rung are in the order of chains, then sweeps.
func (r *run) held(s *mbar.Samples) *Held {
	in, n, rungs := s.Sorted(), len(s.Rung), len(r.ladder)
	h := &Held{N: make([]int64, rungs), U: make([]float64, rungs*n)}
	for k := range h.N {
		h.N[k] = int64(in.First[k+1] - in.First[k])
		for i, from := range in.Order {
			h.U[k*n+i] = -s.LogF.At(int(from)*rungs + k)
		}
	}
	for i := range h.U[:n] {
		h.U[i] += r.Model.LogZ0()
	}
	return h
}
