package stan

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// valuesOf returns the values of expressions that transformed data compute by the statements.
func valuesOf(t *testing.T, statements string, values ...string) []float64 {
	t.Helper()
	c, err := Compile(fmt.Sprintf("transformed data { %s } parameters { vector[%d] x; } model { target += dot_product(x, [%s]); }",
		statements, len(values), strings.Join(values, ", ")), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, len(values))
	c.Tape.EvaluatorPool().Gradient(out, out)
	return out
}

// TestRandomNumbers checks that random numbers of transformed data have the distributions of their names: their
// distribution functions are uniform.
func TestRandomNumbers(t *testing.T) {
	t.Parallel()
	const n = 6_000
	for _, c := range []string{"normal(1, 2)", "std_normal()", "lognormal(0.3, 0.7)", "student_t(3.5, 1, 2)",
		"cauchy(1, 2)", "double_exponential(1, 2)", "logistic(1, 2)", "gumbel(1, 2)", "skew_normal(1, 2, -1.5)",
		"exp_mod_normal(1, 2, 0.4)", "uniform(-1, 3)", "exponential(0.4)", "gamma(0.6, 3)", "gamma(7, 0.2)",
		"inv_gamma(2.5, 3)", "chi_square(3.5)", "inv_chi_square(3.5)", "scaled_inv_chi_square(3.5, 2)", "weibull(1.7, 2)",
		"frechet(1.7, 2)", "rayleigh(2)", "pareto(2, 1.5)", "loglogistic(2, 1.5)", "beta(0.7, 2)",
		"beta_proportion(0.3, 4)"} {
		name, args, _ := strings.Cut(strings.TrimSuffix(c, ")"), "(")
		cond := "y[n]"
		if args != "" {
			cond += " | " + args
		} else {
			cond += " | "
		}
		statements := "vector[6000] u; vector[6000] y; for (n in 1:6000) { y[n] = " + name + "_rng(" + args + "); u[n] = " +
			name + "_cdf(" + cond + "); }"
		got := valuesOf(t, statements, "mean(u)", "mean(u^2)", "mean(u^3)", "mean(u^6)")
		for i, power := range []float64{1, 2, 3, 6} {
			if want := 1 / (power + 1); !(math.Abs(got[i]-want) < 4*.3/math.Sqrt(n)) {
				t.Errorf("%s: mean of u^%v is %v, not %v", c, power, got[i], want)
			}
		}
	}
}

// TestRandomCounts checks the means and variances of random counts, vectors and matrices.
func TestRandomCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		draw           string
		mean, variance float64
	}{
		{"bernoulli_rng(0.3)", .3, .21}, {"bernoulli_logit_rng(-0.4)", 0.401312339887548, 0.240260745741529},
		{"binomial_rng(12, 0.3)", 3.6, 2.52}, {"binomial_rng(100000, 0.3)", 3e4, 2.1e4},
		{"binomial_logit_rng(200, 0)", 100, 50}, {"beta_binomial_rng(10, 2, 3)", 4, 6}, {"poisson_rng(2.5)", 2.5, 2.5},
		{"poisson_rng(1234.5)", 1234.5, 1234.5}, {"poisson_log_rng(1)", math.E, math.E},
		{"neg_binomial_rng(3, 0.5)", 6, 18}, {"neg_binomial_2_rng(6, 3)", 6, 18},
		{"neg_binomial_2_log_rng(0, 3)", 1, 4. / 3}, {"discrete_range_rng(-2, 5)", 1.5, 5.25},
		{"beta_neg_binomial_rng(3, 9, 2)", .75, 1.473214285714286}, {"yule_simon_rng(7)", 7. / 6, 49. / 180},
		{"categorical_rng([0.2, 0.3, 0.5]')", 2.3, .61}, {"categorical_logit_rng(log([2, 3, 5]'))", 2.3, .61},
		{"ordered_logistic_rng(0.5, [-0.5, 1]')", 2.1085992474281503, 0.63468829362618},
		{"multinomial_rng([0.2, 0.3, 0.5]', 20)[2]", 6, 4.2}, {"multinomial_rng([0.2, 0.3, 0.5]', 20)[3]", 10, 5},
		{"dirichlet_rng([1, 2, 3]')[2]", 1. / 3, 2. / 63}, {"multi_normal_rng([1, 2]', [[2, 1], [1, 3]])[2]", 2, 3},
		{"sum(multi_normal_rng([1, 2], [[2, 1], [1, 3]]))", 3, 7},
		{"sum(multi_normal_cholesky_rng([1, 2]', [[2, 0], [1, 3]]))", 3, 18},
		{"lkj_corr_rng(3, 2)[3, 1]", 0, 1. / 6}, {"lkj_corr_rng(3, 2)[3, 2]", 0, 1. / 6},
		{"tcrossprod(lkj_corr_cholesky_rng(2, 1))[1, 2]", 0, 1. / 3},
	} {
		statements := "vector[6000] y; for (n in 1:6000) y[n] = " + c.draw + ";"
		got := valuesOf(t, statements, "mean(y)", "variance(y)")
		mean, variance := got[0], got[1]
		if !(math.Abs(mean-c.mean) < 4*math.Sqrt(c.variance/6000)) || !(math.Abs(variance-c.variance) < .1*c.variance) {
			t.Errorf("%s: mean %v, not %v, variance %v, not %v", c.draw, mean, c.mean, variance, c.variance)
		}
	}
}

// TestRandomNumbersAreReproducible checks that a program has the same random numbers in each compilation, and that
// user-defined functions may draw.
func TestRandomNumbersAreReproducible(t *testing.T) {
	t.Parallel()
	src := "functions { vector fake_rng(int n, real s) { vector[n] y = to_vector(normal_rng(rep_vector(0, n), s)); " +
		"return y + poisson_rng(3); } } transformed data { vector[5] y = fake_rng(5, 2); } parameters { real m; } " +
		"model { m ~ normal(0, 1); y ~ normal(m, 2); }"
	var first []byte
	for range 2 {
		c, err := Compile(src, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = c.Tape.Bytes()
		}
		if !bytes.Equal(c.Tape.Bytes(), first) {
			t.Error("another tape")
		}
	}
	got := valuesOf(t, "array[3] real y = normal_rng({1, 2, 3}, 1); int k = poisson_rng(100);", "sum(y)", "k")
	if want := []float64{4.145760044901216, 107}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	for src, want := range map[string]string{
		"functions { real f(real a) { return normal_rng(a, 1); } } transformed data { real y = f(1); } " + normalX:                "only a function whose name ends in _rng",
		"functions { real f_rng(real a) { return normal_rng(a, 1); } } parameters { real x; } model { x ~ normal(f_rng(0), 1); }": "f_rng draws a random number",
		"transformed data { real y = normal_rng(0, -1); } " + normalX:                                                             "normal: parameter 2 is -1, but must be positive",
		"transformed data { int y = poisson_rng(1e12); } " + normalX:                                                              "out of range",
		"transformed data { int y = categorical_rng([0.5, 0.6]'); } " + normalX:                                                   "categorical: its elements",
		"transformed data { array[2] real y = normal_rng({1, 2}, {1, 2, 3}); } " + normalX:                                        "sizes 2 and 3",
		"transformed data { real y = foo_rng(0, 1); } " + normalX:                                                                 "unknown function foo_rng",
		"transformed data { real y = normal_rng(0); } " + normalX:                                                                 "normal_rng does not take (int)",
	} {
		if _, err := Compile(src, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", src, err, want)
		}
	}
}
