package forming

import (
	"math"
	"slices"

	"logzlab/core/wire"
	"logzlab/estimators"
)

// island is the record of one island's run.
type island struct {
	logZ1         float64
	stages        []stage // from n to n+1
	rows          int     // particles at the stage reached
	ess           float64 // of their weights
	sweeps, evals float64
	climbed       []float64 // see Result.Climbed
	ancestors     estimators.Ancestors
}

// stage is what happened from one stage to the next.
type stage struct {
	batches   []int32 // particles: the first ones, then each generate
	count     int     // their number
	ess       float64 // of the weights W
	v         float64 // vhat, the variance of W over its mean ([ARM] Theorem 1)
	within    float64 // variance of the log of the mean of W if particles were independent
	logZ      float64 // of the stage after
	moved     float64 // how far later batches have moved it, at this stage and those before
	resampled bool
}

func (s *stage) gamma() float64 { return s.ess / float64(s.count) }

func (d *island) append(w *wire.Writer) {
	for _, x := range [...]float64{d.logZ1, d.ess, d.sweeps, d.evals} {
		w.Float(x)
	}
	w.Floats(d.climbed)
	w.Ints(d.ancestors)
	w.Int(d.rows)
	w.Int(len(d.stages))
	for i := range d.stages {
		s := &d.stages[i]
		w.Ints(s.batches)
		w.Int(s.count)
		for _, x := range [...]float64{s.ess, s.v, s.within, s.logZ, s.moved} {
			w.Float(x)
		}
		w.Bool(s.resampled)
	}
}

func readIsland(r *wire.Reader) *island {
	d := &island{logZ1: r.Float(), ess: r.Float(), sweeps: r.Float(), evals: r.Float(), climbed: r.Floats(),
		ancestors: r.Ints(), rows: r.Int()}
	for n := r.Int(); n > 0 && r.Err == nil; n-- {
		d.stages = append(d.stages, stage{batches: r.Ints(), count: r.Int(), ess: r.Float(), v: r.Float(),
			within: r.Float(), logZ: r.Float(), moved: r.Float(), resampled: r.Bool()})
	}
	estimators.Must(r)
	return d
}

// logZ is log Z_n, n from 1.
func (d *island) logZ(n int) float64 {
	if n == 1 {
		return d.logZ1
	}
	return d.stages[n-2].logZ
}

// moved is how far batches after the first ones have moved log Z_n.
func (d *island) moved(n int) float64 {
	if n == 1 {
		return 0
	}
	return d.stages[n-2].moved
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
	slices.SortFunc(islands, func(a, b *island) int { return len(b.stages) - len(a.stages) })
	last := len(islands[n-1].stages)
	return slices.DeleteFunc(islands, func(d *island) bool { return len(d.stages) < last })
}

// roots are sqrt(v_n) of the stages n from 1 up to, but without, reached: v_n is the mean of the islands' vhat_n ([ARM]
// section 2.3).
func roots(known []*island, reached int) []float64 {
	out := make([]float64, reached-1)
	for i := range out {
		v := 0.0
		for _, d := range known {
			v += d.stages[i].v / float64(len(known))
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
		rows, ess := float64(d.rows), d.ess
		if n <= len(d.stages) {
			rows, ess = float64(d.stages[n-1].count), d.stages[n-1].ess
		}
		out.R += rows
		out.ESS += ess
		out.Gamma += ess / rows
	}
	out.R, out.ESS, out.Gamma = out.R/k, out.ESS/k, out.Gamma/k
	return out
}
