package rbm

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// averaged is a small machine on the path of averaged moments.
func averaged(t *testing.T, seed, M, J int, joint bool) (*Machine, Params) {
	t.Helper()
	p := randomRBM(seed, M, J, 1.5)
	p.Joint, p.Moments = joint, true
	return newRBM(t, p), p
}

// momentTable is log f_beta(v, h) of every state v + 2^M h: of the machine whose parameters lie between those of the
// knots beside beta, less (1-beta) log Z of the base's form without p1's normalisation.
func momentTable(m *Machine, beta float64) []float64 {
	k := min(int(8*beta), 7)
	t := 8*beta - float64(k)
	a, b := m.momentPath().machine(m, float64(k)/8), m.momentPath().machine(m, float64(k+1)/8)
	for _, x := range [][2][]float64{{a.W, b.W}, {a.C, b.C}, {a.B, b.B}} {
		for i := range x[0] {
			x[0][i] = (1-t)*x[0][i] + t*x[1][i]
		}
	}
	a.P1 = slices.Repeat([]float64{.5}, m.M)
	shift := -float64(m.J) * math.Ln2
	for _, lg := range m.lg {
		shift -= math.Log1p(math.Exp(float64(lg) * m.unit))
	}
	out := jointTable(a, 1)
	for i := range out {
		out[i] += (1 - beta) * shift
	}
	return out
}

// Densities and slopes in both forms against the formula, at every rung and over parts of the ladder, after loads and
// after moves; both ends are those of the geometric path. Rounding to 2^-21 and better and float32 exponentials make
// about 1e-6. It catches the sums of another knot, or of a state before, the factor 8 of slopes left out, and curvature
// with on for on (1-on).
func TestMomentsLogF(t *testing.T) {
	ladder := []float64{0, .0999, .1, .1001, .3, .6249, .625, .6251, .97, 1}
	for _, joint := range []bool{false, true} {
		for _, c := range [][2]int{{1, 1}, {3, 5}, {6, 4}} {
			m, p := averaged(t, 3, c[0], c[1], joint)
			pop := m.New(2, ladder)
			var want [][]float64
			for _, b := range ladder {
				table := momentTable(m, b)
				if b == 0 || b == 1 {
					for s, x := range jointTable(p, b) {
						labtest.Near(t, "an end of the path", table[s], x, 1e-5)
					}
				}
				if !joint {
					table = marginal(p, table)
				}
				want = append(want, table)
			}
			s := rng.NewKey(1, "logf", 0).Stream(0, 0, 0)
			for step := range 40 {
				if step%4 == 0 {
					labtest.SetBits(pop, 1, s.Intn(1<<(p.M+p.J)), p.M, p.J)
				} else {
					pop.Move(rng.At{Key: rng.NewKey(1, "m", 0), Step: uint32(step)}, labtest.Rungs(2, step%10), step%2 == 0)
				}
				if step%7 == 0 {
					pop.Copy(0, 1)
				}
				row := step % 2
				state := labtest.GetBits(pop, row, p.M, p.J)
				if !joint {
					state &= 1<<p.M - 1
				}
				lo := s.Intn(10)
				out := make([]float64, 1+s.Intn(10-lo))
				labtest.LogF(pop, 2, row, lo, out)
				for k, got := range out {
					labtest.Near(t, fmt.Sprintf("joint %v, %v, rung %d", joint, c, lo+k), got, want[lo+k][state], 3e-6)
				}
				d, curve, all := make([]float64, 2), make([]float64, 2), make([]float64, 20)
				models.RowsCan(pop).Slopes.Slopes(all)
				var first [10]float64
				for k := range ladder {
					models.RowsCan(pop).Slopes.Slope(labtest.Rungs(2, k), d, curve)
					labtest.Near(t, "slopes", all[10*row+k], d[row], 0)
					first[k] = d[row]
					if k == 2 {
						labtest.Near(t, "slope", d[row], (want[3][state]-want[1][state])/2e-4, 1e-3)
						second := curve[row]
						models.RowsCan(pop).Slopes.Slope(labtest.Rungs(2, 3), d, curve)
						labtest.Near(t, "curvature", (d[row]-first[1])/2e-4, second, 2e-3*(1+second))
					}
				}
				labtest.Near(t, "slope at a knot", first[6], (first[5]+first[7])/2, 1e-2)
			}
		}
	}
}

// One Move from a fixed state has the transition probabilities of block Gibbs on f_beta, inside sub-paths, at knots and
// at both ends. It catches sums of one knot alone.
func TestMomentsTransitions(t *testing.T) {
	n := tier.Draws(20000)
	ladder := []float64{0, .19, .5, 1}
	for _, joint := range []bool{false, true} {
		m, p := averaged(t, 9, 3, 2, joint)
		pop := m.New(n, ladder)
		for rung, beta := range ladder {
			for _, back := range []bool{false, true} {
				const start = 0b10110
				for r := range n {
					labtest.SetBits(pop, r, start, p.M, p.J)
				}
				pop.Move(rng.At{Key: rng.NewKey(2, "rbm", 1), Step: uint32(rung)}, labtest.Rungs(n, rung), back)
				count := make([]int, 1<<(p.M+p.J))
				for r := range n {
					count[labtest.GetBits(pop, r, p.M, p.J)]++
				}
				q := p
				q.P1 = slices.Repeat([]float64{.5}, p.M)
				at := m.momentPath().machine(m, beta)
				q.W, q.C, q.B = at.W, at.C, at.B
				labtest.Fit(t, fmt.Sprintf("joint %v, beta %v, back %v", joint, beta, back), count,
					transition(q, 1, start, back && joint, false))
			}
		}
	}
}

// The means of v h', v and h at knot k are those of base and target, weighted by 1-k/8 and k/8, and so the linear
// schedule costs what it does on the geometric path ([Grosse2013], section 5): with steps theta_k and means s_k of the
// knots, 8 sum (theta_{k+1} - theta_k).(s_{k+1} - s_k) = (theta_8 - theta_0).(s_8 - s_0). log Z(beta) is that of the
// enumeration. Means are off by up to .013; without the fit by .13, and with a quarter of its rate by .035.
func TestMomentsMeans(t *testing.T) {
	m, p := averaged(t, 5, 6, 4, false)
	var theta, s [momentParts + 1][]float64
	var betas []float64
	for k := range theta {
		beta := float64(k) / momentParts
		betas = append(betas, beta)
		at := m.momentPath().machine(m, beta)
		theta[k] = slices.Concat(at.W, at.C, at.B)
		s[k] = make([]float64, len(theta[k]))
		for state, q := range labtest.Probs(momentTable(m, beta)) {
			for i := range p.M {
				v := labtest.Bit(state, i)
				s[k][p.M*p.J+i] += q * v
				for j := range p.J {
					s[k][i*p.J+j] += q * v * labtest.Bit(state, p.M+j)
				}
			}
			for j := range p.J {
				s[k][p.M*p.J+p.M+j] += q * labtest.Bit(state, p.M+j)
			}
		}
	}
	worst := 0.0
	for k, x := range s {
		b := betas[k]
		for i, mean := range x {
			worst = max(worst, math.Abs(mean-(1-b)*s[0][i]-b*s[momentParts][i]))
		}
	}
	if worst > .02 {
		t.Errorf("means are off by %.3f", worst)
	}
	dot := func(a, b int) (sum float64) {
		for i := range theta[a] {
			sum += (theta[b][i] - theta[a][i]) * (s[b][i] - s[a][i])
		}
		return sum
	}
	cost := 0.0
	for k := range momentParts {
		cost += momentParts * dot(k, k+1)
	}
	if whole := dot(0, momentParts); math.Abs(cost/whole-1) > .03 {
		t.Errorf("the linear schedule costs %.3f, on the geometric path %.3f", cost/2, whole/2)
	} else {
		t.Logf("means off by %.4f, cost %.3f, want %.3f", worst, cost/2, whole/2)
	}
	got, err := m.LadderLogZ(append(betas, .3))
	if err != nil {
		t.Fatal(err)
	}
	for k, beta := range append(betas, .3) {
		sum := 0.0
		for _, x := range momentTable(m, beta) {
			sum += math.Exp(x)
		}
		labtest.Near(t, "log Z", got[k], math.Log(sum), 1e-5)
	}
	if _, err := (newRBM(t, Params{M: 30, J: 30, W: make([]float64, 900), C: make([]float64, 30),
		B: make([]float64, 30), P1: slices.Repeat([]float64{.5}, 30), Moments: true})).LadderLogZ(betas); err == nil {
		t.Error("900 weights are enumerated")
	}
}

// A fit depends on the model alone; files choose it by path, and with a drawing it is that of the free units. Machines
// beyond the target's unit are shrunk into it.
func TestMomentsOpen(t *testing.T) {
	p := randomRBM(7, 9, 3, 1)
	for _, clamp := range []string{"", "2i2-0p"} {
		open := func(path string) models.Model {
			m, err := p.Open("own", "", spec.Values{"path": path, "clamp": clamp}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		run := func(m models.Model) (out []float64) {
			pop := m.New(3, []float64{0, .5, 1})
			at := rng.At{Key: rng.NewKey(1, "open", 0)}
			pop.Draw(at)
			for range 3 {
				at.Step++
				pop.Move(at, labtest.Rungs(3, 1), false)
			}
			out = make([]float64, 9)
			pop.LogF(0, 3, out)
			pop.Read(3, &frame.Frame{})
			return out
		}
		a, b := open("moments"), open("moments")
		x := run(a)
		if !slices.Equal(x, run(b)) {
			t.Errorf("clamp %q: two fits differ", clamp)
		}
		if slices.Equal(x, run(open("geometric"))) {
			t.Errorf("clamp %q: the path is geometric", clamp)
		}
		labtest.Near(t, "log Z", models.TruthOf(a).LogZ, models.TruthOf(open("geometric")).LogZ, 0)
		ladder, err := models.Can(a).Exact.LadderLogZ([]float64{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		labtest.Near(t, "log Z(0)", ladder[0], a.LogZ0(), 1e-6)
		labtest.Near(t, "log Z(1)", ladder[1], models.TruthOf(a).LogZ, 1e-6)
	}
	m := newRBM(t, p)
	f := &momentFit{Machine: m}
	x := newSufficient(m.M, m.J)
	for i := range x.vh {
		x.vh[i] = 1e7
	}
	net := f.net(x)
	if w := int64(net.VH.At(0, 0)); w*int64(max(m.M, m.J)) >= 1<<30 || w < 1<<26 {
		t.Errorf("large weights become %d", w)
	}
}
