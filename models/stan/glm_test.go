package stan

import "testing"

// TestRegressionsOfOneRow checks that generalised linear models with a single row of predictors, or a single outcome,
// equal the distributions with the linear predictor written out.
func TestRegressionsOfOneRow(t *testing.T) {
	t.Parallel()
	const head = "data { matrix[3, 2] X; row_vector[2] x; array[3] int y; array[3] int N; vector[3] z; } " +
		"parameters { vector[2] b; real a; vector[3] c; real s; matrix[2, 3] B; } transformed parameters { real e = x * b; " +
		"vector[3] o = cumulative_sum(exp(c)); } model { b ~ normal(0, 1); a ~ normal(0, 1); c ~ normal(0, 1); s ~ normal(0, 1); " +
		"to_vector(B) ~ normal(0, 1); "
	const data = `{"X": [[1, 2], [0.5, -1], [3, 0.2]], "x": [0.7, -0.3], "y": [1, 0, 1], "N": [3, 2, 4], "z": [0.3, 1, -2]}`
	x := []float64{.3, -.2, .4, .1, -.5, .6, .2, .3, -.1, .5, .7, -.6, .15}
	for _, c := range [][2]string{
		{"y ~ bernoulli_logit_glm(x, a, b);", "y ~ bernoulli_logit(a + e);"},
		{"y ~ bernoulli_logit_glm(x, c, b);", "y ~ bernoulli_logit(c + e);"},
		{"y[1] ~ bernoulli_logit_glm(x, a, b);", "y[1] ~ bernoulli_logit(a + e);"},
		{"y[1] ~ bernoulli_logit_glm(X, c, b);", "rep_array(y[1], 3) ~ bernoulli_logit(c + X * b);"},
		{"y ~ poisson_log_glm(x, a, b);", "y ~ poisson_log(a + e);"},
		{"y[2] ~ poisson_log_glm(x, a, b);", "y[2] ~ poisson_log(a + e);"},
		{"y ~ neg_binomial_2_log_glm(x, a, b, exp(s));", "y ~ neg_binomial_2_log(a + e, exp(s));"},
		{"y ~ neg_binomial_2_log_glm(x, c, b, exp(c));", "y ~ neg_binomial_2_log(c + e, exp(c));"},
		{"z ~ normal_id_glm(x, a, b, exp(s));", "z ~ normal(a + e, exp(s));"},
		{"z ~ normal_id_glm(x, c, b, exp(c));", "z ~ normal(c + e, exp(c));"},
		{"z[1] ~ normal_id_glm(x, a, b, exp(s));", "z[1] ~ normal(a + e, exp(s));"},
		{"z[1] ~ normal_id_glm(X, a, b, exp(s));", "z[1] ~ normal(a + X * b, exp(s));"},
		{"y ~ binomial_logit_glm(N, x, a, b);", "y ~ binomial_logit(N, a + e);"},
		{"y[1] ~ binomial_logit_glm(N[1], x, a, b);", "y[1] ~ binomial_logit(N[1], a + e);"},
		{"y ~ binomial_logit_glm(4, x, c, b);", "y ~ binomial_logit(4, c + e);"},
		{"N ~ ordered_logistic_glm(x, b, o);", "N ~ ordered_logistic(e, o);"},
		{"N[1] ~ ordered_logistic_glm(x, b, o);", "N[1] ~ ordered_logistic(e, o);"},
		{"N[1] ~ ordered_logistic_glm(X, b, o);", "rep_array(N[1], 3) ~ ordered_logistic(X * b, o);"},
		{"{3, 2, 1, 1} ~ categorical_logit_glm(x, c, B);", "{3, 2, 1, 1} ~ categorical_logit(c + (x * B)');"},
		{"N[2] ~ categorical_logit_glm(x, c, B);", "N[2] ~ categorical_logit(c + (x * B)');"},
		{"N[2] ~ categorical_logit_glm(X, c, B);", "for (i in 1:3) N[2] ~ categorical_logit(c + (X[i] * B)');"},
		{"y[2:1] ~ poisson_log_glm(x, a, b);", ""},
	} {
		got, want := logF(t, head+c[0]+" }", data, x...), logF(t, head+c[1]+" }", data, x...)
		if off(got, want) > 1e-13 {
			t.Errorf("%s: %v, not %v", c[0], got, want)
		}
	}
}
