package temper

import (
	"logzlab/core/problem"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
)

// maxHeld bounds the rungs of samples that are held for others: what mbar, and core/samples, take.
const maxHeld = maxMBAR

// holds reports whether samples are wanted when the run is over.
func (r *run) holds() bool { return r.Hold != nil && !r.Auxiliary }

// needHeld has samples recorded that are wanted.
func (r *run) needHeld() error {
	if !r.holds() {
		return nil
	}
	if len(r.ladder) > maxHeld {
		return problem.New("a file of u_kn has at most %d rungs, not %d; use fewer temperatures", maxHeld, len(r.ladder))
	}
	r.needs |= Densities
	return nil
}

// giveHeld gives samples as reduced potentials to whoever wants them. With the base normalised, log Z is that of the
// last rung minus that of the first. At each rung they stand in the order of chains, then sweeps.
func (r *run) giveHeld(s *mbar.Samples) {
	if !r.holds() {
		return
	}
	in, n, rungs := s.Sorted(), len(s.Rung), len(r.ladder)
	h := &estimators.Held{N: make([]int64, rungs), U: make([]float64, rungs*n)}
	for k := range h.N {
		h.N[k] = int64(in.First[k+1] - in.First[k])
		for i, from := range in.Order {
			h.U[k*n+i] = -s.LogF.At(int(from)*rungs + k)
		}
	}
	for i := range h.U[:n] {
		h.U[i] += r.Model.LogZ0()
	}
	r.Hold(h)
}
