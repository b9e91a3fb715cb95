package models

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"logzlab/core/frame"
	"logzlab/core/rng"
)

// rbmTransition is the exact distribution after one Move from state (v + 2^M h):
// block Gibbs at beta, h then v, or v then h. With flip the visible units flip, see kernel.Layer.
func rbmTransition(p RBMParams, beta float64, state int, visibleFirst, flip bool) []float64 {
	joint := jointTable(p, beta)
	out := make([]float64, len(joint))
	nv, nh := 1<<p.M, 1<<p.J
	// given draws one layer: the joint over its values with the other fixed.
	hGivenV := func(v int) []float64 {
		logw := make([]float64, nh)
		for h := range logw {
			logw[h] = joint[v|h<<p.M]
		}
		return probs(logw)
	}
	was := state & (nv - 1)
	vGivenH := func(h int) []float64 {
		all := probs(joint[h<<p.M : (h+1)<<p.M])
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

// One Move from a fixed state has exactly the transition probabilities of block
// Gibbs: forward h|v then v|h, and in the joint form backward v|h then h|v. It
// catches base rates weighted by beta instead of 1-beta, and a joint back sweep in
// the order of the forward one.
func TestRBMTransitions(t *testing.T) {
	n := draws(30000)
	ladder := []float64{0, 0.35, .5, 1}
	for _, how := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		for c, size := range [][2]int{{3, 2}, {2, 4}, {1, 1}} {
			joint, flip := how[0], how[1]
			p := randomRBM(9, size[0], size[1], 1.5)
			p.Joint = joint
			pop := newRBM(t, p).New(n, ladder)
			if flip {
				pop.(Flipper).FlipUnits()
			}
			s := rng.NewKey(1, "start", c).Stream(0, 0, 0)
			for rung, beta := range ladder {
				for _, back := range []bool{false, true} {
					start := s.Intn(1 << (p.M + p.J))
					for r := range n {
						setBits(pop, r, start, p.M, p.J)
					}
					pop.Move(rng.At{Key: rng.NewKey(2, "rbm", c), Step: uint32(rung)}, rungs(n, rung), back)
					count := make([]int, 1<<(p.M+p.J))
					for r := range n {
						count[getBits(pop, r, p.M, p.J)]++
					}
					fit(t, fmt.Sprintf("joint %v, flip %v, %v, beta %v, back %v", joint, flip, size, beta, back), count,
						rbmTransition(p, beta, start, back && joint, flip && beta >= .5))
				}
			}
		}
	}
}

// The reference kernel itself leaves f invariant, the marginal one is reversible
// in v, and the joint back kernel is the reverse of the forward one.
func TestRBMReversal(t *testing.T) {
	p := randomRBM(9, 3, 2, 1.5)
	const beta = 0.35
	pi := probs(jointTable(p, beta))
	n := len(pi)
	for _, flip := range []bool{false, true} {
		forward, back := make([][]float64, n), make([][]float64, n)
		for s := range n {
			forward[s], back[s] = rbmTransition(p, beta, s, false, flip), rbmTransition(p, beta, s, true, flip)
		}
		pv := make([]float64, 8)
		flow := [8][8]float64{} // pi(v) T(v, v')
		for s := range n {
			stay := 0.0
			for u := range n {
				stay += pi[u] * forward[u][s]
				near(t, "reversal", pi[s]*forward[s][u], pi[u]*back[u][s], 1e-15)
				flow[s&7][u&7] += pi[s] * forward[s][u]
			}
			near(t, "invariance", stay, pi[s], 1e-14)
			pv[s&7] += pi[s]
		}
		for v := range 8 {
			for u := range 8 {
				near(t, "detailed balance", flow[v][u], flow[u][v], 1e-15)
			}
		}
	}
}

// Exact draws at beta, then 20 moves: the moments stay. 20,000 draws, |z| < 4
// for each moment. It catches base rates clipped in the density but less so in
// the draw.
func TestRBMInvariance(t *testing.T) {
	n := draws(20000)
	ladder := []float64{0, 0.5, 1}
	for _, joint := range []bool{false, true} {
		p := randomRBM(10, 6, 4, 1)
		p.P1[0], p.Joint = 0.01, joint
		pop := newRBM(t, p).New(n, ladder)
		for rung, beta := range ladder {
			for _, back := range []bool{false, true} {
				pi := probs(jointTable(p, beta))
				pick := newPicker(pi)
				for r := range n {
					s := rng.NewKey(3, "exact", r).Stream(0, uint32(rung), 0)
					setBits(pop, r, pick.draw(&s), p.M, p.J)
				}
				for step := range 20 {
					pop.Move(rng.At{Key: rng.NewKey(4, "rbm", rung), Step: uint32(step)}, rungs(n, rung), back)
				}
				// All units, and all products of neighbours in v + h.
				units := p.M + p.J
				m := visibleMoments(units, pi, n)
				for r := range n {
					m.addVisible(units, getBits(pop, r, p.M, p.J))
				}
				m.test(t, fmt.Sprintf("joint %v, beta %v, back %v", joint, beta, back))
			}
		}
	}
}

// The same for lattices: an even and an odd torus and an open one. It catches half
// the coupling and double bonds counted once.
func TestIsingInvariance(t *testing.T) {
	n := draws(20000)
	ladder := []float64{0, 0.6, 1}
	for c, l := range []struct {
		l1, l2 int
		torus  bool
	}{{2, 4, true}, {3, 3, true}, {3, 4, false}, {1, 5, true}} {
		const k = 0.45
		size := l.l1 * l.l2
		pop := newIsing(t, l.l1, l.l2, l.torus, k).New(n, ladder)
		for rung, beta := range ladder {
			pi := isingProbs(l.l1, l.l2, l.torus, beta*k)
			pick := newPicker(pi)
			for _, back := range []bool{false, true} {
				for r := range n {
					s := rng.NewKey(5, "exact", r).Stream(uint32(c), uint32(rung), 0)
					setBits(pop, r, pick.draw(&s), size)
				}
				for step := range 20 {
					pop.Move(rng.At{Key: rng.NewKey(6, "ising", c), Phase: uint32(rung), Step: uint32(step)}, rungs(n, rung), back)
				}
				m := visibleMoments(size, pi, n)
				energy, square := 0.0, 0.0
				for s, q := range pi {
					e := float64(bonds(l.l1, l.l2, l.torus, s))
					energy += q * e
					square += q * e * e
				}
				m.expect(energy, square-energy*energy, "bond sum")
				for r := range n {
					s := getBits(pop, r, size)
					for i := range 2 * size {
						m.sum[i] += visibleMoment(size, i, s)
					}
					m.sum[2*size] += float64(bonds(l.l1, l.l2, l.torus, s))
				}
				m.test(t, fmt.Sprint(l, " beta ", beta, " back ", back))
			}
		}
	}
}

// A two-component mixture in one dimension, drawn exactly at beta from a fine
// grid, moved by each kernel of a Density. It catches an acceptance test that
// forgets the base, and rejected moves that keep the proposal's log density.
func TestMixtureInvariance(t *testing.T) {
	f := MixtureParams{D: 1, BaseSD: 3, LogC: 1, Weights: []float64{.3, .7}, Means: [][]float64{{-2}, {1.5}},
		SDs: []float64{.5, 1}}
	m, err := NewMixture(f, Kernel{Moves: 3})
	if err != nil {
		t.Fatal(err)
	}
	mixtureInvariance(t, f, "mh with its own step", m)
	for _, name := range Kernels {
		space, err := NewSpace(Info{}, m.d, Kernel{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		mixtureInvariance(t, f, name, space)
	}
}

func mixtureInvariance(t *testing.T, f MixtureParams, name string, m Model) {
	n := draws(20000)
	ladder := []float64{0, 0.4, 1}
	pop := m.New(n, ladder)
	const cells, reach = 20000, 15.0
	for rung, beta := range ladder {
		logw := make([]float64, cells)
		at := func(i int) float64 { return reach * (2*(float64(i)+.5)/cells - 1) }
		for i := range logw {
			x := at(i)
			logw[i] = (1-beta)*logNormal(x, 0, 3) + beta*(f.LogC+math.Log(.3*math.Exp(logNormal(x, -2,
				.5))+.7*math.Exp(logNormal(x, 1.5, 1))))
		}
		pi := probs(logw)
		pick := newPicker(pi)
		for _, back := range []bool{false, true} {
			for r := range n {
				s := rng.NewKey(7, "exact", r).Stream(uint32(rung), 0, 0)
				var w frame.Writer
				w.Float(at(pick.draw(&s)) + (s.Float64()-.5)*2*reach/cells)
				pop.Load(r, &frame.Reader{B: w.B})
			}
			for step := range 20 {
				pop.Move(rng.At{Key: rng.NewKey(8, "gmm", 0), Phase: uint32(rung), Step: uint32(step)}, rungs(n, rung), back)
			}
			mo := moments{n: float64(n)}
			fs := []func(float64) float64{
				func(x float64) float64 { return x }, func(x float64) float64 { return x * x },
				func(x float64) float64 { return map[bool]float64{true: 1}[x < 0] },
				func(x float64) float64 { return math.Abs(x - 1) },
			}
			for k, g := range fs {
				e, ee := 0.0, 0.0
				for i, q := range pi {
					e += q * g(at(i))
					ee += q * g(at(i)) * g(at(i))
				}
				mo.expect(e, ee-e*e, "moment %d", k)
			}
			out := make([]float64, n)
			pop.LogF(rung, 1, out)
			for r := range n {
				x := rowOf(pop, r, 1)[0]
				for k, g := range fs {
					mo.sum[k] += g(x)
				}
				if r < 50 { // the cached densities are those of the state
					want := (1-beta)*logNormal(x, 0, 3) + beta*(f.LogC+math.Log(.3*math.Exp(logNormal(x, -2,
						.5))+.7*math.Exp(logNormal(x, 1.5, 1))))
					near(t, "log f", out[r], want, 1e-10)
				}
			}
			mo.test(t, fmt.Sprint(name, ", beta ", beta, " back ", back))
		}
	}
}

// logNormal is the log density of N(m, s^2).
func logNormal(x, m, s float64) float64 { return distuv.Normal{Mu: m, Sigma: s}.LogProb(x) }

// rowOf reads the coordinates of row r.
func rowOf(p Population, r, d int) []float64 {
	var w frame.Writer
	p.Append(r, &w)
	in := frame.Reader{B: w.B}
	x := make([]float64, d)
	for i := range x {
		x[i] = in.Float()
	}
	return x
}
