package mbar

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/internal/answers"
	"logzlab/internal/methodtest"
)

// sampled returns Samples of given values of log f_k(x_i) and the rung of each sample, with rows as even as possible.
func sampled(lf [][]float64, rung []int, rows int) *Samples {
	s := &Samples{Every: 1, Rows: rows}
	for i, f := range lf {
		s.LogF = s.LogF.With(f...)
		s.Rung = append(s.Rung, int32(rung[i]))
		s.Row = append(s.Row, int32(i*rows/len(lf)))
	}
	return s
}

// blocks returns the rungs of samples that are sorted by rung.
func blocks(n []int) (rung []int) {
	for k, n := range n {
		for range n {
			rung = append(rung, k)
		}
	}
	return rung
}

// solvedFrom solves for all rungs from a start; nil means zeros.
func solvedFrom(t *testing.T, s *Samples, start []float64) *solution {
	t.Helper()
	rungs := newLadderFit(s.Sorted()).sampled()
	if start == nil {
		start = make([]float64, len(rungs))
	}
	j := newPool(s.Sorted(), rungs, nil)
	p, ok, err := j.solve(start)
	if err != nil || !ok {
		t.Fatalf("not solved: %v, off by %v", err, p.off)
	}
	out, err := j.newSolution(p, ok)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// fitErrors is a fit with its errors from rows, as in results.
type fitErrors struct {
	*Fit
	SE, Rise []float64
}

func mustFit(t *testing.T, fit Solver, s *Samples, start []float64) fitErrors {
	t.Helper()
	f, err := fit(s, start, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := fitErrors{Fit: f}
	out.SE, out.Rise = f.Parts.Errors(len(f.Z))
	return out
}

// 1e-9 detects a missing or inverted log n_j/n_i (0.4 nats), and the variance without its -1/n.
func TestBARGolden(t *testing.T) {
	var g struct {
		UI       []float64 `json:"u_i"`
		UJ       []float64 `json:"u_j"`
		LogRatio float64
		Var      float64
	}
	answers.Golden(t, "bar", &g)
	var lf [][]float64
	for _, u := range append(append([]float64(nil), g.UI...), g.UJ...) {
		lf = append(lf, []float64{0, u})
	}
	s := sampled(lf, blocks([]int{len(g.UI), len(g.UJ)}), 5)
	f := mustFit(t, FitBAR, s, nil)
	methodtest.Near(t, "log ratio", f.Z[1], g.LogRatio, 1e-9)
	methodtest.Near(t, "variance", f.IID*f.IID, g.Var, 1e-9)

	// With exchanged rungs the result changes sign; mbar of two rungs is the same.
	for i := range s.Rung {
		s.Rung[i] = 1 - s.Rung[i]
		s.LogF = slices.Concat(s.LogF[:16*i], Floats(nil).With(s.LogF.At(2*i+1), s.LogF.At(2*i)), s.LogF[16*i+16:])
	}
	back := mustFit(t, FitBAR, s, nil)
	methodtest.Near(t, "exchanged", back.Z[1], -f.Z[1], 1e-10)
	methodtest.Near(t, "error exchanged", back.SE[1], f.SE[1], 1e-10)
	both := mustFit(t, FitMBAR, s, nil)
	methodtest.Near(t, "mbar of two rungs", both.Z[1], back.Z[1], 1e-10)
	methodtest.Near(t, "its error", both.SE[1], back.SE[1], 1e-10)
	methodtest.Near(t, "its error if independent", both.IID, back.IID, 1e-10)
}

// 1e-8 detects n_k of a rung left out of D_i, an incomplete iteration, and every term of the covariance.
func TestMBARGolden(t *testing.T) {
	var g struct {
		LF   [][]float64
		N    []int `json:"n"`
		LogZ []float64
		Cov  [][]float64
	}
	answers.Golden(t, "mbar", &g)
	s := sampled(g.LF, blocks(g.N), 4)
	for _, start := range [][]float64{nil, g.LogZ, {0, 40, -300, 7, 1000}} {
		got := solvedFrom(t, s, start)
		methodtest.NearAll(t, "log Z", got.z, g.LogZ, 1e-8)
		for k, want := range g.Cov {
			methodtest.NearAll(t, "covariance", got.covariance(k + 1)[1:], want, 1e-8)
		}
	}
	f := mustFit(t, FitMBAR, s, nil)
	methodtest.NearAll(t, "log Z", f.Z, g.LogZ, 1e-8)
	methodtest.Near(t, "s.e. if independent", f.IID, math.Sqrt(g.Cov[3][3]), 1e-8)
}

// The numbers of pymbar for 8 rungs of a mixture.
func TestPymbar(t *testing.T) {
	b := answers.Read(t, "public_mbar_gmm_k8.json")
	var g struct {
		Betas, L0, L1 []float64
		PerRung       int         `json:"n_per_rung"`
		F             []float64   `json:"mbar_f"`
		Errors        []float64   `json:"mbar_dDelta_f_row0"`
		Theta         [][]float64 `json:"theta"`
		Overlap       [][]float64 `json:"overlap"`
		Gap           float64     `json:"overlap_scalar"`
		Effective     []float64   `json:"n_eff"`
		Pairs         [][]float64 `json:"bar_neighbour_df_se"`
	}
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatal(err)
	}
	var lf [][]float64
	var n []int
	for i := range g.L0 {
		row := make([]float64, len(g.Betas))
		for k, b := range g.Betas {
			row[k] = num.Mul(1-b, g.L0[i]) + num.Mul(b, g.L1[i])
		}
		lf = append(lf, row)
	}
	for range g.Betas {
		n = append(n, g.PerRung)
	}
	s := sampled(lf, blocks(n), 48)
	f := mustFit(t, FitMBAR, s, nil)
	for k := range g.F {
		methodtest.Near(t, "log Z", f.Z[k], -g.F[k], 1e-8)
	}
	whole := solvedFrom(t, s, nil)
	for k := range g.F {
		methodtest.Near(t, "s.e. if independent", math.Sqrt(whole.covariance(k)[k]), g.Errors[k], 1e-8)
		for l, c := range whole.covariance(k) {
			methodtest.Near(t, "covariance", c, g.Theta[k][l]-g.Theta[0][k]-g.Theta[0][l]+g.Theta[0][0], 1e-8)
		}
		methodtest.NearAll(t, "overlap", f.Overlaps[k*8:k*8+8], g.Overlap[k], 1e-8)
	}
	methodtest.Near(t, "spectral gap", f.Gap, g.Gap, 1e-8)
	methodtest.NearAll(t, "effective samples", f.Effective, g.Effective, 1e-8)
	pairs := mustFit(t, FitBAR, s, nil)
	for k, p := range g.Pairs {
		methodtest.Near(t, "BAR of neighbours", pairs.Z[k+1]-pairs.Z[k], -p[0], 1e-8)
		// pymbar's error of a pair is another form of Bennett's, the same for many samples: with rho of the sample's
		// other rung, sum rho^2 / S^2 - 1/n_j - 1/n_k, S its sum over the samples of either rung.
		j := newPool(s.Sorted(), []int{k, k + 1}, nil)
		z := []float64{0, j.difference()}
		if err := j.prepare(z); err != nil {
			t.Fatal(err)
		}
		at, err := j.evaluate(z)
		if err != nil {
			t.Fatal(err)
		}
		sum, squares := 0.0, 0.0
		for i := range j.sample {
			wrong := 1 - i/g.PerRung // samples of the first rung come first
			rho := at.A[wrong] * j.E[2*i+wrong] * at.Inv[i]
			sum += rho / 2
			squares += rho * rho
		}
		methodtest.Near(t, "s.e. of a pair", math.Sqrt(squares/(sum*sum)-2/float64(g.PerRung)), p[1], 1e-8)
	}
}

// RTS is one self-consistent iteration from log Zhat with n_k = N/K ([RTS] Appendix D).
func TestRTSIsOneSweep(t *testing.T) {
	var g struct {
		LF      [][]float64
		LogZhat []float64
	}
	answers.Golden(t, "rts", &g)
	j := newPool(sampled(g.LF, make([]int, len(g.LF)), 1).Sorted(), []int{0}, nil)
	width := len(g.LogZhat)
	j.Rungs, j.rungs, j.reference = width, nil, make([]float64, width)
	j.N, j.LogN, j.E = make([]float64, width), make([]float64, width), make([]float64, (len(g.LF)+3)/4*4*width)
	for k := range width {
		j.rungs, j.N[k] = append(j.rungs, k), float64(len(g.LF))/float64(width)
		j.LogN[k] = num.Log(j.N[k])
	}
	if err := j.prepare(g.LogZhat); err != nil {
		t.Fatal(err)
	}
	p, err := j.evaluate(g.LogZhat)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, width) // eq. 12: log Zhat_k + log c_k - log c_1, c_k the mean of the conditionals of rung k
	for _, f := range g.LF {
		sum := 0.0
		for k := range f {
			sum += math.Exp(f[k] - g.LogZhat[k])
		}
		for k := range want {
			want[k] += math.Exp(f[k]-g.LogZhat[k]) / sum
		}
	}
	for k, c := range slices.Backward(want) {
		want[k] = g.LogZhat[k] - g.LogZhat[0] + math.Log(c/want[0])
	}
	methodtest.NearAll(t, "one sweep", p.next, want, 1e-12)
}

// normals draws n samples of each normal density N(mean_k, sd_k^2), whose log Z is 0, and returns their log densities
// at every rung.
func normals(seed int, mean, sd []float64, n []int) (lf [][]float64, rung []int) {
	x := rng.NewKey(uint32(seed), "normals", 0).Stream(0, 0, 0)
	for k := range mean {
		for range n[k] {
			at := mean[k] + sd[k]*x.Norm()
			row := make([]float64, len(mean))
			for l := range row {
				u := (at - mean[l]) / sd[l]
				row[l] = -u*u/2 - math.Log(sd[l])
			}
			lf, rung = append(lf, row), append(rung, k)
		}
	}
	return lf, rung
}

// Invariants on fixed samples: f_k times a constant shifts log Z_k; the same number added to all log f of a sample,
// another order of rungs or of samples, and a distant start change nothing; equal densities have equal log Z.
func TestPoolInvariants(t *testing.T) {
	lf, rung := normals(1, []float64{0, .5, 1.5, 2}, []float64{1, .8, .7, .5}, []int{50, 31, 80, 17})
	s := sampled(lf, rung, 7)
	for name, fit := range map[string]Solver{"bar": FitBAR, "mbar": FitMBAR} {
		want := mustFit(t, fit, s, nil)
		scaled, moved := *s, *s
		scaled.LogF, moved.LogF = nil, nil
		shift := []float64{0, 700, -31, 1e4}
		for i := range len(s.LogF) / 8 {
			scaled.LogF = scaled.LogF.With(s.LogF.At(i) + shift[i%4])
			moved.LogF = moved.LogF.With(s.LogF.At(i) + 100*float64(i/4))
		}
		for k, z := range mustFit(t, fit, &scaled, nil).Z {
			methodtest.Near(t, name+" scaled", z, want.Z[k]+shift[k], 1e-9)
		}
		got := mustFit(t, fit, &moved, nil)
		methodtest.NearAll(t, name+" moved", got.Z, want.Z, 1e-9)
		methodtest.NearAll(t, name+" s.e. moved", got.SE, want.SE, 1e-8)

		var equal [][]float64
		for range lf {
			equal = append(equal, make([]float64, 4))
		}
		same := mustFit(t, fit, sampled(equal, rung, 7), nil)
		methodtest.NearAll(t, name+" of equal densities", same.Z, make([]float64, 4), 1e-10)
	}
	// Rungs in another order; only mbar does not depend on which rungs are neighbours.
	other := *s
	other.LogF, other.Rung = nil, nil
	to := []int32{2, 0, 3, 1} // new place of each rung
	from := []int{1, 3, 0, 2}
	for i := range s.Rung {
		other.Rung = append(other.Rung, to[s.Rung[i]])
		for _, k := range from {
			other.LogF = other.LogF.With(s.LogF.At(4*i + k))
		}
	}
	want, got := mustFit(t, FitMBAR, s, nil), mustFit(t, FitMBAR, &other, nil)
	for k, l := range to {
		methodtest.Near(t, "relabelled", got.Z[l]-got.Z[to[0]], want.Z[k], 1e-9)
	}
}

// At K = 100 and N = 20,000.
func BenchmarkMBAR(b *testing.B) {
	mean, sd, n := make([]float64, 100), make([]float64, 100), make([]int, 100)
	for k := range mean {
		mean[k], sd[k], n[k] = .15*float64(k), 1, 200
	}
	lf, rung := normals(1, mean, sd, n)
	s := sampled(lf, rung, 100)
	start := make([]float64, 100)
	for k := range start {
		start[k] = .1 * math.Sin(float64(k))
	}
	for name, fit := range map[string]Solver{"bar": FitBAR, "mbar": FitMBAR} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				fit(s, start, nil)
			}
		})
	}
}
