package rbm

import (
	"fmt"
	"slices"
	"testing"

	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// transition returns the exact distribution after one Move from state (v + 2^M h): block Gibbs at beta, h then v, or v
// then h. With flip the visible units flip, see kernel.Layer.
func transition(p Params, beta float64, state int, visibleFirst, flip bool) []float64 {
	joint := jointTable(p, beta)
	out := make([]float64, len(joint))
	nv, nh := 1<<p.M, 1<<p.J
	// The distribution of each layer given the other one.
	hGivenV := func(v int) []float64 {
		logw := make([]float64, nh)
		for h := range logw {
			logw[h] = joint[v|h<<p.M]
		}
		return labtest.Normalize(logw)
	}
	was := state & (nv - 1)
	vGivenH := func(h int) []float64 {
		all := labtest.Normalize(joint[h<<p.M : (h+1)<<p.M])
		if !flip {
			return all
		}
		out := make([]float64, nv)
		for v := range out {
			out[v] = 1
			for bit := 1; bit < nv; bit *= 2 {
				turns := min(1, all[was^bit]/all[was]) // given h, units are independent
				if (v^was)&bit == 0 {
					turns = 1 - turns
				}
				out[v] *= turns
			}
		}
		return out
	}
	if visibleFirst {
		for v, a := range vGivenH(state >> p.M) {
			for h, b := range hGivenV(v) {
				out[v|h<<p.M] += a * b
			}
		}
		return out
	}
	for h, a := range hGivenV(was) {
		for v, b := range vGivenH(h) {
			out[v|h<<p.M] += a * b
		}
	}
	return out
}

// TestRBMTransitions checks that one Move from a fixed state has the transition probabilities of block Gibbs sampling:
// forward h|v then v|h, and in the joint form backward v|h then h|v. It catches base rates weighted by beta instead of
// 1-beta, and a backward sweep in forward order.
func TestRBMTransitions(t *testing.T) {
	n := tier.Draws(30000)
	ladder := []float64{0, 0.35, .5, 1}
	for _, how := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		for c, size := range [][2]int{{3, 2}, {2, 4}, {1, 1}} {
			joint, flip := how[0], how[1]
			p := randomRBM(9, size[0], size[1], 1.5)
			p.Joint = joint
			pop := newRBM(t, p).New(n, ladder)
			if flip {
				models.RowCapabilitiesOf(pop).FlipUnits()
			}
			s := rng.NewKey(1, "start", c).Stream(0, 0, 0)
			for rung, beta := range ladder {
				for _, back := range []bool{false, true} {
					start := s.Intn(1 << (p.M + p.J))
					for r := range n {
						labtest.SetBits(pop, r, start, p.M, p.J)
					}
					pop.Move(rng.At{Key: rng.NewKey(2, "rbm", c), Step: uint32(rung)}, labtest.Rungs(n, rung), back)
					count := make([]int, 1<<(p.M+p.J))
					for r := range n {
						count[labtest.GetBits(pop, r, p.M, p.J)]++
					}
					labtest.ChiSquare(t, fmt.Sprintf("joint %v, flip %v, %v, beta %v, back %v", joint, flip, size, beta, back), count,
						transition(p, beta, start, back && joint, flip && beta >= .5))
				}
			}
		}
	}
}

// TestRBMReversal checks the reference function transition: it leaves f invariant, is reversible as a transition of v,
// and its backward sweep is the time reversal of the forward one.
func TestRBMReversal(t *testing.T) {
	p := randomRBM(9, 3, 2, 1.5)
	const beta = 0.35
	pi := labtest.Normalize(jointTable(p, beta))
	n := len(pi)
	for _, flip := range []bool{false, true} {
		forward, back := make([][]float64, n), make([][]float64, n)
		for s := range n {
			forward[s], back[s] = transition(p, beta, s, false, flip), transition(p, beta, s, true, flip)
		}
		pv := make([]float64, 8)
		flow := [8][8]float64{} // pi(v) T(v, v')
		for s := range n {
			stay := 0.0
			for u := range n {
				stay += pi[u] * forward[u][s]
				labtest.Near(t, "reversal", pi[s]*forward[s][u], pi[u]*back[u][s], 1e-15)
				flow[s&7][u&7] += pi[s] * forward[s][u]
			}
			labtest.Near(t, "invariance", stay, pi[s], 1e-14)
			pv[s&7] += pi[s]
		}
		for v := range 8 {
			for u := range 8 {
				labtest.Near(t, "detailed balance", flow[v][u], flow[u][v], 1e-15)
			}
		}
	}
}

// TestRBMInvariance checks that 20 moves do not change the moments of exact draws at beta: 20,000 draws, |z| < 4 for
// each moment. It catches base rates that are clipped more in the density than in the draw.
func TestRBMInvariance(t *testing.T) {
	n := tier.Draws(20000)
	ladder := []float64{0, 0.5, 1}
	for _, joint := range []bool{false, true} {
		p := randomRBM(10, 6, 4, 1)
		p.P1[0], p.Joint = 0.01, joint
		pop := newRBM(t, p).New(n, ladder)
		for rung, beta := range ladder {
			for _, back := range []bool{false, true} {
				pi := labtest.Normalize(jointTable(p, beta))
				pick := labtest.NewCategorical(pi)
				for r := range n {
					s := rng.NewKey(3, "exact", r).Stream(0, uint32(rung), 0)
					labtest.SetBits(pop, r, pick.Draw(&s), p.M, p.J)
				}
				for step := range 20 {
					pop.Move(rng.At{Key: rng.NewKey(4, "rbm", rung), Step: uint32(step)}, labtest.Rungs(n, rung), back)
				}
				// All units, and all products of neighbours in v + h.
				units := p.M + p.J
				m := labtest.BitMoments(units, pi, n)
				for r := range n {
					m.AddBits(units, labtest.GetBits(pop, r, p.M, p.J))
				}
				m.Test(t, fmt.Sprintf("joint %v, beta %v, back %v", joint, beta, back))
			}
		}
	}
}

// plainGibbs is one sweep without stored sums, packing or tiles:
//
//	P(h_j = 1) = 1/(1 + exp(-scale (b + W'v)_j)),  P(v_i = 1) = 1/(1 + exp(-scale (c + W h)_i - base lg_i)),
//
// with integers b, c and W and the logits in float32. Word i of the layer draws unit i.
func plainGibbs(m *Model, s rng.Stream, v, h []uint8, scale, base float32) {
	layer := func(out []uint8, logit func(i int) float32) {
		var words [4]uint32
		for i := range out {
			if i%4 == 0 {
				words[0], words[1], words[2], words[3] = s.Block()
			}
			out[i] = 0
			if kernel.Bern(words[i%4], logit(i)) {
				out[i] = 1
			}
		}
	}
	layer(h, func(j int) float32 {
		sum := m.b[j]
		for i, on := range v {
			sum += m.w[i*m.J+j] * int32(on)
		}
		return float32(float32(sum) * scale)
	})
	layer(v, func(i int) float32 {
		sum := m.c[i]
		for j, on := range h {
			sum += m.w[i*m.J+j] * int32(on)
		}
		return float32(float32(sum)*scale) + float32(m.net.Base[i]*base)
	})
}

// TestRBMPlain checks that sweeps of a population are identical to plainGibbs, bit for bit.
func TestRBMPlain(t *testing.T) {
	m := newRBM(t, randomRBM(3, 37, 21, .6))
	const n = 19
	ladder := []float64{0, .3, 1}
	p := m.New(n, ladder).(*population)
	p.Draw(rng.At{Key: rng.NewKey(6, "plain", 0)})
	rungs := make([]int32, n)
	for step := range 6 {
		at := rng.At{Key: rng.NewKey(6, "plain", 0), Step: uint32(step + 1)}
		var want [n][2][]uint8
		for r := range n {
			rungs[r] = int32((r + step) % 3)
			v, h, _, _ := p.Row(r)
			want[r] = [2][]uint8{slices.Clone(v), slices.Clone(h)}
			plainGibbs(m, at.Row(r), want[r][0], want[r][1], p.scale[rungs[r]], p.base[rungs[r]])
		}
		p.Move(at, rungs, false)
		for r := range n {
			if v, h, _, _ := p.Row(r); !slices.Equal(v, want[r][0]) || !slices.Equal(h, want[r][1]) {
				t.Fatalf("step %d, row %d: states differ from the plain sweep", step, r)
			}
		}
	}
}
