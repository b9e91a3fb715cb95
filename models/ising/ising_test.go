package ising

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// kinds reads files of the family.
var kinds = models.Kinds{&Kind}

func newIsing(t testing.TB, l1, l2 int, torus bool, k float64) *Lattice {
	t.Helper()
	m, err := New(Params{L1: l1, L2: l2, Periodic: torus, J: 1}, k)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bonds returns sum_<ij> s_i s_j by the definition: a bond to the right and a bond down from every site, periodic or
// not.
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

// bruteIsing returns log Z by a sum over all states, through the counts of bond sums.
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

// TestIsingExact compares Kaufman's formula and the transfer matrix with the sum over all states, for every lattice of
// sides 1 to 5 (to 16 spins with -short), at high and low temperatures and with both signs of the coupling; sides of 1
// have self bonds, sides of 2 double ones. It fails if g_0 in Kaufman's formula loses its sign, or if the scale of the
// last row of an open lattice is counted twice.
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
					total, _ := labtest.SumBlocks(m, models.MaxExactUnits)
					labtest.Near(t, what+", transfer matrix", total, want[i], tol)
					labtest.Near(t, what+", Truth", m.Truth().LogZ, want[i], 100*tol)
					if torus && l1 > 1 && l2 > 1 && k > 0 {
						labtest.Near(t, what+", Kaufman", kaufman(l1, l2, k), want[i], 100*tol)
						labtest.Near(t, what+", Kaufman turned", kaufman(l2, l1, k), want[i], 100*tol)
					}
				}
			}
		}
	}
}

// TestIsingFree checks that a coupling too small for Kaufman's formula gives free spins.
func TestIsingFree(t *testing.T) {
	for _, beta := range []float64{1e-310, -1e-310, 1e-12} {
		m, err := New(Params{L1: 16, L2: 16, Periodic: true, J: 1}, beta)
		if err != nil {
			t.Fatal(err)
		}
		labtest.Near(t, "log Z", m.Truth().LogZ, 256*math.Ln2, 1e-12)
	}
}

// TestKaufmanAgainstTransfer compares the formula with the transfer matrix on larger lattices, down to very low
// temperatures.
func TestKaufmanAgainstTransfer(t *testing.T) {
	for _, l := range [][2]int{{5, 5}, {4, 7}, {6, 6}, {8, 3}, {9, 7}} {
		for _, k := range []float64{0.01, 0.3, 0.4406868, 1, 10, 50} {
			m := newIsing(t, l[0], l[1], true, k)
			total, _ := labtest.SumBlocks(m, models.MaxExactUnits)
			labtest.Near(t, fmt.Sprint(l, k), total, kaufman(l[0], l[1], k), 1e-9*(1+total))
		}
	}
}

// TestColdIsing checks that cold and wide lattices do not overflow: only the ground states contribute.
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
		labtest.Near(t, fmt.Sprint(c, " Truth"), m.Truth().LogZ, want, 1e-8)
		if c.torus && testing.Short() {
			continue
		}
		if total, blocks := labtest.SumBlocks(m, models.MaxExactUnits); len(blocks) > 0 {
			labtest.Near(t, fmt.Sprint(c, " transfer matrix"), total, want, 1e-8)
		}
	}
	// If no formula applies, Truth must be nil rather than wrong.
	for _, m := range []*Lattice{newIsing(t, 12, 12, true, 60), newIsing(t, 17, 17, false, 0.4),
		newIsing(t, 11, 13, true, -0.4)} {
		if tr := m.Truth(); tr != nil {
			t.Errorf("%d x %d at %v: Truth = %v, want nil", m.L1, m.L2, m.k, tr)
		}
		if _, err := m.LadderLogZ([]float64{0, 1}); err == nil {
			t.Errorf("%d x %d at %v: LadderLogZ returned no error", m.L1, m.L2, m.k)
		}
	}
	if _, err := New(Params{L1: 2, L2: 2}, math.NaN()); err == nil {
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
				labtest.SetBits(p, 0, state, n)
			} else { // Move updates the sum over bonds
				p.Move(rng.At{Key: rng.NewKey(2, "m", 0), Step: uint32(step)}, []int32{int32(step % 4)}, step%4 == 1)
				state = labtest.GetBits(p, 0, n)
			}
			p.LogF(1, len(out), out)
			for k, got := range out {
				labtest.Near(t, fmt.Sprint(c, " rung ", k+1), got, ladder[k+1]*0.7*float64(bonds(c.l1, c.l2, c.torus, state)),
					1e-12)
			}
		}
	}
}

// exactProbs returns the probabilities of every state at coupling k.
func exactProbs(l1, l2 int, torus bool, k float64) []float64 {
	logw := make([]float64, 1<<(l1*l2))
	for s := range logw {
		logw[s] = k * float64(bonds(l1, l2, torus, s))
	}
	return labtest.Normalize(logw)
}

// TestIsingDrawTarget compares DrawTarget with the exact distribution over all states. It fails if rows are drawn from
// the weights of later rows only, if lattices are transposed (2 x 4 and 4 x 2), or if the first row ignores the weight
// of its block.
func TestIsingDrawTarget(t *testing.T) {
	n := tier.Draws(30000)
	for _, c := range []struct {
		l1, l2 int
		torus  bool
		k      float64
	}{{3, 3, true, 0.3}, {3, 3, false, 0.5}, {2, 4, true, 0.2}, {4, 2, true, 0.2}, {2, 4, false, 0.4},
		{4, 2, false, 0.4}, {1, 6, true, 0.5}, {6, 1, false, 0.7}, {3, 2, true, -0.3}} {
		m := newIsing(t, c.l1, c.l2, c.torus, c.k)
		_, blocks := labtest.SumBlocks(m, models.MaxExactUnits)
		p := m.New(n, []float64{0, 1})
		models.RowCapabilitiesOf(p).DrawTarget(rng.At{Key: rng.NewKey(1, "target", 0)}, blocks, nil)
		size := c.l1 * c.l2
		count := make([]int, 1<<size)
		for r := range n {
			count[labtest.GetBits(p, r, size)]++
		}
		labtest.ChiSquare(t, fmt.Sprint(c), count, exactProbs(c.l1, c.l2, c.torus, c.k))
	}
}

// TestIsingDraw checks that Draw is uniform.
func TestIsingDraw(t *testing.T) {
	n := tier.Draws(50000)
	p := newIsing(t, 3, 3, true, 1).New(n, []float64{0, 1})
	p.Draw(rng.At{Key: rng.NewKey(5, "draw", 0)})
	count := make([]int, 512)
	for r := range n {
		count[labtest.GetBits(p, r, 9)]++
	}
	labtest.ChiSquare(t, "Draw", count, exactProbs(3, 3, true, 0))
}

// TestTruthIsing checks both public lattices at every inverse temperature, and along the path to the coldest one.
func TestTruthIsing(t *testing.T) {
	for _, name := range []string{"public_ising_4x4", "public_ising_4x4_open"} {
		t.Run(name, func(t *testing.T) {
			f := labtest.ReadTruth(t, name)
			want := f.LogZ.([]any)
			last := len(f.Betas) - 1
			var path []float64
			for i, b := range f.Betas {
				m := labtest.Open(t, f, spec.Values{"beta": spec.Decimal(b)}, kinds.ReadFile, models.FromFile)
				labtest.Near(t, fmt.Sprintf("Truth at %v", b), models.TruthOf(m).LogZ, want[i].(float64), f.Tol)
				total, _ := labtest.SumBlocks(models.CapabilitiesOf(m).Exact.Sum, models.MaxExactUnits)
				labtest.Near(t, fmt.Sprintf("sum of blocks at %v", b), total, want[i].(float64), f.Tol)
				path = append(path, b/f.Betas[last])
			}
			m := labtest.Open(t, f, spec.Values{"beta": spec.Decimal(f.Betas[last])}, kinds.ReadFile, models.FromFile)
			got, err := models.CapabilitiesOf(m).Exact.LadderLogZ(append([]float64{0}, path...))
			if err != nil {
				t.Fatal(err)
			}
			labtest.Near(t, "log Z(0)", got[0], 16*math.Ln2, 1e-12)
			for i := range path {
				labtest.Near(t, fmt.Sprintf("log Z(%v)", path[i]), got[i+1], want[i].(float64), f.Tol)
			}
		})
	}
}

// TestIsingFloorIsBelow checks that no floor exceeds the exact value, and that none is far below it. It fails if the
// entropy or a bond is counted twice.
func TestIsingFloorIsBelow(t *testing.T) {
	for _, k := range []float64{-1, -.5, -.2, .1, .3, .44, .6, 1} {
		for _, f := range []Params{{L1: 4, L2: 6, Periodic: true, J: 1}, {L1: 3, L2: 4, J: 1},
			{L1: 2, L2: 2, Periodic: true, J: 1}, {L1: 1, L2: 3, Periodic: true, J: 1}} {
			m, err := New(f, k)
			if err != nil {
				t.Fatal(err)
			}
			labtest.CheckFloor(t, fmt.Sprint("ising at ", k), m.Floor, m.Truth().LogZ, 4)
		}
	}
}

// TestIsingRead checks that pictures show spins.
func TestIsingRead(t *testing.T) {
	lattice := newIsing(t, 2, 3, true, 0.4).New(1, []float64{0, 1})
	labtest.SetBits(lattice, 0, 0b100110, 6)
	var f frame.Frame
	lattice.Read(1, &f)
	if f.W != 3 || f.H != 2 || fmt.Sprint(f.Pixels) != "[0 1 1 0 0 1]" {
		t.Errorf("picture is %d x %d, %v", f.W, f.H, f.Pixels)
	}
}

// TestIsingFaster checks that cluster sweeps are chosen on large lattices near and below the critical temperature,
// except for frustrated couplings.
func TestIsingFaster(t *testing.T) {
	for _, c := range []struct {
		l1, l2 int
		torus  bool
		k      float64
		whole  bool
	}{{16, 16, true, .5, false}, {24, 24, true, .44, true}, {24, 24, true, .3, false}, {24, 24, true, -.44, true},
		{24, 25, true, -.44, false}, {24, 25, false, -.44, true}} {
		if m := newIsing(t, c.l1, c.l2, c.torus, c.k); m.Faster().(*Lattice).clusterSweeps != c.whole || m.clusterSweeps {
			t.Errorf("%+v", c)
		}
	}
}
