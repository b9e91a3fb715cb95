package resamplemove

import (
	"math"
	"slices"

	"logzlab/core/wire"
	"logzlab/estimators"
)

// island is the record of an island. It is the partial of its lane, and the state begins with it.
type island struct {
	LogZ1         float64
	Stages        []stage // element n-1 is the step from stage n to n+1
	Rows          int     // number of particles at the stage reached
	ESS           float64 // effective sample size of their weights
	Sweeps, Evals float64
	Climbed       []float64 // see Result.Climbed
	Ancestors     estimators.Ancestors
}

// stage is the record of the step from stage n to n+1.
type stage struct {
	Batches   []int32 // sizes of the first batch and of generated batches
	Count     int     // number of particles that were not discarded
	ESS       float64 // effective sample size of the weights w_{n+1}
	V         float64 // vhat_n, the variance of W over its mean ([ARM] Theorem 1)
	Within    float64 // variance of the log of the mean of W for independent particles
	LogZ      float64 // log Z_{n+1}
	Moved     float64 // change of LogZ by generated batches, at this stage and earlier ones
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

// logZ returns log Z_n, n from 1.
func (d *island) logZ(n int) float64 {
	if n == 1 {
		return d.LogZ1
	}
	return d.Stages[n-2].LogZ
}

// moved returns the change of log Z_n by generated batches.
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

// furthest returns the islands that have reached the last stage that at least n islands have reached; nil if there are
// fewer than n islands.
func furthest(islands []*island, n int) []*island {
	if len(islands) < n {
		return nil
	}
	slices.SortFunc(islands, func(a, b *island) int { return len(b.Stages) - len(a.Stages) })
	last := len(islands[n-1].Stages)
	return slices.DeleteFunc(islands, func(d *island) bool { return len(d.Stages) < last })
}

// roots returns sqrt(v_n) for the stages 1 <= n < reached, with v_n the mean of vhat_n over islands ([ARM] section
// 2.3).
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

// stageMean returns the number of particles, their ESS and the ratio gamma at stage n, averaged over islands.
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
