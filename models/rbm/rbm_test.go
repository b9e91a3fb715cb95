package rbm

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"logzlab/core/diag"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/internal/answers"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// TestRBMLogF compares LogF of both forms with the formulas, at every rung and over parts of the ladder, after Load and
// after Move, which updates the inputs by the units that flipped.
func TestRBMLogF(t *testing.T) {
	ladder := []float64{0, 0.1, 0.37, 0.8, 1}
	for _, joint := range []bool{false, true} {
		for _, c := range [][2]int{{1, 1}, {3, 5}, {6, 4}, {1, 7}, {8, 1}} {
			p := randomRBM(3, c[0], c[1], 2)
			p.Joint = joint
			pop := newRBM(t, p).New(2, ladder)
			var want [][]float64
			for _, b := range ladder {
				table := jointTable(p, b)
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
					pop.Move(rng.At{Key: rng.NewKey(1, "m", 0), Step: uint32(step)}, labtest.Rungs(2, step%5), step%2 == 0)
				}
				state := labtest.GetBits(pop, 1, p.M, p.J)
				if !joint {
					state &= 1<<p.M - 1
				}
				lo := s.Intn(5)
				out := make([]float64, 1+s.Intn(5-lo))
				labtest.LogF(pop, 2, 1, lo, out)
				for k, got := range out {
					tol := 1e-11
					if !joint && ladder[lo+k] != 1 {
						tol = 1e-7 * float64(p.J) // of exponentials in float32
					}
					labtest.Near(t, fmt.Sprintf("joint %v, %v, rung %d", joint, c, lo+k), got, want[lo+k][state], tol)
				}
			}
		}
	}
}

// TestRBMGolden checks the published test vectors of an RBM: log f, the difference log f - log f_0 of the joint form,
// and the two conditional distributions of a Gibbs sweep, each by its draws.
func TestRBMGolden(t *testing.T) {
	b := answers.Read(t, "public_golden.json")
	var g struct {
		RBM struct {
			Model string      `json:"model"`
			V     [][]float64 `json:"V"`
			H     [][]float64 `json:"H"`
			Beta  float64     `json:"beta"`
			LogF  []float64   `json:"logf_marginal"`
			LogP1 []float64   `json:"logp1"`
			PH    [][]float64 `json:"p_h_given_v"`
			PV    [][]float64 `json:"p_v_given_h"`
			Delta []float64   `json:"Delta_joint"`
			DLogF []float64   `json:"dlogf"`
		} `json:"rbm"`
	}
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatal(err)
	}
	file := labtest.ReadTruth(t, g.RBM.Model)
	n := tier.Draws(20000)
	eps := 1e-3
	ladder := []float64{0, g.RBM.Beta - eps, g.RBM.Beta, g.RBM.Beta + eps, 1}
	for _, joint := range []bool{false, true} {
		form := map[bool]string{false: "marginal", true: "joint"}[joint]
		m := labtest.Open(t, file, spec.Values{"form": form}, kinds.ReadFile, models.FromFile)
		pop := m.New(n, ladder)
		const M, J = 24, 12
		tol := m.Info().Diagnostics["quantisation_bound"] + 1e-6
		for i, v := range g.RBM.V {
			state := toState(v) | toState(g.RBM.H[i])<<M
			for r := range n {
				labtest.SetBits(pop, r, state, M, J)
			}
			out := make([]float64, len(ladder))
			labtest.LogF(pop, n, 0, 0, out)
			if joint {
				labtest.Near(t, "log f_0 = log p1 - J log 2", out[0], g.RBM.LogP1[i]-J*math.Ln2, tol)
				labtest.Near(t, "Delta", out[4]-out[0], g.RBM.Delta[i], tol)
				// Back draws v given h: the conditional of the visible units at beta.
				pop.Move(rng.At{Key: rng.NewKey(7, "golden", i)}, labtest.Rungs(n, 2), true)
				conditional(t, "p(v|h)", pop, n, 0, M, g.RBM.PV[i])
				continue
			}
			labtest.Near(t, "log f_0 = log p1", out[0], g.RBM.LogP1[i], tol)
			labtest.Near(t, "log f_beta", out[2], g.RBM.LogF[i], tol)
			// 1e-7 nat of float32 exponentials over 2 eps
			labtest.Near(t, "d log f / d beta", (out[3]-out[1])/(2*eps), g.RBM.DLogF[i], 1e-4)
			sloped(t, models.RowCapabilitiesOf(pop).Slopes, n, ladder, g.RBM.DLogF[i], tol)
			pop.Move(rng.At{Key: rng.NewKey(7, "golden", i)}, labtest.Rungs(n, 2), false)
			conditional(t, "p(h|v)", pop, n, M, J, g.RBM.PH[i])
		}
	}
}

// sloped checks the derivatives of n equal rows. The first derivative at rung 2 must be want; the second must equal
// finite differences of the first within 1e-4, which catches a factor of beta, and x in place of x^2. The interpolated
// derivatives of the whole ladder may differ by 1e-3 for each of the 12 units.
func sloped(t *testing.T, pop models.Slopes, n int, ladder []float64, want, tol float64) {
	t.Helper()
	d, curve, all := make([]float64, n), make([]float64, n), make([]float64, n*len(ladder))
	var first [5]float64
	for k := range first {
		pop.SlopeAt(labtest.Rungs(n, k), d, curve)
		first[k] = d[n-1]
		if k == 2 {
			labtest.Near(t, "slope", d[0], want, tol)
			want = curve[0]
		}
	}
	labtest.Near(t, "curvature", (first[3]-first[1])/(ladder[3]-ladder[1]), want, 1e-4)
	pop.SlopesAtAll(all)
	for k, got := range all[:len(ladder)] {
		labtest.Near(t, "fitted slope", got, first[k], 12e-3)
	}
}

func toState(x []float64) (s int) {
	for i, b := range x {
		s |= int(b) << i
	}
	return
}

// conditional compares the frequencies of units at..at+k-1 with p, |z| < 4.
func conditional(t *testing.T, what string, pop models.Population, n, at, k int, p []float64) {
	t.Helper()
	m := labtest.Moments{N: float64(n)}
	for i := range k {
		m.Expect(p[i], p[i]*(1-p[i]), "unit %d", i)
	}
	for r := range n {
		s := labtest.GetBits(pop, r, 24, 12)
		for i := range k {
			m.Sum[i] += labtest.Bit(s, at+i)
		}
	}
	m.Test(t, what)
}

// TestRBMDrawTarget compares DrawTarget with the exact joint distribution, with the hidden and with the visible layer
// enumerated. It catches the other layer drawn at beta = 0.9.
func TestRBMDrawTarget(t *testing.T) {
	n := tier.Draws(30000)
	for _, c := range []struct {
		M, J  int
		scale float64
	}{{3, 5, 1.5}, {5, 3, 1.5}, {4, 4, 1}, {1, 1, 2}, {3, 4, 120}} {
		p := randomRBM(4, c.M, c.J, c.scale)
		m := newRBM(t, p)
		_, blocks := labtest.SumBlocks(m, models.MaxExactUnits)
		pop := m.New(n, []float64{0, 1})
		models.RowCapabilitiesOf(pop).DrawTarget(rng.At{Key: rng.NewKey(1, "target", 0)}, blocks, nil)
		count := make([]int, 1<<(c.M+c.J))
		for r := range n {
			count[labtest.GetBits(pop, r, c.M, c.J)]++
		}
		labtest.ChiSquare(t, fmt.Sprint(c), count, labtest.Normalize(jointTable(p, 1)))
	}
}

// TestRBMDrawTargetBlocks checks the means of all visible units and of pairs for enumerations with several blocks. It
// catches a block that is drawn but not used in the state.
func TestRBMDrawTargetBlocks(t *testing.T) {
	n := tier.Draws(5000)
	for _, c := range [][2]int{{11, 13}, {13, 11}} {
		p := randomRBM(5, c[0], c[1], 0.8)
		m := newRBM(t, p)
		_, blocks := labtest.SumBlocks(m, models.MaxExactUnits)
		pv := make([]float64, 1<<p.M)
		pop1 := m.New(1, []float64{0, 1})
		for v := range pv {
			labtest.SetBits(pop1, 0, v, p.M, p.J)
			pop1.LogF(1, 1, pv[v:v+1])
		}
		pv = labtest.Normalize(pv)
		pop := m.New(n, []float64{0, 1})
		models.RowCapabilitiesOf(pop).DrawTarget(rng.At{Key: rng.NewKey(2, "target", 0), Slot: 5}, blocks, nil)
		mo := labtest.BitMoments(p.M, pv, n)
		for r := range n {
			mo.AddBits(p.M, labtest.GetBits(pop, r, p.M, p.J))
		}
		mo.Test(t, fmt.Sprint("blocks ", c))
	}
}

// TestRBMDraw checks that Draw samples v from the base rates and h uniformly. It catches base rates that are clipped
// more in the density than in the draw.
func TestRBMDraw(t *testing.T) {
	n := tier.Draws(40000)
	p := randomRBM(6, 5, 4, 2)
	pop := newRBM(t, p).New(n, []float64{0, 1})
	pop.Draw(rng.At{Key: rng.NewKey(1, "draw", 0)})
	count := make([]int, 1<<9)
	for r := range n {
		count[labtest.GetBits(pop, r, 5, 4)]++
	}
	labtest.ChiSquare(t, "Draw", count, labtest.Normalize(jointTable(p, 0)))
	// Rates at or beyond .05 and .95 are clipped.
	p.P1 = []float64{0, 1, .05, .95, .5}
	pop = newRBM(t, p).New(n, []float64{0, 1})
	pop.Draw(rng.At{Key: rng.NewKey(2, "draw", 0)})
	m := labtest.Moments{N: float64(n)}
	for i, q := range []float64{.05, .95, .05, .95, .5} {
		m.Expect(q, q*(1-q), "v_%d", i)
	}
	for r := range n {
		s := labtest.GetBits(pop, r, 5, 4)
		for i := range m.Sum {
			m.Sum[i] += labtest.Bit(s, i)
		}
	}
	m.Test(t, "clipped base rates")
}

// TestBaseGuessed checks the rules of contract.md, section Model files, for files without base rates.
func TestBaseGuessed(t *testing.T) {
	build := func(M, J int, p1 []float64) *Model {
		p := randomRBM(7, M, J, 0.5)
		p.C[0] = 9 // sigmoid 0.9999: clipped when guessed from the biases
		f := Params{M: M, J: J, W: p.W, C: p.C, B: p.B, P1: p1}
		m, err := models.FromFile("own", f, spec.Values{"form": "marginal"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m.(*Model)
	}
	logit := func(m *Model, i int) float64 { return float64(m.baseLogits[i]) * m.unit }

	given := build(6, 4, []float64{0, .2, .3, .4, .5, 1})
	if len(given.Info().Flags) != 0 || given.BaseBlocks() != 0 || given.FoundBase() != nil {
		t.Errorf("base rates of the file: flags %v", given.Info().Flags)
	}
	for i, want := range []float64{.05, .2, .3, .4, .5, .95} {
		labtest.Near(t, "given base rate", num.Sigmoid(logit(given, i)), want, 1e-8)
	}

	// Small: E[v], at once.
	small := build(6, 4, nil)
	if !slices.Equal(small.Info().Flags, []diag.Flag{"base_guessed"}) || small.BaseBlocks() != 0 {
		t.Errorf("enumerated base rates: flags %v, %d blocks", small.Info().Flags, small.BaseBlocks())
	}
	p := randomRBM(7, 6, 4, 0.5)
	p.C[0] = 9
	pv := labtest.Normalize(marginal(p, jointTable(p, 1)))
	for i := range 6 {
		want := 0.0
		for v, q := range pv {
			want += q * labtest.Bit(v, i)
		}
		labtest.Near(t, "enumerated base rate", num.Sigmoid(logit(small, i)), min(max(want, .05), .95), 1e-8)
	}

	// At most 20 units in the smaller layer, but much work: base rates are computed by the caller.
	waits := build(900, 20, nil)
	if waits.BaseBlocks() != 1<<10 || !slices.Equal(waits.Info().Flags, []diag.Flag{"base_guessed"}) {
		t.Errorf("900 x 20: %d blocks, flags %v", waits.BaseBlocks(), waits.Info().Flags)
	}
	found, err := waits.WithBase(slices.Repeat([]float64{.25}, 900), nil)
	if err != nil {
		t.Fatal(err)
	}
	done := found.(*Model)
	if err != nil || done.BaseBlocks() != 0 || !slices.Equal(done.Info().Flags, []diag.Flag{"base_guessed"}) {
		t.Errorf("WithBase: %v, flags %v", err, done.Info().Flags)
	}
	labtest.Near(t, "WithBase", num.Sigmoid(logit(done, 700)), .25, 1e-8)

	// Larger: the logistic of the visible biases, clipped.
	big := build(30, 21, nil)
	if big.BaseBlocks() != 0 || !slices.Equal(big.Info().Flags, []diag.Flag{"base_guessed"}) {
		t.Errorf("30 x 21: flags %v, %d blocks", big.Info().Flags, big.BaseBlocks())
	}
	c := randomRBM(7, 30, 21, 0.5).C
	labtest.Near(t, "guessed base rate", logit(big, 0), math.Log(19), 1e-6)
	labtest.Near(t, "guessed base rate", logit(big, 3), c[3], 1e-6)
}

// TestRBMRead checks the sizes of pictures, and the cells without a unit.
func TestRBMRead(t *testing.T) {
	var f frame.Frame
	rbm := newRBM(t, randomRBM(1, 5, 3, 1)) // 5 units in a 3 x 2 picture
	pop := rbm.New(2, []float64{0, 1})
	labtest.SetBits(pop, 0, 0b10110, 5, 3)
	labtest.SetBits(pop, 1, 0b01001, 5, 3)
	pop.Read(2, &f)
	if f.W != 3 || f.H != 2 || fmt.Sprint(f.Pixels) != "[0 1 1 0 1 2 1 0 0 1 0 2]" {
		t.Errorf("rbm: %d x %d, %v", f.W, f.H, f.Pixels)
	}
	p := randomRBM(1, 6, 3, 1)
	p.Picture = [2]int{6, 1}
	if i := newRBM(t, p).Info(); i.W != 6 || i.H != 1 || i.Dim != 6 {
		t.Errorf("a stated picture: %+v", i)
	}
}

// TestShades checks that, if every cell is a unit, frames have the units' probabilities given the hidden units, which
// agree with many draws.
func TestShades(t *testing.T) {
	const n, beta = 4000, .5
	p := randomRBM(2, 6, 3, 1)
	p.Picture = [2]int{3, 2}
	pop := newRBM(t, p).New(n, []float64{0, beta, 1})
	var f frame.Frame
	pop.Read(n, &f)
	if len(f.Shades) != 0 {
		t.Error("frames have probabilities before the first sweep")
	}
	pop.Draw(rng.At{Key: rng.NewKey(1, "shades", 0)})
	pop.Read(n, &f)
	for i, on := range p.P1 {
		labtest.Near(t, "of the base", float64(f.Shades[i])/255, on, .003)
	}
	pop.Move(rng.At{Key: rng.NewKey(2, "shades", 0)}, labtest.Rungs(n, 1), false)
	pop.Read(n, &f)
	for i := range p.M {
		told, on, spread := 0.0, 0.0, 0.0
		for r := range n {
			q := float64(f.Shades[r*p.M+i]) / 255
			told, on, spread = told+q, on+float64(f.Pixels[r*p.M+i]), spread+q*(1-q)
		}
		if off := math.Abs(told-on) - n*.002; off > 4*math.Sqrt(spread) {
			t.Errorf("unit %d: on in %v of %d rows, expected %v", i, on, n, told)
		}
	}
}
