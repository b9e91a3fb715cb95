package stan

import (
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// TestTruncatedPriorsAreReported checks that priors which a declaration truncates without normalising are reported,
// with the change of log Z if it is known, and that other priors are not reported.
func TestTruncatedPriorsAreReported(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ declared, model, want string }{
		{"real<lower=0> s;", "s ~ normal(0, 1);", "0.693147 s"},
		{"real<lower=0> s;", "target += normal_lpdf(s | 0, 1);", "0.693147 s"},
		{"real<lower=0> s;", "s ~ normal(0, 1) T[0, ];", ""},
		{"real<lower=0> s;", "s ~ normal(0, 1) T[1, ];", ""},
		{"real<lower=0> s;", "s ~ normal(0, 1) T[-1, ];", "0.520393 s"},
		{"real<lower=0, upper=2> s;", "s ~ exponential(1) T[0, 3];", "0.0943443 s"},
		{"real<lower=0> t; real<lower=0> s;", "t ~ gamma(1, 1); s ~ normal(0, t) T[-1, ];", "? s"},
		{"real<lower=0> s;", "target += normal_lpdf(s | 0, 1) - normal_lccdf(0 | 0, 1);", ""},
		{"real<lower=0> s;", "s ~ normal(0, 1); target += log(2);", ""},
		{"real<lower=0> s; real<lower=0> t;", "s ~ normal(0, 1); t ~ exponential(1); target += log(2) - 3;", ""},
		{"real<lower=0> s; real<lower=1> t;", "s ~ normal(0, 1); t ~ exponential(2); target += log(2);", "2 t"},
		{"real<lower=0> s; real<lower=1> t;", "s ~ normal(0, 1); t ~ exponential(2); target += 2 + 0.693147181;", ""},
		{"real<lower=0> s; ordered[3] t;", "s ~ normal(0, 1); t ~ normal(0, 2); target += lgamma(4) - 7;", "0.693147 s"},
		{"real<lower=0> s;", "s ~ normal(0, 1); target += -7;", "0.693147 s"},
		{"real<lower=0> t; real<lower=1> s;", "t ~ gamma(1, 1); s ~ normal(0, t); target += 0.5;", ""},
		{"vector<lower=0>[2] s; real<lower=0> t;", "real lp = 0; lp += normal_lpdf(s | 0, 1) - 2 * normal_lccdf(0 | 0, 1); " +
			"lp += cauchy_lpdf(t | 0, 1) - cauchy_lccdf(0 | 0, 1); target += lp;", ""},
		{"real<lower=0> s;", "s ~ exponential(1);", ""},
		{"real<lower=0> s;", "s ~ gamma(2, 1);", ""},
		{"real<lower=1> s;", "s - 1 ~ exponential(1);", ""},
		{"real<lower=1> s;", "s ~ exponential(2);", "2 s"},
		{"real<upper=1> s;", "s ~ normal(0, 1);", "0.172754 s"},
		{"real<lower=0, upper=1> s;", "s ~ beta(2, 2);", ""},
		{"real<lower=0, upper=0.5> s;", "s ~ uniform(0, 1);", "0.693147 s"},
		{"real<lower=0, upper=1> s;", "s ~ uniform(0, 1);", ""},
		{"real<lower=-pi(), upper=pi()> s;", "s ~ von_mises(0, 1);", ""},
		{"vector<lower=0>[3] s;", "s ~ cauchy(0, 2);", "2.07944 s"},
		{"vector<lower=0>[3] s;", "for (k in 1:3) s[k] ~ student_t(4, 0, k);", "2.07944 s"},
		{"real<lower=0> t; vector<lower=0>[2] s;", "t ~ gamma(1, 1); s ~ normal(0, t);", "1.38629 s"},
		{"real<lower=0> t; real<lower=1> s;", "t ~ gamma(1, 1); s ~ normal(0, t);", "? s"},
		{"real<lower=0> t; real<lower=0> s;", "t ~ normal(0, 1); s ~ logistic(0, 1);", "1.38629 t, s"},
		{"ordered[3] m;", "m ~ normal(0, 2);", "1.79176 m"},
		{"positive_ordered[2] m;", "m ~ normal(0, 2);", "2.07944 m"},
		{"ordered[2] m;", "m[1] ~ normal(0, 2); m[2] ~ normal(1, 2);", "? m"},
		{"ordered[3] m;", "m ~ normal(0, 2); target += lgamma(4);", ""},
		{"sum_to_zero_vector[3] m;", "m ~ normal(0, 2);", "? m"},
		{"real<lower=0> s;", "log(s) ~ normal(0, 1);", ""},

		// Parameters with bounds and no prior.
		{"real<lower=0, upper=10> s;", "target += 0;", "-2.30259 s"},
		{"real<lower=0, upper=1> s;", "target += 0;", ""},
		{"real<lower=0, upper=10> s;", "s ~ uniform(0, 10);", ""},
		{"real<lower=0, upper=10> s;", "target += -log(10);", ""},
		{"vector<lower=-1, upper=[1, 3]'>[2] s;", "target += 0;", "-2.07944 s"},
		{"vector<lower=-1, upper=1>[2] s;", "s[1] ~ uniform(-1, 1);", "-0.693147 s"},
		{"real<lower=0> t; real<lower=0, upper=t> s;", "t ~ exponential(1);", "? s"},

		// Parameters of a constrained type without a prior.
		{"simplex[3] p;", "target += 0;", "0.693147 p"},
		{"simplex[2] p;", "target += 0;", ""},
		{"simplex[3] p;", "p ~ dirichlet([1, 1, 1]');", ""},
		{"simplex[3] p;", "target += lgamma(3);", ""},
		{"simplex[3] p;", "target += log(p[1]) + log(p[2]) + log(p[3]);", ""},
		{"array[2] simplex[4] p;", "target += 0;", "3.58352 p"},
		{"array[2] simplex[4] p;", "p[2] ~ dirichlet([1, 1, 1, 1]');", "1.79176 p"},
		{"simplex[3] p;", "p[1] ~ beta(1, 2);", "? p"},
		{"row_stochastic_matrix[2, 3] p;", "target += 0;", "1.38629 p"},
		{"column_stochastic_matrix[2, 3] p;", "target += 0;", ""},
		{"column_stochastic_matrix[3, 2] p;", "target += 0;", "1.38629 p"},
		{"unit_vector[3] u;", "target += 0;", "-2.75682 u"},
		{"corr_matrix[3] R;", "target += 0;", "-1.59631 R"},
		{"corr_matrix[3] R;", "R ~ lkj_corr(1);", ""},
		{"corr_matrix[2] R; vector<lower=0>[2] s;", "s ~ gamma(2, 1); quad_form_diag(R, s) ~ inv_wishart(3, " +
			"identity_matrix(2));", ""},
		{"cholesky_factor_corr[3] L;", "target += 0;", "-1.83788 L"},
		{"cholesky_factor_corr[3] L;", "L ~ lkj_corr_cholesky(1);", ""},

		// Densities without Stan's constants, and densities that reach the target through lists, variables and sums.
		{"real<lower=0> s;", "target += student_t_lupdf(s | 3, 0, 1);", "0.693147 s"},
		{"real<lower=0> s; vector<lower=0>[2] t;", "real lprior = 0; lprior += cauchy_lupdf(s | 0, 1); " +
			"lprior += student_t_lupdf(t | 3, 0, 1); target += lprior;", "2.07944 s, t"},
		{"real<lower=0> s; real<lower=1> t;", "{s, t} ~ exponential(1);", "1 t"},
		{"real<lower=0> s;", "real t = s; t ~ normal(0, 1);", "0.693147 s"},
		{"real<lower=0> s;", "real t = s + 1; t ~ normal(1, 1);", "0.693147 s"},
		{"real<lower=0> s;", "real t = s; t ~ normal(0, 1) T[0, ];", ""},
		{"real<lower=0> s;", "array[2] real l; l[1] = normal_lpdf(s | 0, 1); l[2] = -1; target += sum(l);", "0.693147 s"},
		{"real<lower=0> s;", "real l = normal_lpdf({s} | 0, 1); s ~ exponential(1);", ""},
	} {
		p, err := Compile("parameters { "+c.declared+" } model { "+c.model+" }", nil, nil)
		if err != nil {
			t.Errorf("%s %s: %v", c.declared, c.model, err)
		} else if got := p.Tape.Note(tape.NoteTruncated); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.declared, c.model, got, c.want)
		} else if got != "" && !strings.Contains(p.Notes[len(p.Notes)-1].Error(), "normalis") {
			t.Errorf("%s %s: %v", c.declared, c.model, p.Notes)
		}
	}
}

// TestTruncatedPriorsInFunctions checks that truncated priors in user-defined functions are reported if their density
// is a term of the log density.
func TestTruncatedPriorsInFunctions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ functions, declared, model, want string }{
		{"real pri(real s) { return student_t_lpdf(s | 3, 0, 1); }", "real<lower=0> s;", "target += pri(s);", "0.693147 s"},
		{"real pri(real s) { return student_t_lupdf(s | 3, 0, 1); }", "vector<lower=0>[2] s;",
			"real lprior = 0; for (k in 1:2) lprior += pri(s[k]); target += lprior;", "1.38629 s"},
		{"real pri(real s) { return normal_lpdf(s | 0, 1) - normal_lccdf(0 | 0, 1); }", "real<lower=0> s;",
			"target += pri(s);", ""},
		{"real pri(real s) { return normal_lpdf(s | 0, 1) - normal_lccdf(0 | 0, 1); }", "real<lower=0> s; real<lower=0> t;",
			"target += pri(s) + 2; t ~ cauchy(0, 1);", "0.693147 t"},
		{"void pri_lp(real s) { s ~ normal(0, 1); }", "real<lower=0> s;", "pri_lp(s);", "0.693147 s"},
		{"void pri_lp(real s) { s ~ normal(0, 1) T[0, ]; }", "real<lower=0> s;", "pri_lp(s);", ""},
		{"void pri_lp(real s) { target += normal_lpdf(s | 0, 1); target += log(2); }", "real<lower=0> s;", "pri_lp(s);", ""},
		{"real own_lpdf(real s, real m) { return normal_lpdf(s - 1 | m, 1); }", "real<lower=1> s;", "s ~ own(0);",
			"0.693147 s"},
		{"real pri(vector m) { return normal_lpdf(m | 0, 1); }", "ordered[3] m;", "target += pri(m);", "1.79176 m"},
		{"real pri(real s) { return normal_lpdf(s | 0, 1); }", "real<lower=0> s;", "target += 2 * pri(s);", ""},
		{"real pri(real s) { return uniform_lpdf(s | 0, 4); }", "real<lower=0, upper=2> s;", "target += pri(s);",
			"0.693147 s"},
	} {
		p, err := Compile("functions { "+c.functions+" } parameters { "+c.declared+" } model { "+c.model+" }", nil, nil)
		if err != nil {
			t.Errorf("%s: %v", c.functions, err)
		} else if got := p.Tape.Note(tape.NoteTruncated); got != c.want {
			t.Errorf("%s: %q, want %q", c.functions, got, c.want)
		}
	}
}

// TestPriorsOfCompositeOutcomes checks that truncated priors are found if the outcome is a list of parameters, a vector
// that also has data, the result of a function, or a parameter plus a constant.
func TestPriorsOfCompositeOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ functions, parameters, model, improper string }{
		{"", "real a; real b;", "[a, b] ~ normal(0, 1);", ""},
		{"", "real a; real b;", "{a, b} ~ normal(0, 1);", ""},
		{"", "vector[2] a;", "vector[3] y; y[1] = 2; y[2:3] = a; y ~ normal(0, 1);", ""},
		{"", "vector[2] a;", "append_row(a, 1) ~ normal(0, 1);", ""},
		{"functions { vector join(vector x, real y) { vector[2] z; z[1] = x[1]; z[2] = y; return z; } }",
			"vector[1] a; real b;", "join(a, b) ~ normal(0, 1);", ""},
		{"functions { vector twice(vector x) { return 2 * x; } }", "vector[2] a;", "twice(a) ~ normal(0, 1);", "a"},
		{"", "real<lower=1> a;", "a - 1 ~ exponential(1);", ""},
		{"", "real a; real b;", "a - b ~ normal(0, 1);", "a, b"},
		{"", "real a; real b;", "a ~ normal(b, 1);", "b"},
		{"data { array[0] real w; }", "real a; vector[1] b;", "real lp = 0; lp += normal_lpdf(a | 0, 1) + sum(w); " +
			"lp = lp + normal_lpdf(b | sum(w), 1); target += lp;", ""},
		{"", "real<lower=0> s; sum_to_zero_vector[3] a;", "s ~ gamma(2, 1); a ~ normal(0, s);", "a"},
		{"", "real<lower=0> s; sum_to_zero_matrix[3, 2] a;", "s ~ gamma(2, 1); to_vector(a) ~ normal(0, s);", "a"},
		{"", "real<lower=0> s; sum_to_zero_vector[3] a;", "s ~ gamma(2, 1); a ~ normal(0, 2); target += -s;", ""},
		{"", "real a;", "real lp = normal_lpdf(2 * a | 0, 1); target += lp;", "a"},

		// Terms of target without a distribution, with finite and infinite integrals.
		{"", "real<lower=0> s;", "target += -log(s);", "s"},
		{"", "real<lower=0> s;", "target += -2 * log(s);", "s"},
		{"", "real<lower=0> s;", "target += -log1p(s^2);", ""},
		{"", "real<lower=0> s;", "target += -log(s) - 0.5 * square(log(s));", ""},
		{"", "real<lower=0> s;", "target += -log(s); s ~ gamma(2, 1);", ""},
		{"", "real<upper=3> s;", "target += s;", ""},
		{"", "real<lower=0, upper=1> s;", "target += -log(s);", ""},
		{"", "real a;", "target += -0.5 * square(a / 1e6);", ""},
		{"", "real a;", "target += -log1p(square(a));", ""},
		{"", "real a;", "target += -log1p(abs(a));", "a"},
		{"", "real a;", "target += a;", "a"},
		{"", "real<offset=2, multiplier=5> a;", "target += -abs(a);", ""},
		{"", "real<lower=0> s; real a;", "target += -log(s) - 0.5 * square(a / s); s ~ cauchy(0, 1);", ""},
		{"", "vector<lower=0>[2] s;", "for (k in 1:2) target += -log(s[k]);", "s"},

		// Terms of several elements. Terms of differences do not change if all elements are shifted.
		{"", "vector[5] a;", "target += -0.5 * dot_self(a[1:4] - a[2:5]);", "a"},
		{"", "vector[5] a; real<lower=0> t;", "t ~ gamma(2, 1); target += 2 * log(t) - 0.5 * t * dot_self(a[1:4] - a[2:5]);",
			"a"},
		{"", "vector[3] a;", "target += -square(a[1] - 2 * a[2] + a[3]);", "a"},
		{"", "vector[5] a;", "target += -0.5 * dot_self(a[1:4] - a[2:5]) - square(sum(a));", ""},
		{"", "vector[5] a;", "target += -0.5 * dot_self(a[1:4] - a[2:5]); target += -square(sum(a));", ""},
		{"", "vector[5] a;", "target += -0.5 * dot_self(a[1:4] - a[2:5]); sum(a) ~ normal(0, 0.005);", ""},
		{"", "vector[5] a;", "target += -0.5 * dot_self(a[1:4] - a[2:5]); a[1] ~ normal(0, 1);", ""},
		{"", "vector[5] a;", "target += -0.5 * dot_self(a[1:4] - 0.9 * a[2:5]);", ""},
		{"functions { real icar_lpdf(vector a, real t) { return -0.5 * t * dot_self(a[1:2] - a[2:3]); } }",
			"vector[3] a; real<lower=0> t;", "t ~ gamma(2, 1); a ~ icar(t);", "a"},
		{"functions { real icar_lpdf(vector a, real t) { return -0.5 * t * dot_self(a[1:2] - a[2:3]) + " +
			"normal_lpdf(sum(a) | 0, 0.001); } }", "vector[3] a; real<lower=0> t;", "t ~ gamma(2, 1); a ~ icar(t);", ""},
		{"", "vector[5] a;", "a[2:5] ~ normal(a[1:4], 1); a[1] ~ normal(0, 1);", ""},
		{"", "vector<lower=0>[2] s;", "target += -s[1]; target += -s[2];", ""},

		// Densities of sums and differences in which all terms but one have a prior.
		{"", "real a; real b;", "a ~ normal(0, 1e12); a - b ~ normal(0, 1);", ""},
		{"", "real a; real b;", "a - 2 * b ~ normal(0, 1); a ~ normal(0, 1);", "b"},
		{"", "vector[5] a;", "a[1] ~ normal(0, 1); a[2:5] - a[1:4] ~ normal(0, 1);", ""},
		{"", "vector[5] a;", "a[2:5] - a[1:4] ~ normal(0, 1);", "a"},
		{"", "vector[5] a;", "a[1:2] ~ normal(0, 1); a[3:5] - 2 * a[2:4] + a[1:3] ~ normal(0, 1);", ""},
		{"", "real a; real b;", "a ~ normal(0, 1); b - a ~ normal(0, exp(b));", "b"},
		{"", "real a; real b;", "a ~ normal(0, 1); b - a + 3 ~ cauchy(a, 1);", ""},
		{"", "vector[3] a;", "a[1] ~ normal(0, 1); target += normal_lpdf(a[2:3] - a[1:2] | 0, 1);", ""},
		{"", "real a; real b;", "a ~ normal(0, 1); b - a + square(b) ~ normal(0, 1);", "b"},

		// Only executed statements count, and every element needs a prior.
		{"", "vector[2] a;", "a[1] ~ normal(0, 1);", "a"},
		{"", "vector[2] a;", "a[1] ~ normal(0, 1); a[2] ~ normal(a[1], 1);", ""},
		{"", "vector[3] a;", "a[1] ~ normal(0, 1); a[2:3] ~ normal(0.9 * a[1:2], 1);", ""},
		{"", "vector[3] a;", "for (n in 2:3) a[n] ~ normal(a[n - 1], 1);", "a"},
		{"", "vector[2] a;", "target += -square(a[1]);", "a"},
		{"", "vector[2] a;", "target += -dot_self(a);", ""},
		{"", "real a; real b;", "if (1 > 2) a ~ normal(0, 1); else b ~ normal(0, 1);", "a"},
		{"", "real a; ordered[2] b;", "if (0) target += -a^2; b[2] ~ normal(0, 1);", "a, b"},
		{"functions { real f_lp(real t) { target += cauchy_lpdf(t | 0, 1) - cauchy_lccdf(0 | 0, 1); return t * 1; } " +
			"real g(real t) { return -t^2; } void h_lp(vector b, vector y) { b ~ normal(0, 2); y ~ normal(b, 1); } }",
			"real<lower=0> s; real t; vector[2] u;", "real x = 2 * f_lp(s); target += g(t); h_lp(u, [x, 2]');", ""},
	} {
		p, err := Compile(c.functions+" parameters { "+c.parameters+" } model { "+c.model+" }", nil, nil)
		if err != nil {
			t.Errorf("%s: %v", c.model, err)
		} else if got := p.Tape.Note(tape.NoteImproper); got != c.improper {
			t.Errorf("%s: without a prior %q, want %q", c.model, got, c.improper)
		}
	}
	p, err := Compile("parameters { real u; } transformed parameters { real s = exp(u); jacobian += u; } "+
		"model { s ~ gamma(2, 1); }", nil, nil)
	if err != nil || p.Tape.Note(tape.NoteImproper) != "" {
		t.Errorf("a Jacobian: %v", err)
	}
}

// TestTruncatedWithinBounds checks that the density is 0 outside of T[lo, hi] if the declaration allows more.
func TestTruncatedWithinBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		declared, bounds string
		at               float64 // log s
		inside           bool
	}{
		{"<lower=0>", "[1, ]", -1, false}, {"<lower=0>", "[1, ]", 1, true}, {"<lower=0>", "[0, ]", -1, true},
		{"<lower=0>", "[, 1]", 1, false}, {"<lower=0>", "[-1, 1]", -1, true},
	} {
		p, err := Compile("parameters { real"+c.declared+" s; } model { s ~ normal(0, 1) T"+c.bounds+"; }", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if f := p.Tape.EvaluatorPool().LogF([]float64{c.at}); math.IsInf(f, -1) == c.inside {
			t.Errorf("%+v: %g", c, f)
		}
	}
}

// TestBetweenFarBounds checks value and gradient of a density truncated between two bounds that depend on parameters
// and are far in either tail. The difference of the distribution function alone would be 0 in the upper tail, where
// both values round to 1.
func TestBetweenFarBounds(t *testing.T) {
	t.Parallel()
	for _, family := range []string{"normal(m, 1)", "logistic(m, 0.3)", "double_exponential(m, 0.3)", "gumbel(m, 0.3)",
		"skew_normal(m, 1, 2)", "cauchy(m, 1)"} {
		p, err := Compile("parameters { real m; real l; real w; } model { 1.3 ~ "+family+" T[l, l + exp(w)]; "+
			"target += -0.01 * m^2; }", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []float64{-14, -3, 0, 5, 14} {
			x, slope := []float64{m, .9, .2}, make([]float64, 3)
			points := p.Tape.EvaluatorPool()
			if f := points.Gradient(x, slope); !num.Finite(f) {
				t.Errorf("%s at %v: %v", family, m, f)
			}
			for k, got := range slope {
				const h = 1e-5
				high, low := slices.Clone(x), slices.Clone(x)
				high[k] += h
				low[k] -= h
				if want := (points.LogF(high) - points.LogF(low)) / (2 * h); !(math.Abs(got-want) < 1e-5*max(1, math.Abs(want))) {
					t.Errorf("%s at %v: slope %d is %v, not %v", family, m, k, got, want)
				}
			}
		}
	}
}
