package schedule

import (
	"math"
	"testing"

	"logzlab/internal/answers"
)

func truth(t *testing.T, file string, to any) {
	t.Helper()
	answers.Decode(t, file, to)
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol) {
			t.Errorf("%s[%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestOptimalGolden(t *testing.T) {
	t.Parallel()
	var g struct {
		Schedules struct {
			GMS13 struct {
				Knots []float64
				Mean  []float64 `json:"mean_Delta"`
				K     int
				Betas []float64
			}
			Varopt struct {
				Grid  []float64 `json:"beta_grid"`
				G     []float64
				K     int
				Betas []float64
			}
			Decel struct {
				Betas     []float64
				Eta       float64
				Waterfill []float64
			}
		}
	}
	truth(t, "public_golden.json", &g)
	s := g.Schedules
	near(t, "varopt", Optimal(s.Varopt.Grid, s.Varopt.G, s.Varopt.K), s.Varopt.Betas, 1e-12)
	b, err := Moments(s.GMS13.Knots, s.GMS13.Mean, s.GMS13.K)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "gms13", b, s.GMS13.Betas, 1e-12)
	if b, err = Decelerate(s.Decel.Betas, s.Decel.Eta); err != nil {
		t.Fatal(err)
	}
	near(t, "decelerated", b, s.Decel.Waterfill, 1e-12)
	again, err := Decelerate(b, s.Decel.Eta)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "decelerated twice", again, b, 1e-12)
	if _, err := Decelerate(b, .009); err == nil {
		t.Error("Decelerate accepted 100 steps of 0.009")
	}
	if _, err := Moments(s.GMS13.Knots, s.GMS13.Mean, 9); err == nil {
		t.Error("Moments accepted fewer steps than parts")
	}
}

// TestOptimalRegression uses Bayesian linear regression with prior precision 1/t2 and noise s2: d log f/d beta is -|y -
// X theta|^2/(2 s2) plus a constant. Along the eigenvectors of X'X, with eigenvalues e and projected responses, g is a
// sum of rational functions of beta. The file has F_linear, F_opt and the optimal schedule.
func TestOptimalRegression(t *testing.T) {
	t.Parallel()
	var want map[string]struct {
		Linear float64 `json:"F_linear"`
		Opt    float64 `json:"F_opt"`
		S      []float64
		Beta   []float64 `json:"beta_opt"`
	}
	truth(t, "public_schedules.json", &want)
	var p struct {
		X      [][]float64
		Y      []float64
		S2, T2 float64
	}
	truth(t, "public_linreg.json", &p)
	// The grid is dense near 0, where g is largest.
	betas := make([]float64, 200001)
	g := make([]float64, len(betas))
	for i := range betas {
		betas[i] = math.Pow(float64(i)/float64(len(betas)-1), 4)
		g[i] = regressionG(p.X, p.Y, p.S2, p.T2, betas[i])
	}
	w := want["public_linreg"]
	linear, opt := Functionals(betas, g)
	near(t, "F", []float64{linear / w.Linear, opt / w.Opt}, []float64{1, 1}, 1e-3)
	near(t, "beta", Optimal(betas, g, len(w.S)), w.Beta, 1e-3)
	ladder := Optimal(betas, g, 1001)
	if v := PredictedVariance(betas, g, ladder) * 1000 / opt; math.Abs(v-1) > .01 {
		t.Errorf("optimal: predicted variance / (F/(k-1)) = %g", v)
	}
	ladder, _ = Make("linear", 100001, nil)
	if v := PredictedVariance(betas, g, ladder) * 100000 / linear; math.Abs(v-1) > .01 {
		t.Errorf("linear: predicted variance / (F/(k-1)) = %g", v)
	}
}

// regressionG returns the variance of -|y - X theta|^2/(2 s2) under N(mean, cov), cov the inverse of beta X'X/s2 +
// I/t2: tr(Q cov Q cov)/2 + r' Q' cov Q r with Q = X'X/s2 and r the mean minus the least squares solution.
func regressionG(x [][]float64, y []float64, s2, t2, beta float64) float64 {
	d := len(x[0])
	q, b := make([][]float64, d), make([]float64, d)
	for i := range q {
		q[i] = make([]float64, d)
		for r := range x {
			b[i] += x[r][i] * y[r] / s2
			for j := range q[i] {
				q[i][j] += x[r][i] * x[r][j] / s2
			}
		}
	}
	a := make([][]float64, d)
	for i := range a {
		a[i] = make([]float64, d)
		for j := range a[i] {
			a[i][j] = beta * q[i][j]
		}
		a[i][i] += 1 / t2
	}
	cov := inverse(a)
	mean := make([]float64, d)
	for i := range mean {
		for j := range b {
			mean[i] += beta * cov[i][j] * b[j]
		}
	}
	grad := make([]float64, d) // gradient of the log likelihood at the mean
	for i := range grad {
		grad[i] = b[i]
		for j := range mean {
			grad[i] -= q[i][j] * mean[j]
		}
	}
	v := 0.0
	for i := range d {
		for j := range d {
			v += grad[i] * cov[i][j] * grad[j]
			for k := range d {
				for l := range d {
					v += q[i][j] * cov[j][k] * q[k][l] * cov[l][i] / 2
				}
			}
		}
	}
	return v
}

// inverse returns the inverse of a positive definite matrix by Gauss-Jordan elimination.
func inverse(a [][]float64) [][]float64 {
	n := len(a)
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
		out[i][i] = 1
	}
	for i := range a {
		p := a[i][i]
		for j := range a {
			a[i][j] /= p
			out[i][j] /= p
		}
		for r := range a {
			if f := a[r][i]; r != i {
				for j := range a {
					a[r][j] -= f * a[i][j]
					out[r][j] -= f * out[i][j]
				}
			}
		}
	}
	return out
}

// TestOptimalAnalytic checks that g = 1/(beta + a)^2 gives beta(s) = a ((1 + 1/a)^s - 1), and constant g the linear
// schedule.
func TestOptimalAnalytic(t *testing.T) {
	t.Parallel()
	const a = .05
	betas, g, flat := make([]float64, 20001), make([]float64, 20001), make([]float64, 20001)
	for i := range betas {
		betas[i] = float64(i) / 20000
		g[i], flat[i] = 1/((betas[i]+a)*(betas[i]+a)), 3
	}
	want := make([]float64, 11)
	for i := range want {
		want[i] = a * (math.Pow(1+1/a, float64(i)/10) - 1)
	}
	near(t, "varopt", Optimal(betas, g, 11), want, 1e-6)
	linear, opt := Functionals(betas, g)
	near(t, "F", []float64{linear, opt}, []float64{1 / (a * (1 + a)), math.Pow(math.Log(1+1/a), 2)}, 1e-3)
	even, _ := Make("linear", 101, nil)
	near(t, "constant g", Optimal(betas, flat, 101), even, 1e-12)
	near(t, "no g", Optimal(betas, make([]float64, len(betas)), 101), even, 1e-12)
}

// TestMarginalSchedules uses the marginal path of an RBM, log f_beta(v) = (1-beta) v.logit(p1) + beta v.c + sum_j log(1
// + e^(beta a_j)), a = b + W'v. Its derivative is v.(c - logit(p1)) + sum_j a_j/(1 + e^(-beta a_j)), and the variance
// is a sum over all v.
func TestMarginalSchedules(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"public_rbm_tiny.json", "public_rbm_bas9_cd1.json"} {
		var r struct {
			W    [][]float64
			C    []float64 `json:"c_visible"`
			B    []float64 `json:"b_hidden"`
			P1   []float64
			Tiny struct {
				F        float64 `json:"F_linear_marginal"`
				Opt      float64 `json:"F_opt_marginal"`
				Schedule struct {
					S, Beta []float64
				} `json:"varopt_marginal"`
			}
		}
		truth(t, file, &r)
		betas, g := make([]float64, 401), make([]float64, 401)
		for k := range betas {
			betas[k] = float64(k) / 400
			var z, mean, square float64
			for v := range 1 << len(r.C) {
				base, slope := 0.0, 0.0
				a := append([]float64(nil), r.B...)
				for i := range r.C {
					if v>>i&1 == 1 {
						odds := math.Log(r.P1[i] / (1 - r.P1[i]))
						base += (1-betas[k])*odds + betas[k]*r.C[i]
						slope += r.C[i] - odds
						for j := range a {
							a[j] += r.W[i][j]
						}
					}
				}
				for _, x := range a {
					base += math.Log1p(math.Exp(betas[k] * x))
					slope += x / (1 + math.Exp(-betas[k]*x))
				}
				f := math.Exp(base)
				z, mean, square = z+f, mean+f*slope, square+f*slope*slope
			}
			g[k] = square/z - mean*mean/z/z
		}
		linear, opt := Functionals(betas, g)
		near(t, file, []float64{linear / r.Tiny.F, opt / r.Tiny.Opt}, []float64{1, 1}, 1e-3)
		near(t, file, Optimal(betas, g, len(r.Tiny.Schedule.S)), r.Tiny.Schedule.Beta, 1e-3)
	}
}

// TestChainRatio checks that the ratio of chains is the ratio of variances for small ones, and finite for large ones.
func TestChainRatio(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ v, best, want float64 }{
		{2e-20, 1e-20, 2}, {.02, .01, (math.Exp(.02) - 1) / (math.Exp(.01) - 1)}, {2, 1, math.E + 1}, {801, 800, math.E},
		{1, 1, 1},
	} {
		if got := ChainRatio(c.v, c.best); !(math.Abs(got/c.want-1) < 1e-9) {
			t.Errorf("ChainRatio(%g, %g) = %g, want %g", c.v, c.best, got, c.want)
		}
	}
}
