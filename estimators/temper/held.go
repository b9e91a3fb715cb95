package temper

import (
	"slices"

	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/mbar"
)

// maxHeld bounds the rungs of samples that are held for others: the largest number that mbar and
// estimators/external/samples take.
const maxHeld = maxMBAR

// Held are the samples that a run holds on its ladder, as pymbar takes them: those of the first rung, of the second and
// so on, each under the densities of all rungs.
type Held struct {
	N []int64   // samples that were drawn at each rung
	U []float64 // rungs x samples: the reduced potential, -log f; the density of the base is normalised
}

// Holding is methods whose tempering runs, once they are over, give their samples to hold. It changes no digit.
func Holding(methods []estimators.Info, hold func(*Held)) []estimators.Info {
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
