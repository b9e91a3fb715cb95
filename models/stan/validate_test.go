package stan

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"logzlab/core/num"
)

// TestOutsideTheDensityIsZero checks that the density is 0 if a transformed parameter violates its declaration or a
// function is not defined, that gradients are finite everywhere, and that the density is otherwise unchanged by the
// declaration.
func TestOutsideTheDensityIsZero(t *testing.T) {
	t.Parallel()
	declared := func(s string) string { return "transformed parameters { " + s + " } model { x ~ normal(0, 1); }" }
	model := func(s string) string { return "model { x ~ normal(0, 1); target += " + s + "; }" }
	for _, c := range []struct {
		src     string
		in, out []float64 // values of x
	}{
		{declared("real<lower=0> z = x;"), []float64{.1}, []float64{-.1}},
		{declared("real<upper=1> z = x;"), []float64{-3, 1}, []float64{1.1}},
		{declared("vector<lower=0, upper=1>[2] z = [x, 2 * x]';"), []float64{.3}, []float64{-.1, .6}},
		{declared("array[2] real<lower=x> z = {1, x + exp(x)};"), []float64{.3}, []float64{1.1}},
		{declared("real<lower=0> z = sqrt(x);"), []float64{.1}, []float64{-.1}}, // NaN is within no bound
		{declared("real<lower=-9> z = square(log(x));"), []float64{.1}, []float64{-.1}},
		{declared("real<upper=9> z = -abs(log1m(x));"), []float64{.1}, []float64{1.1}},
		{declared("tuple(real, real<lower=0>) z = (x, x);"), []float64{.3}, []float64{-1}},
		{declared("ordered[2] z = [1, x]';"), []float64{1.1}, []float64{.9}},
		{declared("positive_ordered[2] z = [x, 1]';"), []float64{.1}, []float64{-.1, 1.1}},
		{declared("simplex[2] z = [x, 1 - x]';"), []float64{.1}, []float64{-.1, 1.1}},
		{declared("simplex[2] z = [x, 0.5]';"), []float64{.5}, []float64{.4, .6}},
		{declared("unit_vector[2] z = [x, 0.6]';"), []float64{.8, -.8}, []float64{.7}},
		{declared("sum_to_zero_vector[2] z = [x, 1]';"), []float64{-1}, []float64{.7}},
		{declared("corr_matrix[2] z = [[1, x], [x, 1]];"), []float64{.8, -.8}, []float64{1.1}},
		{declared("corr_matrix[2] z = [[x, 0], [0, 1]];"), []float64{1}, []float64{1.1, .9}},
		{declared("cov_matrix[2] z = [[x, 0.1], [0.1, 1]];"), []float64{1}, []float64{0, -1}},
		{declared("cov_matrix[2] z = [[1, x], [0.1, 1]];"), []float64{.1}, []float64{0, .2}},
		{declared("cholesky_factor_cov[2] z = [[x, 0], [0.1, 1]];"), []float64{1}, []float64{-1}},
		{declared("cholesky_factor_cov[2] z = [[1, x], [0.1, 1]];"), []float64{0}, []float64{-1, .1}},
		{declared("cholesky_factor_corr[2] z = [[1, 0], [x, 0.6]];"), []float64{.8}, []float64{.7}},

		// Arguments of distributions and of functions.
		{model("bernoulli_lpmf(1 | x)"), []float64{.4}, []float64{-.1, 1.3}},
		{model("bernoulli_lpmf(0 | x)"), []float64{.4}, []float64{-.1, 1.3}},
		{model("binomial_lpmf(3 | 3, x)"), []float64{.4}, []float64{-.1, 1.3}},
		{model("poisson_lpmf(0 | x)"), []float64{.4}, []float64{-.1}},
		{model("poisson_lcdf(2 | x)"), []float64{.4}, []float64{-.1}},
		{model("exponential_lccdf(x | 1)"), []float64{.4}, []float64{-.1}},
		{model("gamma_lpdf(x | 1, 1)"), []float64{.4}, []float64{-.1}},
		{model("gamma_lpdf(1 | x, 1)"), []float64{.4}, []float64{-.5, -1.5}},
		{model("chi_square_lpdf(x | 2)"), []float64{.4}, []float64{-.1}},
		{model("beta_lpdf(x | 1, 1)"), []float64{.4}, []float64{-.1, 1.3}},
		{model("beta_lpdf(0.3 | x, 2)"), []float64{.4}, []float64{-.5}},
		{model("beta_binomial_lpmf(1 | 3, x, 2)"), []float64{.4}, []float64{-.5}},
		{model("beta_proportion_lpdf(0.4 | x, 2)"), []float64{.4}, []float64{-.5, 1.2}},
		{model("exp_mod_normal_lpdf(0 | 0, x, 1)"), []float64{.4}, []float64{-1}},
		{model("scaled_inv_chi_square_lpdf(1 | 2, x)"), []float64{.4}, []float64{-1}},
		{model("normal_lpdf(1 | 0, x)"), []float64{.4}, []float64{-1}},
		{model("normal_lcdf(0 | 0, x)"), []float64{.4}, []float64{-1}},
		{model("logistic_lccdf(0.3 | 0, x)"), []float64{.4}, []float64{-1}},
		{model("student_t_lcdf(0.3 | x, 0, 1)"), []float64{.4}, []float64{-1}},
		{model("categorical_lpmf(1 | [x, 1 - x]')"), []float64{.4}, []float64{-.1, 1.4}},
		{model("categorical_lpmf(1 | [x, 0.3]')"), []float64{.7}, []float64{.3}},
		{model("multinomial_lpmf({1, 0} | [x, 1 - x]')"), []float64{.4}, []float64{-.1, 1.4}},
		{model("dirichlet_lpdf([x, 1 - x]' | [1, 1]')"), []float64{.4}, []float64{-.1, 1.4}},
		{model("dirichlet_lpdf([0.5, 0.5]' | [x, 1]')"), []float64{.4}, []float64{-.5}},
		{model("ordered_logistic_lpmf(1 | 0, [x, 0]')"), []float64{-.4}, []float64{.5}},
		{model("ordered_probit_lpmf(1 | 0, [x, 0]')"), []float64{-.4}, []float64{.5}},
		{model("wishart_lpdf([[1, 0], [0, 1]] | x, [[1, 0], [0, 1]])"), []float64{1.4}, []float64{.5}},
		{model("inv_wishart_lpdf([[1, 0], [0, 1]] | x, [[1, 0], [0, 1]])"), []float64{1.4}, []float64{.5}},
		{model("log_mix(x, -1, -2)"), []float64{.4}, []float64{-.1, 1.1}},
		{model("log_sum_exp(bernoulli_lpmf(1 | x), 0)"), []float64{.4}, []float64{-.1, 1.1}},
	} {
		p, err := Compile("parameters { real x; } "+c.src, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		slope := []float64{0}
		for _, x := range c.in {
			if f := p.Tape.EvaluatorPool().Gradient([]float64{x}, slope); !num.Finite(f) || !num.Finite(slope[0]) {
				t.Errorf("%s at %v: %v, slope %v", c.src, x, f, slope)
			}
		}
		for _, x := range c.out {
			if f := p.Tape.EvaluatorPool().Gradient([]float64{x}, slope); !math.IsInf(f, -1) {
				t.Errorf("%s at %v: %v, slope %v", c.src, x, f, slope)
			}
		}
	}
}

// TestCertainConstraintsCostNothing checks that constraints which the range analysis proves add no operations to the
// tape.
func TestCertainConstraintsCostNothing(t *testing.T) {
	t.Parallel()
	const head = "parameters { real<lower=0, upper=1> p; real<lower=0> s; real x; simplex[3] w; ordered[3] c; " +
		"array[2] simplex[2] rows; cholesky_factor_corr[2] L; unit_vector[2] e; } transformed parameters { "
	const tail = "} model { target += p + s + x + sum(w) + sum(c) + rows[1, 1] + L[2, 1] + e[1]; }"
	for _, c := range []struct{ declared, plain string }{
		{"real<lower=0> z = exp(x);", "real z = exp(x);"},
		{"real<lower=0> z = s * p + 1;", "real z = s * p + 1;"},
		{"real<lower=0, upper=1> z = inv_logit(x);", "real z = inv_logit(x);"},
		{"real<lower=0, upper=1> z = 1 - p;", "real z = 1 - p;"},
		{"real<lower=s> z = s + exp(x);", "real z = s + exp(x);"},
		{"real<lower=0, upper=1> z = p / (p + s);", "real z = p / (p + s);"},
		{"vector<lower=0>[3] z = s * w;", "vector[3] z = s * w;"},
		{"simplex[3] z = w;", "vector[3] z = w;"},
		{"simplex[2] z = [p, 1 - p]';", "vector[2] z = [p, 1 - p]';"},
		{"simplex[3] z = softmax(c);", "vector[3] z = softmax(c);"},
		{"simplex[3] z = exp(c) / sum(exp(c));", "vector[3] z = exp(c) / sum(exp(c));"},
		{"ordered[3] z = c;", "vector[3] z = c;"},
		{"ordered[3] z = x + s * c;", "vector[3] z = x + s * c;"},
		{"positive_ordered[3] z = cumulative_sum(exp(c));", "vector[3] z = cumulative_sum(exp(c));"},
		{"cholesky_factor_cov[2] z = diag_pre_multiply([s, p], L);", "matrix[2, 2] z = diag_pre_multiply([s, p], L);"},
	} {
		with, err := Compile(head+c.declared+tail, nil, nil)
		without, also := Compile(head+c.plain+tail, nil, nil)
		if err != nil || also != nil {
			t.Errorf("%s: %v %v", c.declared, err, also)
		} else if !bytes.Equal(with.Tape.Bytes(), without.Tape.Bytes()) {
			t.Errorf("%s: the tape is another one", c.declared)
		}
	}

	// The tape has a constant NaN if an argument of a distribution may be outside of its domain.
	for of, certain := range map[string]bool{"p": true, "p * x": false} {
		p, err := Compile(head+tail[:len(tail)-1]+"target += bernoulli_lpmf(1 | "+of+") + poisson_lpmf(0 | s) + "+
			"normal_lpdf(x | 0, x) + categorical_lpmf(1 | w) + categorical_lpmf(2 | rows[2]) + log_mix(p, -1, -2) + "+
			"ordered_logistic_lpmf(1 | x, c) + dirichlet_lpdf(w | w); }", nil, nil)
		none := binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN()))
		if err != nil || bytes.Contains(p.Tape.Bytes(), none) == certain {
			t.Errorf("%s: %v", of, err)
		}
	}
}
