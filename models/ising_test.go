package models

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"logzlab/core/rng"
)

func newIsing(t testing.TB, l1, l2 int, torus bool, k float64) *Ising {
	t.Helper()
	m, err := NewIsing(IsingParams{L1: l1, L2: l2, Periodic: torus, J: 1}, k)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bonds is sum_<ij> s_i s_j from the definition: a bond to the right and a bond
// down from every site, around the torus or not.
func bonds(l1, l2 int, torus bool, state int) (sum int) {
	s := func(y, x int) int { return 2*(state>>(y%l1*l2+x%l2)&1) - 1 }
	for y := range l1 {
		for x := range l2 {
			if torus || x+1 < l2 {
				sum += s(y, x) * s(y, x+1)
			}
			if torus || y+1 < l1 {
				sum += s(y, x) * s(y+1, x)
			}
		}
	}
	return
}

// bruteIsing is log Z by the sum over all states, through the counts of bond sums.
func bruteIsing(l1, l2 int, torus bool, ks []float64) []float64 {
	n := l1 * l2
	count := map[int]float64{}
	for s := range 1 << n {
		count[bonds(l1, l2, torus, s)]++
	}
	out := make([]float64, len(ks))
	for i, k := range ks {
		var terms []float64
		for e, c := range count {
			terms = append(terms, math.Log(c)+k*float64(e))
		}
		out[i] = floats.LogSumExp(terms)
	}
	return out
}

// Kaufman's formula, the transfer matrix and the sum over all states agree on
// every lattice of sides 1 to 5 (to 4 x 5 with -short), hot and cold, also
// antiferromagnets; sides of 1 have self bonds, sides of 2 double ones.
// It catches the unsigned g_0 of Kaufman's formula, and a scale of the last row
// of an open lattice counted twice.
func TestIsingExact(t *testing.T) {
	ks := []float64{-1.7, -0.44, -0.05, 1e-7, 0.1, 0.44068679350977147, 0.9, 4, 40}
	for l1 := 1; l1 <= 5; l1++ {
		for l2 := 1; l2 <= 5; l2++ {
			if l1*l2 > 20 || testing.Short() && l1*l2 > 16 {
				continue
			}
			for _, torus := range []bool{true, false} {
				want := bruteIsing(l1, l2, torus, ks)
				for i, k := range ks {
					what := fmt.Sprintf("%d x %d, torus %v, k = %v", l1, l2, torus, k)
					tol := 1e-11 * (10 + math.Abs(want[i]))
					m := newIsing(t, l1, l2, torus, k)
					total, _ := allExact(m)
					near(t, what+", transfer matrix", total, want[i], tol)
					near(t, what+", Truth", m.Truth().LogZ, want[i], 100*tol)
					if torus && l1 > 1 && l2 > 1 && k > 0 {
						near(t, what+", Kaufman", kaufman(l1, l2, k), want[i], 100*tol)
						near(t, what+", Kaufman turned", kaufman(l2, l1, k), want[i], 100*tol)
					}
				}
			}
		}
	}
}

// A coupling too small for Kaufman's formula leaves free spins.
func TestIsingFree(t *testing.T) {
	for _, beta := range []float64{1e-310, -1e-310, 1e-12} {
		m, err := NewIsing(IsingParams{L1: 16, L2: 16, Periodic: true, J: 1}, beta)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "log Z", m.Truth().LogZ, 256*math.Ln2, 1e-12)
	}
}

// Larger lattices: Kaufman against the transfer matrix, up to its coldest.
func TestKaufmanAgainstTransfer(t *testing.T) {
	for _, l := range [][2]int{{5, 5}, {4, 7}, {6, 6}, {8, 3}, {9, 7}} {
		for _, k := range []float64{0.01, 0.3, 0.4406868, 1, 10, 50} {
			m := newIsing(t, l[0], l[1], true, k)
			total, _ := allExact(m)
			near(t, fmt.Sprint(l, k), total, kaufman(l[0], l[1], k), 1e-9*(1+total))
		}
	}
}

// Cold and wide lattices must not overflow: the ground states alone count.
func TestColdIsing(t *testing.T) {
	for _, c := range []struct {
		l1, l2 int
		torus  bool
		k      float64
		bonds  int
		states float64
	}{{10, 12, true, 50, 240, 2}, {16, 16, false, 50, 480, 2}, {16, 10, false, -48, 294, 2}, {10, 10, true, -50, 200, 2},
		{10, 10, true, 50, 200, 2}} {
		m := newIsing(t, c.l1, c.l2, c.torus, c.k)
		want := math.Abs(c.k)*float64(c.bonds) + math.Log(c.states)
		near(t, fmt.Sprint(c, " Truth"), m.Truth().LogZ, want, 1e-8)
		if c.torus && testing.Short() {
			continue
		}
		if total, blocks := allExact(m); len(blocks) > 0 {
			near(t, fmt.Sprint(c, " transfer matrix"), total, want, 1e-8)
		}
	}
	// Beyond the reach of every formula there is no truth, rather than a wrong one.
	for _, m := range []*Ising{newIsing(t, 12, 12, true, 60), newIsing(t, 17, 17, false, 0.4),
		newIsing(t, 11, 13, true, -0.4)} {
		if tr := m.Truth(); tr != nil {
			t.Errorf("%d x %d at %v: truth %v", m.L1, m.L2, m.k, tr)
		}
		if _, err := m.LadderLogZ([]float64{0, 1}); err == nil {
			t.Errorf("%d x %d at %v: a ladder", m.L1, m.L2, m.k)
		}
	}
	if _, err := NewIsing(IsingParams{L1: 2, L2: 2}, math.NaN()); err == nil {
		t.Error("beta = NaN is accepted")
	}
}

func TestIsingLogF(t *testing.T) {
	ladder := []float64{0, 0.25, 0.5, 1}
	for _, c := range []struct {
		l1, l2 int
		torus  bool
	}{{1, 1, true}, {1, 5, true}, {2, 2, true}, {2, 3, true}, {3, 3, true}, {3, 4, false}, {4, 1, false}} {
		n := c.l1 * c.l2
		m := newIsing(t, c.l1, c.l2, c.torus, 0.7)
		p := m.New(1, ladder)
		s := rng.NewKey(1, "ising", n).Stream(0, 0, 0)
		out := make([]float64, 3)
		for step := range 60 {
			state := s.Intn(1 << n)
			if step%2 == 0 {
				setBits(p, 0, state, n)
			} else { // Move keeps its own count of the bonds
				p.Move(rng.At{Key: rng.NewKey(2, "m", 0), Step: uint32(step)}, []int32{int32(step % 4)}, step%4 == 1)
				state = getBits(p, 0, n)
			}
			p.LogF(1, len(out), out)
			for k, got := range out {
				near(t, fmt.Sprint(c, " rung ", k+1), got, ladder[k+1]*0.7*float64(bonds(c.l1, c.l2, c.torus, state)), 1e-12)
			}
		}
	}
}

// isingProbs are the probabilities of every state at coupling k.
func isingProbs(l1, l2 int, torus bool, k float64) []float64 {
	logw := make([]float64, 1<<(l1*l2))
	for s := range logw {
		logw[s] = k * float64(bonds(l1, l2, torus, s))
	}
	return probs(logw)
}

// DrawTarget against the exact distribution over all states. It catches rows
// drawn from the forward message alone, transposed lattices (2 x 4 against
// 4 x 2), and a first row that ignores its block's weight.
func TestIsingDrawTarget(t *testing.T) {
	n := draws(30000)
	for _, c := range []struct {
		l1, l2 int
		torus  bool
		k      float64
	}{{3, 3, true, 0.3}, {3, 3, false, 0.5}, {2, 4, true, 0.2}, {4, 2, true, 0.2}, {2, 4, false, 0.4},
		{4, 2, false, 0.4}, {1, 6, true, 0.5}, {6, 1, false, 0.7}, {3, 2, true, -0.3}} {
		m := newIsing(t, c.l1, c.l2, c.torus, c.k)
		_, blocks := allExact(m)
		p := m.New(n, []float64{0, 1})
		p.(TargetDrawer).DrawTarget(rng.At{Key: rng.NewKey(1, "target", 0)}, blocks, nil)
		size := c.l1 * c.l2
		count := make([]int, 1<<size)
		for r := range n {
			count[getBits(p, r, size)]++
		}
		fit(t, fmt.Sprint(c), count, isingProbs(c.l1, c.l2, c.torus, c.k))
	}
}

// heatBath is the exact distribution after one sweep from state: sites in
// order, black (even x + y) before white, or all in the opposite order.
func heatBath(l1, l2 int, torus bool, k float64, state int, back bool) []float64 {
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

// One sweep from a fixed state has exactly the transition probabilities of the
// heat bath, forward and back, at several rungs. It catches double bonds counted
// once, a field that misses neighbours, half the coupling, and a back sweep in the
// order of the forward one. Odd tori, where sites of one colour touch, included.
func TestIsingTransitions(t *testing.T) {
	n := draws(20000)
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
					setBits(p, r, state, size)
				}
				p.Move(rng.At{Key: rng.NewKey(4, "ising", c), Step: uint32(rung)}, rungs(n, rung), back)
				count := make([]int, 1<<size)
				for r := range n {
					count[getBits(p, r, size)]++
				}
				fit(t, fmt.Sprint(l, " rung ", rung, " back ", back), count, heatBath(l.l1, l.l2, l.torus, beta*k, state, back))
			}
		}
	}
}

// Draw is uniform.
func TestIsingDraw(t *testing.T) {
	n := draws(50000)
	p := newIsing(t, 3, 3, true, 1).New(n, []float64{0, 1})
	p.Draw(rng.At{Key: rng.NewKey(5, "draw", 0)})
	count := make([]int, 512)
	for r := range n {
		count[getBits(p, r, 9)]++
	}
	fit(t, "Draw", count, isingProbs(3, 3, true, 0))
}
