package forming

import (
	"math"
	"slices"

	"logzlab/core/wire"
	"logzlab/estimators"
)

// island is the record of one island's run: its partial, and the head of its state.
type island struct {
	LogZ1         float64
	Stages        []stage // from n to n+1
	Rows          int     // particles at the stage reached
	ESS           float64 // of their weights
	Sweeps, Evals float64
	Climbed       []float64 // see Result.Climbed
	Ancestors     estimators.Ancestors
}

// stage is what happened from one stage to the next.
type stage struct {
	Batches   []int32 // particles: the first ones, then each generate
	Count     int     // their number
	ESS       float64 // of the weights W
	V         float64 // vhat, the variance of W over its mean ([ARM] Theorem 1)
	Within    float64 // variance of the log of the mean of W if particles were independent
	LogZ      float64 // of the stage after
	Moved     float64 // how far later batches have moved it, at this stage and those before
	Resampled bool
}

func (s *stage) gamma() float64 { return s.ESS / float64(s.Count) }

// append encodes the record after b.
func (d *island) append(b []byte) []byte {
	w := wire.Writer{B: b}
	w.Value(*d)
	return w.B
}

func readIsland(r *wire.Reader) *island {
	d := &island{}
	r.Value(d)
	estimators.MustDecode(r)
	return d
}

// logZ is log Z_n, n from 1.
func (d *island) logZ(n int) float64 {
	if n == 1 {
		return d.LogZ1
	}
	return d.Stages[n-2].LogZ
}

// moved is how far batches after the first ones have moved log Z_n.
func (d *island) moved(n int) float64 {
	if n == 1 {
		return 0
	}
	return d.Stages[n-2].Moved
}

func readIslands(partials [][]byte) (out []*island) {
	for _, p := range partials {
		if p != nil {
			out = append(out, readIsland(&wire.Reader{B: p}))
		}
	}
	return
}

// furthest lists the islands that have reached the last stage that n of them have, nil where there are not so many.
func furthest(islands []*island, n int) []*island {
	if len(islands) < n {
		return nil
	}
	slices.SortFunc(islands, func(a, b *island) int { return len(b.Stages) - len(a.Stages) })
	last := len(islands[n-1].Stages)
	return slices.DeleteFunc(islands, func(d *island) bool { return len(d.Stages) < last })
}

// roots are sqrt(v_n) of the stages n from 1 up to, but without, reached: v_n is the mean of the islands' vhat_n ([ARM]
// section 2.3).
func roots(known []*island, reached int) []float64 {
	out := make([]float64, reached-1)
	for i := range out {
		v := 0.0
		for _, d := range known {
			v += d.Stages[i].V / float64(len(known))
		}
		out[i] = math.Sqrt(min(v, 1e12))
	}
	return out
}

// stageMean averages the records of the islands about the weights of stage n.
func stageMean(known []*island, n int) estimators.Stage {
	out := estimators.Stage{N: n}
	k := float64(len(known))
	for _, d := range known {
		rows, ess := float64(d.Rows), d.ESS
		if n <= len(d.Stages) {
			rows, ess = float64(d.Stages[n-1].Count), d.Stages[n-1].ESS
		}
		out.R += rows
		out.ESS += ess
		out.Gamma += ess / rows
	}
	out.R, out.ESS, out.Gamma = out.R/k, out.ESS/k, out.Gamma/k
	return out
}
