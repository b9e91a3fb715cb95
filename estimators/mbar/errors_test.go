package mbar

import (
	"encoding/json"
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/internal/answers"
	"logzlab/internal/methodtest"
)

// Independent samples of normals: log Z within 4 s.e., and both kinds of error bars right. The error bar between rows
// is compared with the spread over 400 replicates: 4 s.e. of a ratio of s.d. are 14 %. Added pair variances, as if
// neighbours shared no samples, are 20 % off and more.
func TestErrorsOfIndependentSamples(t *testing.T) {
	mean, sd, n := []float64{0, 1, 1.5, 2.5, 3}, []float64{1, .9, .8, .7, .7}, []int{200, 100, 200, 150, 200}
	for name, fit := range map[string]Solver{"bar": FitBAR, "mbar": FitMBAR} {
		var z, iid, rows, rise []float64
		for seed := range 400 {
			lf, rung := normals(seed, mean, sd, n)
			s := sampled(lf, rung, 1)
			s.Rows = 50
			for i := range s.Row {
				s.Row[i] = int32(i % 50) // each row has samples of all rungs
			}
			f := mustFit(t, fit, s, nil)
			z, iid, rows = append(z, f.Z[4]), append(iid, f.IID*f.IID), append(rows, f.SE[4]*f.SE[4])
			rise = append(rise, (f.Z[4]-f.Z[2])/f.Rise[2])
		}
		m, v := stats.MeanVar(z)
		if off := m / math.Sqrt(v/400); !(math.Abs(off) < 4) {
			t.Errorf("%s: mean log Z %v, %v s.e. from 0", name, m, off)
		}
		_, vr := stats.MeanVar(rise)
		a, _ := stats.MeanVar(iid)
		b, _ := stats.MeanVar(rows)
		ratioIID, ratio := math.Sqrt(a/v), math.Sqrt(b/v)
		t.Logf("%s: s.d. %.4f, s.e. of the formula / s.d. %.3f, s.e. between rows / s.d. %.3f; rms z of a rise %.3f", name,
			math.Sqrt(v), ratioIID, ratio, math.Sqrt(vr))
		if name == "mbar" && math.Abs(ratioIID-1) > .14 || math.Abs(ratio-1) > .14 || math.Abs(math.Sqrt(vr)-1) > .14 {
			t.Errorf("%s: error bars are %.3f and %.3f of the spread, a rise has rms z %.3f", name, ratioIID, ratio,
				math.Sqrt(vr))
		}
	}
}

// A rung without samples is evaluated from the others, wherever it is.
func TestRungWithoutSamples(t *testing.T) {
	mean, sd := []float64{0, .5, 1, 1.5}, []float64{1, .9, .8, .7}
	for empty := range mean {
		for name, fit := range map[string]Solver{"bar": FitBAR, "mbar": FitMBAR} {
			sum := make([]stats.Welford, 4)
			for seed := range 60 {
				n := []int{90, 90, 90, 90}
				n[empty] = 0
				lf, rung := normals(seed, mean, sd, n)
				s := sampled(lf, rung, 30)
				for i := range s.Row {
					s.Row[i] = int32(i % 30)
				}
				f := mustFit(t, fit, s, nil)
				for k := range f.Z {
					if k > 0 {
						sum[k].Add(f.Z[k] / f.SE[k])
					}
				}
				if f.N[empty] != 0 || f.Z[0] != 0 {
					t.Fatalf("samples %v, log Z %v", f.N, f.Z)
				}
			}
			for k := 1; k < 4; k++ {
				w := sum[k]
				if rms := math.Sqrt(num.Mul(w.Mean, w.Mean) + w.Var()); !(rms > .7 && rms < 1.35) {
					t.Errorf("%s without samples at rung %d: z at rung %d has mean %.2f, rms %.2f", name, empty, k, w.Mean, rms)
				}
			}
		}
	}
	// All samples at one rung: importance sampling.
	lf, rung := normals(1, mean, sd, []int{0, 200, 0, 0})
	want := make([]float64, 4)
	for k := range want {
		var u []float64
		for _, f := range lf {
			u = append(u, f[k]-f[1])
		}
		want[k] = num.LogMeanExp(u)
	}
	for k := 3; k >= 0; k-- {
		want[k] -= want[0]
	}
	s := sampled(lf, rung, 10)
	methodtest.NearAll(t, "bar from one rung", mustFit(t, FitBAR, s, nil).Z, want, 1e-10)
	methodtest.NearAll(t, "mbar from one rung", mustFit(t, FitMBAR, s, nil).Z, want, 1e-10)
}

// Rungs that share no samples: log Z is known on the base's side of the gap, and unknown beyond it.
func TestNoSharedSamples(t *testing.T) {
	for _, far := range []float64{30, 100, 1e5} {
		lf, rung := normals(1, []float64{0, .5, far, far + .5}, []float64{1, 1, 1, 1}, []int{40, 40, 40, 40})
		s := sampled(lf, rung, 8)
		for name, fit := range map[string]Solver{"bar": FitBAR, "mbar": FitMBAR} {
			f := mustFit(t, fit, s, nil)
			if z := f.Z; z[0] != 0 || num.NotNaN(z[2]) || num.NotNaN(z[3]) || num.NotNaN(f.SE[3]) ||
				name == "bar" && !(math.Abs(z[1]) < 1) || math.Abs(z[1]) > 1 {
				t.Errorf("%s over a gap of %v: log Z %v, s.e. %v", name, far, z, f.SE)
			}
		}
	}
}

// summed returns log f of all visible states of an RBM of the truth files at its ladder, with hidden units summed out.
func summed(t *testing.T, file string, g any) [][]float64 {
	t.Helper()
	b := answers.Read(t, file)
	var r struct {
		W         [][]float64
		C         []float64 `json:"c_visible"`
		B         []float64 `json:"b_hidden"`
		P1, Betas []float64
	}
	for _, to := range []any{&r, g} {
		if err := json.Unmarshal(b, to); err != nil {
			t.Fatal(err)
		}
	}
	table := make([][]float64, 1<<len(r.C))
	for v := range table {
		base, target := -float64(len(r.B))*math.Ln2, 0.0
		sums := append([]float64(nil), r.B...)
		for i, c := range r.C {
			if v>>i&1 == 0 {
				base += math.Log1p(-r.P1[i])
				continue
			}
			base += math.Log(r.P1[i])
			target += c
			for j, w := range r.W[i] {
				sums[j] += w
			}
		}
		for _, beta := range r.Betas {
			x := num.Mul(1-beta, base) + num.Mul(beta, target)
			for _, a := range sums {
				x += num.Softplus(beta * a)
			}
			table[v] = append(table[v], x)
		}
	}
	return table
}

// The exact N Var(log Z_k) of independent samples, N/K at each rung, within 15 %, by the formula and by the spread of
// rows; and log Z itself within 4 s.e.
func TestIndependentVarianceTruth(t *testing.T) {
	for _, file := range []string{"public_rbm_tiny.json", "public_rbm_bas9_cd1.json"} {
		var g struct {
			LogZ []float64 `json:"logZ_ladder"`
			Var  []float64 `json:"mbar_iid_N_var_logZ"`
			Tiny struct {
				Var []float64 `json:"mbar_iid_N_var_logZ"`
			}
		}
		table := summed(t, file, &g)
		if g.Var == nil {
			g.Var = g.Tiny.Var
		}
		const each, seeds = 300, 20
		rungs := len(g.LogZ)
		formula, spread := make([]stats.Welford, rungs), make([]stats.Welford, rungs)
		cumulative := make([][]float64, rungs)
		for k := range rungs {
			sum := 0.0
			for _, f := range table {
				sum += math.Exp(f[k] - g.LogZ[k])
				cumulative[k] = append(cumulative[k], sum)
			}
			methodtest.Near(t, "sum of probabilities", sum, 1, 1e-9)
		}
		z := make([]stats.Welford, rungs)
		for seed := range seeds {
			x := rng.NewKey(uint32(seed), "iid", 0).Stream(0, 0, 0)
			var lf [][]float64
			var rung []int
			for k := range rungs {
				for range each {
					u := x.Float64()
					v := 0
					for v < len(table)-1 && cumulative[k][v] < u {
						v++
					}
					lf, rung = append(lf, table[v]), append(rung, k)
				}
			}
			s := sampled(lf, rung, 100)
			for i := range s.Row {
				s.Row[i] = int32(i % 100)
			}
			whole, f := solvedFrom(t, s, g.LogZ), mustFit(t, FitMBAR, s, g.LogZ)
			for k := 1; k < rungs; k++ {
				n := float64(len(rung))
				formula[k].Add(n * whole.covariance(k)[k])
				spread[k].Add(n * f.SE[k] * f.SE[k])
				z[k].Add((f.Z[k] - g.LogZ[k]) / f.SE[k])
			}
		}
		for k := 1; k < rungs; k++ {
			a, b := formula[k].Mean/g.Var[k], spread[k].Mean/g.Var[k]
			if !(math.Abs(a-1) < .15 && math.Abs(b-1) < .15) {
				t.Errorf("%s rung %d: N Var is %.3f of the exact one by the formula, %.3f by rows", file, k, a, b)
			}
			if off := z[k].Mean * math.Sqrt(seeds); !(math.Abs(off) < 4) {
				t.Errorf("%s rung %d: mean z %.2f of %d", file, k, z[k].Mean, seeds)
			}
		}
		t.Logf("%s: N Var of log Z: formula %.3f, rows %.3f of the exact one", file, formula[rungs-1].Mean/g.Var[rungs-1],
			spread[rungs-1].Mean/g.Var[rungs-1])
	}
}
