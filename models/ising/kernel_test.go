package ising

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
)

// heatBathProbs returns the exact distribution over states after one heat-bath sweep from a state: black sites (even x
// + y) before white ones, in order, or all sites in reverse order.
func heatBathProbs(l1, l2 int, torus bool, k float64, state int, back bool) []float64 {
	var order []int
	for colour := range 2 {
		for i := range l1 * l2 {
			if (i/l2+i%l2)%2 == colour {
				order = append(order, i)
			}
		}
	}
	p := make([]float64, 1<<(l1*l2))
	p[state] = 1
	for t := range order {
		i := order[t]
		if back {
			i = order[len(order)-1-t]
		}
		for s := range p {
			if s>>i&1 == 1 {
				continue
			}
			up := s | 1<<i
			gain := k * float64(bonds(l1, l2, torus, up)-bonds(l1, l2, torus, s))
			q := 1 / (1 + math.Exp(-gain))
			mass := p[s] + p[up]
			p[s], p[up] = mass*(1-q), mass*q
		}
	}
	return p
}

// TestIsingTransitions checks that one sweep from a fixed state has exactly the transition probabilities of the heat
// bath, forwards and in reverse, at several rungs, also on odd tori, where sites of one colour are neighbours. It fails
// if double bonds are counted once, the field misses a neighbour, the coupling is halved, or the reversed sweep has the
// forward order.
func TestIsingTransitions(t *testing.T) {
	n := tier.Draws(20000)
	ladder := []float64{0, 0.4, 1}
	for c, l := range []struct {
		l1, l2 int
		torus  bool
	}{{3, 3, true}, {2, 4, true}, {3, 2, false}, {1, 5, true}, {2, 2, true}} {
		const k = 0.6
		size := l.l1 * l.l2
		p := newIsing(t, l.l1, l.l2, l.torus, k).New(n, ladder)
		s := rng.NewKey(3, "start", c).Stream(0, 0, 0)
		for rung, beta := range ladder {
			for _, back := range []bool{false, true} {
				state := s.Intn(1 << size)
				for r := range n {
					labtest.SetBits(p, r, state, size)
				}
				p.Move(rng.At{Key: rng.NewKey(4, "ising", c), Step: uint32(rung)}, labtest.Rungs(n, rung), back)
				count := make([]int, 1<<size)
				for r := range n {
					count[labtest.GetBits(p, r, size)]++
				}
				labtest.ChiSquare(t, fmt.Sprint(l, " rung ", rung, " back ", back), count, heatBathProbs(l.l1, l.l2, l.torus, beta*k, state,
					back))
			}
		}
	}
}

// TestIsingInvariance checks that sweeps leave the target invariant on an even and an odd torus and on an open lattice.
// It fails if the coupling is halved or double bonds are counted once.
func TestIsingInvariance(t *testing.T) {
	n := tier.Draws(20000)
	ladder := []float64{0, 0.6, 1}
	for c, l := range []struct {
		l1, l2 int
		torus  bool
	}{{2, 4, true}, {3, 3, true}, {3, 4, false}, {1, 5, true}} {
		const k = 0.45
		size := l.l1 * l.l2
		pop := newIsing(t, l.l1, l.l2, l.torus, k).New(n, ladder)
		for rung, beta := range ladder {
			pi := exactProbs(l.l1, l.l2, l.torus, beta*k)
			pick := labtest.NewCategorical(pi)
			for _, back := range []bool{false, true} {
				for r := range n {
					s := rng.NewKey(5, "exact", r).Stream(uint32(c), uint32(rung), 0)
					labtest.SetBits(pop, r, pick.Draw(&s), size)
				}
				for step := range 20 {
					pop.Move(rng.At{Key: rng.NewKey(6, "ising", c), Phase: uint32(rung), Step: uint32(step)}, labtest.Rungs(n, rung),
						back)
				}
				m := labtest.BitMoments(size, pi, n)
				energy, square := 0.0, 0.0
				for s, q := range pi {
					e := float64(bonds(l.l1, l.l2, l.torus, s))
					energy += q * e
					square += q * e * e
				}
				m.Expect(energy, square-energy*energy, "bond sum")
				for r := range n {
					s := labtest.GetBits(pop, r, size)
					m.AddBits(size, s)
					m.Sum[2*size] += float64(bonds(l.l1, l.l2, l.torus, s))
				}
				m.Test(t, fmt.Sprint(l, " beta ", beta, " back ", back))
			}
		}
	}
}

// clusterSweepProbs returns the exact distribution over states after one cluster sweep from a state: a sum over all
// sets of bonds that join spins.
func clusterSweepProbs(l1, l2 int, torus bool, k float64, state int) []float64 {
	var pairs [][2]int
	n := l1 * l2
	for i := range n {
		y, x := i/l2, i%l2
		for _, j := range []int{y*l2 + (x+1)%l2, (y+1)%l1*l2 + x} {
			if inside := j > i; j != i && (torus || inside) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	out := make([]float64, 1<<n)
	hold := 1 - math.Exp(-2*math.Abs(k))
	for set := range 1 << len(pairs) {
		p, of := 1., make([]int, n)
		for i := range of {
			of[i] = i
		}
		for b, ij := range pairs {
			i, j := ij[0], ij[1]
			on, q := set>>b&1 == 1, 0.
			if (state>>i&1 == state>>j&1) == (k > 0) {
				q = hold
			}
			if !on {
				p *= 1 - q
				continue
			}
			p *= q
			for x, from := 0, of[i]; x < n; x++ {
				if of[x] == from {
					of[x] = of[j]
				}
			}
		}
		if p == 0 {
			continue
		}
		masks := map[int]int{}
		for x, c := range of {
			masks[c] |= 1 << x
		}
		turned := []int{state}
		for _, m := range masks {
			for _, s := range turned {
				turned = append(turned, s^m)
			}
		}
		for _, s := range turned {
			out[s] += p / float64(len(turned))
		}
	}
	return out
}

// TestIsingClusters checks that a cluster sweep has exactly the transition probabilities of its definition, and
// satisfies detailed balance with the target: on tori, where double bonds join twice as often, on open lattices, and
// with frustrated couplings. It fails if exp(-k) replaces exp(-2 k), if unsatisfied bonds join spins, or if clusters
// are merged incompletely.
func TestIsingClusters(t *testing.T) {
	n := tier.Draws(20000)
	ladder := []float64{0, 0.4, 1}
	for c, l := range []struct {
		l1, l2 int
		torus  bool
		k      float64
	}{{2, 3, true, .5}, {3, 3, false, .6}, {2, 2, true, -.4}, {1, 5, true, -.6}, {2, 4, false, .6}} {
		size := l.l1 * l.l2
		m := newIsing(t, l.l1, l.l2, l.torus, l.k)
		m.clusterSweeps = true
		p := m.New(n, ladder)
		s := rng.NewKey(3, "start", c).Stream(0, 0, 0)
		for rung, beta := range ladder {
			pi := exactProbs(l.l1, l.l2, l.torus, beta*l.k)
			state := s.Intn(1 << size)
			want := clusterSweepProbs(l.l1, l.l2, l.torus, beta*l.k, state)
			for to, q := range want {
				back := clusterSweepProbs(l.l1, l.l2, l.torus, beta*l.k, to)[state]
				if d := pi[state]*q - pi[to]*back; math.Abs(d) > 1e-14 {
					t.Fatalf("%v: detailed balance from %b to %b is violated by %g", l, state, to, d)
				}
			}
			for _, back := range []bool{false, true} {
				for r := range n {
					labtest.SetBits(p, r, state, size)
				}
				p.Move(rng.At{Key: rng.NewKey(4, "clusters", c), Step: uint32(rung)}, labtest.Rungs(n, rung), back)
				count := make([]int, 1<<size)
				for r := range n {
					count[labtest.GetBits(p, r, size)]++
				}
				labtest.ChiSquare(t, fmt.Sprint(l, " rung ", rung, " back ", back), count, want)
			}
		}
	}
}

// plainHeatBath applies one heat-bath sweep without the tables of population: site after site, black ones first, with
// P(s_i = 1) = 1/(1 + exp(-2 b k field_i)). Word t of the random stream of the row draws the t-th site.
func plainHeatBath(m *Lattice, stream rng.Stream, s []uint8, b float64, back bool) {
	up := func(y, x int) int { // spin of a site, 0 beyond an open edge
		if m.torus {
			y, x = (y+m.L1)%m.L1, (x+m.L2)%m.L2
		}
		if y < 0 || x < 0 || y == m.L1 || x == m.L2 {
			return 0
		}
		return 2*int(s[y*m.L2+x]) - 1
	}
	var order []int
	for colour := range 2 {
		for i := range s {
			if (i/m.L2+i%m.L2)%2 == colour {
				order = append(order, i)
			}
		}
	}
	var words [4]uint32
	for t := range order {
		if t%4 == 0 {
			words[0], words[1], words[2], words[3] = stream.Block()
		}
		i := order[t]
		if back {
			i = order[len(order)-1-t]
		}
		y, x := i/m.L2, i%m.L2
		field := up(y-1, x) + up(y+1, x) + up(y, x-1) + up(y, x+1)
		p := num.Sigmoid(num.Mul(2, num.Mul(b*m.k, float64(field))))
		s[i] = 0
		if uint64(words[t%4]) < uint64(num.Mul(p, 1<<32)) {
			s[i] = 1
		}
	}
}

// TestIsingPlain checks that sweeps are identical to plainHeatBath, bit for bit, and that the sums over bonds match the
// states.
func TestIsingPlain(t *testing.T) {
	const n = 5
	ladder := []float64{0, .5, 1}
	for c, l := range []struct {
		l1, l2 int
		torus  bool
	}{{6, 8, true}, {5, 7, false}, {3, 5, true}, {2, 4, true}} {
		m := newIsing(t, l.l1, l.l2, l.torus, .44)
		p := m.New(n, ladder).(*population)
		p.Draw(rng.At{Key: rng.NewKey(5, "plain", c)})
		rungs := make([]int32, n)
		for step := range 6 {
			at := rng.At{Key: rng.NewKey(5, "plain", c), Step: uint32(step + 1)}
			want := slices.Clone(p.spins)
			for r := range rungs {
				rungs[r] = int32((r + step) % 3)
				plainHeatBath(m, at.Row(r), want[r*l.l1*l.l2:(r+1)*l.l1*l.l2], ladder[rungs[r]], step%2 == 1)
			}
			p.Move(at, rungs, step%2 == 1)
			if !slices.Equal(p.spins, want) {
				t.Fatalf("%v, step %d: states differ from the plain sweep", l, step)
			}
			for r := range n {
				kept := p.bondSums[r]
				if p.sumBonds(r); p.bondSums[r] != kept {
					t.Fatalf("%v, step %d: sum over bonds = %d, want %d", l, step, kept, p.bondSums[r])
				}
			}
		}
	}
}
