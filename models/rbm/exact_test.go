package rbm

import (
	"fmt"
	"math"
	"testing"

	"logzlab/internal/labtest"
	"logzlab/models"

	"gonum.org/v1/gonum/floats"
)

// TestRBMTruthLadders checks every public value of the kind, at beta = 1 and along the ladder. The model evaluated is
// the quantised one, whose shift is bounded.
func TestRBMTruthLadders(t *testing.T) {
	for _, name := range []string{"public_rbm_tiny", "public_rbm_bas9_cd1", "public_rbm_24x12"} {
		t.Run(name, func(t *testing.T) {
			f := labtest.ReadTruth(t, name)
			m := labtest.Open(t, f, nil, kinds.ReadFile, models.FromFile)
			tol := f.Tol + 1e-9 + m.Info().Diagnostics["quantisation_bound"]
			want := f.LogZ.(float64)
			labtest.Near(t, "Truth", models.TruthOf(m).LogZ, want, tol)
			if e := models.CapabilitiesOf(m).Exact.Sum; e != nil {
				total, _ := labtest.SumBlocks(e, models.MaxExactUnits)
				labtest.Near(t, "sum of blocks", total, want, tol)
			}
			got, err := models.CapabilitiesOf(m).Exact.LadderLogZ(f.Betas)
			if err != nil {
				t.Fatal(err)
			}
			for k, x := range got {
				labtest.Near(t, fmt.Sprintf("log Z(%.1f)", f.Betas[k]), x, f.LogZs[k], tol)
			}
		})
	}
}

// TestRBMEnumeration compares enumeration in blocks, in both orientations, with one block and with several, and for
// weights so large that products of exponentials would overflow, with the plain sum over v and h; the ladder likewise.
// It catches a wrong sign in the branch for large weights, and a bias sum that only grows along the Gray code.
func TestRBMEnumeration(t *testing.T) {
	betas := []float64{0, 0.2, 0.7, 1}
	for _, c := range []struct {
		M, J  int
		scale float64
	}{{1, 1, 2}, {1, 6, 2}, {6, 1, 2}, {3, 5, 1}, {5, 3, 1}, {6, 6, 3}, {4, 6, 200}, {6, 4, 300}, {3, 3, 1000}} {
		p := randomRBM(1, c.M, c.J, c.scale)
		m := newRBM(t, p)
		what := fmt.Sprintf("%d x %d, weights to %v", c.M, c.J, c.scale)
		if (m.tables().p == nil) != (c.scale >= 200) {
			t.Errorf("%s: unexpected branch", what)
		}
		want := floats.LogSumExp(jointTable(p, 1))
		tol := 1e-12 * (10 + math.Abs(want))
		labtest.Near(t, what+", Truth", m.Truth().LogZ, want, tol)
		got, err := m.LadderLogZ(betas)
		if err != nil {
			t.Fatal(err)
		}
		for k, b := range betas {
			// Large weights leave few bits to the logits of the base rates.
			labtest.Near(t, fmt.Sprintf("%s, log Z(%v)", what, b), got[k], floats.LogSumExp(jointTable(p, b)),
				tol+(1-b)*float64(c.M)*m.unit)
		}
		checkBaseRates(t, what, m, labtest.Normalize(marginal(p, jointTable(p, 1))))
	}
}

// checkBaseRates compares the combined block means with the exact E[v].
func checkBaseRates(t *testing.T, what string, m *Model, pv []float64) {
	t.Helper()
	n, _ := m.Blocks(models.MaxExactUnits)
	logw, mean := make([]float64, n), make([][]float64, n)
	for i := range logw {
		logw[i], mean[i] = m.BlockMean(i)
		var alone [1]float64
		m.LogBlocks(i, alone[:])
		labtest.Near(t, what+", BlockMean's weight", logw[i], alone[0], 0)
	}
	for i, got := range models.BaseRates(logw, mean) {
		want := 0.0
		for v, q := range pv {
			want += labtest.Bit(v, i) * q
		}
		labtest.Near(t, fmt.Sprintf("%s, E[v_%d]", what, i), got, want, 1e-11)
	}
}

// TestRBMSeveralBlocks checks enumerations of more than 2^10 states, which have several blocks. The reference sums one
// layer in closed form over the 2^12 or 2^14 states of the other. It catches the bits of a block in reverse order, and
// means that ignore the block.
func TestRBMSeveralBlocks(t *testing.T) {
	for _, c := range [][2]int{{12, 14}, {14, 12}} {
		for _, scale := range []float64{0.7, 60} {
			p := randomRBM(2, c[0], c[1], scale)
			m := newRBM(t, p)
			lv := make([]float64, 1<<p.M)
			for v := range lv {
				for i := range p.M {
					lv[v] += labtest.Bit(v, i) * p.C[i]
				}
				for j := range p.J {
					x := p.B[j]
					for i := range p.M {
						x += labtest.Bit(v, i) * p.W[i*p.J+j]
					}
					lv[v] += max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
				}
			}
			what := fmt.Sprintf("%v, weights to %v", c, scale)
			if n, ok := m.Blocks(12); n != 4 || !ok {
				t.Errorf("%s: %d blocks, %v", what, n, ok)
			}
			labtest.Near(t, what, m.Truth().LogZ, floats.LogSumExp(lv), 1e-10)
			checkBaseRates(t, what, m, labtest.Normalize(lv))
		}
	}
}

// TestQuantisation compares quantised weights with the float64 model: the shift is at most the stated bound, and far
// below 1e-3 nat. Public parameters have 16 decimals, so they are rounded here.
func TestQuantisation(t *testing.T) {
	worst := 0.0
	for seed := range 20 {
		p := randomRBM(seed, 6, 5, 2)
		for i := range p.W {
			p.W[i] *= math.Pi / 3
		}
		for i := range p.C {
			p.C[i] *= math.E / 3
		}
		m := newRBM(t, p)
		bound := m.Info().Diagnostics["quantisation_bound"]
		shift := math.Abs(m.Truth().LogZ - floats.LogSumExp(jointTable(p, 1)))
		worst = max(worst, shift)
		if shift > bound+1e-12 || shift == 0 {
			t.Errorf("seed %d: shift %v, bound %v", seed, shift, bound)
		}
	}
	if worst > 1e-6 {
		t.Errorf("largest shift of log Z by quantisation = %v nat", worst)
	}
	t.Logf("largest shift %.2g nat", worst)
	// Only weights near the limit of 2^20 at a unit are coarse, and they set the flag.
	p := randomRBM(1, 4, 4, 200000)
	for i := range p.W {
		p.W[i] *= math.Pi / 4
	}
	if m := newRBM(t, p); fmt.Sprint(m.Info().Flags) != "[quantised]" ||
		m.Info().Diagnostics["quantisation_bound"] < 1e-3 {
		t.Errorf("flags %v, bound %v", m.Info().Flags, m.Info().Diagnostics)
	}
}

// TestRBMClosedForms checks closed forms: no weights; base rates outside [.05, .95]; log Z of 10^4. It catches bias
// sums in int32, and products that overflow between renormalisations.
func TestRBMClosedForms(t *testing.T) {
	softplus := func(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
	for _, c := range []struct {
		M, J int
		c, b float64
	}{{1, 1, 0, 0}, {1, 1, -3, 2.5}, {784, 10, 13, 13}, {784, 10, -13, 0.5}, {3, 400, 25, 24}} {
		p := Params{M: c.M, J: c.J, W: make([]float64, c.M*c.J), C: make([]float64, c.M), B: make([]float64, c.J),
			P1: make([]float64, c.M)}
		for i := range p.C {
			p.C[i], p.P1[i] = c.c, float64(i%2) // 0 or 1: clipped
		}
		for j := range p.B {
			p.B[j] = c.b
		}
		m := newRBM(t, p)
		want := float64(c.M)*softplus(c.c) + float64(c.J)*softplus(c.b)
		labtest.Near(t, fmt.Sprint(c), m.Truth().LogZ, want, 1e-13*(1+want))
		// Without weights log f_beta is a sum over units at every beta.
		betas := []float64{0, 0.5, 1}
		got, err := m.LadderLogZ(betas)
		if err != nil {
			t.Fatal(err)
		}
		for k, b := range betas {
			z := float64(c.J) * (softplus(b*c.b) - (1-b)*math.Ln2)
			for i := range p.C {
				q := .05 + .9*float64(i%2)
				z += math.Log(math.Pow(1-q, 1-b) + math.Pow(q, 1-b)*math.Exp(b*c.c))
			}
			labtest.Near(t, fmt.Sprint(c, " at ", b), got[k], z, 1e-6*float64(c.M)/100+1e-7)
		}
	}
}

// TestBadRBM checks that invalid models are refused with a specific error.
func TestBadRBM(t *testing.T) {
	good := func() Params { return randomRBM(1, 3, 2, 1) }
	for name, spoil := range map[string]func(p *Params){
		"zero hidden":   func(p *Params) { p.J, p.W, p.B = 0, nil, nil },
		"zero visible":  func(p *Params) { p.M, p.W, p.C, p.P1 = 0, nil, nil, nil },
		"short W":       func(p *Params) { p.W = p.W[:5] },
		"short c":       func(p *Params) { p.C = p.C[:2] },
		"short c, p1":   func(p *Params) { p.C, p.P1 = p.C[:2], nil },
		"long b":        func(p *Params) { p.B = append(p.B, 1) },
		"short p1":      func(p *Params) { p.P1 = p.P1[:1] },
		"NaN weight":    func(p *Params) { p.W[3] = math.NaN() },
		"NaN c":         func(p *Params) { p.C[1] = math.NaN() },
		"NaN b":         func(p *Params) { p.B[1] = math.NaN() },
		"infinite b":    func(p *Params) { p.B[0] = math.Inf(-1) },
		"absurd weight": func(p *Params) { p.W[0] = 2e6 },
		"absurd c":      func(p *Params) { p.C[0] = -1e300 },
	} {
		p := good()
		spoil(&p)
		if m, err := New(p, nil); err == nil {
			t.Errorf("%s is accepted: %v", name, m.Info())
		}
	}
	if _, err := newRBM(t, randomRBM(1, 25, 25, 1)).LadderLogZ([]float64{1}); err == nil {
		t.Error("LadderLogZ of a 25 x 25 model returned no error")
	}
}
