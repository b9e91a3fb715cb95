package stan

import (
	"math"
	"testing"
)

// TestDensities compares distributions and functions of hidden states with values from numpy and scipy: quadrature of
// mixtures, sums over all paths of states, and the joint normal density of all observations.
func TestDensities(t *testing.T) {
	t.Parallel()
	const dlm = "[[0.3, 1, -0.5], [0.2, -0.4, 0.8]] | [[1, 0.5], [0.3, -0.2], [0, 0.4]], [[0.9, 0.1, 0], [0, 0.8, 0.2], " +
		"[0.1, 0, 0.7]], %, [[0.25, 0.05, 0.05], [0.05, 0.35, 0.05], [0.05, 0.05, 0.15]], [0.1, -0.2, 0.3]', " +
		"[[0.7, 0.1, 0.1], [0.1, 0.7, 0.1], [0.1, 0.1, 0.7]]"
	const hmm = "log([[0.5, 0.2, 0.7], [0.1, 0.6, 0.3]]), [[0.7, 0.3], [0.4, 0.6]], [0.6, 0.4]'"
	for _, c := range []struct {
		expr string // % is replaced by the second
		with string
		want float64
	}{
		{"beta_neg_binomial_lpmf(4 | 2.5, 3.1, 1.7)", "", -3.0207183197381178},
		{"beta_neg_binomial_lpmf({0, 4} | 2.5, 3.1, 1.7)", "", -0.9340308728613385 - 3.0207183197381178},
		{"beta_neg_binomial_lcdf(4 | 2.5, 3.1, 1.7)", "", -0.12956339843262574},
		{"exp(beta_neg_binomial_lccdf(4 | 2.5, 3.1, 1.7)) + beta_neg_binomial_cdf(4 | 2.5, 3.1, 1.7)", "", 1},
		{"yule_simon_lpmf(3 | 1.3)", "", -2.529935169079619}, {"yule_simon_lcdf(3 | 1.3)", "", -0.20314538738875584},
		{"yule_simon_lccdf(3 | 1.3)", "", -1.693687144879}, {"yule_simon_cdf(3 | 1.3)", "", math.Exp(-0.20314538738875584)},
		{"skew_double_exponential_lcdf(-1.5 | 0.5, 2, 0.3)", "", -2.603972804325936},
		{"skew_double_exponential_lccdf(-1.5 | 0.5, 2, 0.3)", "", -0.07685846271455504},
		{"skew_double_exponential_lcdf([-1.5, 2.2] | 0.5, 2, 0.3)", "", -2.603972804325936 - 0.5453254667418552},
		{"skew_double_exponential_lccdf(2.2 | 0.5, 2, 0.3)", "", -0.8666749439387326},
		{"von_mises_lcdf(1 | 0.5, 2)", "", -0.2966073509041069}, {"von_mises_lccdf(1 | 0.5, 2)", "", -1.3599867614517696},
		{"von_mises_lcdf(-2.5 | 0.5, 2)", "", -5.03741985750493}, {"von_mises_lccdf(-2.5 | 0.5, 2)", "", -0.00651162778438652},
		{"von_mises_lcdf(0.3 | 2.9, 40)", "", -2.743715352316742}, {"von_mises_lccdf(0.3 | 2.9, 40)", "", -0.06649338040466002},
		{"von_mises_lcdf(-3 | 2.9, 40)", "", -2.879657720199452}, {"von_mises_lccdf(-3 | 2.9, 40)", "", -0.0577922404613328},
		{"von_mises_lcdf(0.7 | 0.5, 1500)", "", -5.2693e-15}, {"von_mises_lccdf(0.7 | 0.5, 1500)", "", -32.87556094328106},
		{"von_mises_lcdf(0.3 | 0.5, 1500)", "", -32.875560943281066}, {"von_mises_lccdf(0.3 | 0.5, 1500)", "", -5.2693e-15},
		{"von_mises_lcdf(2 | -0.4, 0.01)", "", -0.198449388104863}, {"von_mises_lccdf(2 | -0.4, 0.01)", "", -1.7148054920532398},
		{"von_mises_lcdf(1.5 | 7, 3)", "", -0.11081840851942565}, {"von_mises_lccdf(1.5 | 7, 3)", "", -2.25475993656033},
		{"von_mises_lcdf(-1.5 | 0.5, 300)", "", -428.5185166465715}, {"von_mises_lccdf(-1.5 | 0.5, 300)", "", 0},
		{"von_mises_cdf(pi() | 1, 3) - von_mises_cdf(-pi() | 1, 3)", "", 1},
		{"discrete_range_cdf(-1 | -3, 4)", "", .375}, {"discrete_range_cdf(-4 | -3, 4)", "", 0},
		{"discrete_range_cdf(7 | -3, 4)", "", 1}, {"exp(discrete_range_lccdf(2 | -3, 4))", "", .25},
		{"hmm_hidden_state_prob(%)[1, 1]", hmm, 0.8529819694868237}, {"hmm_hidden_state_prob(%)[2, 2]", hmm, 0.5454923717059641},
		{"hmm_hidden_state_prob(%)[1, 3]", hmm, 0.7160194174757282}, {"hmm_marginal(%)", hmm, -2.8528447860054436},
		{"gaussian_dlm_obs_lpdf(" + dlm + ")", "[[0.5, 0.1], [0.1, 0.8]]", -7.334022076538503},
		{"gaussian_dlm_obs_lpdf(" + dlm + ")", "[0.5, 0.8]'", -7.180846488394124},
	} {
		expr := c.expr
		for i := range expr {
			if expr[i] == '%' {
				expr = expr[:i] + c.with + expr[i+1:]
				break
			}
		}
		if got := valuesOf(t, "real y = "+expr+";", "y")[0]; off(got, c.want) > 2e-9 {
			t.Errorf("%s is %.12g, not %.12g", expr, got, c.want)
		}
	}

	// Parameters in the place of data.
	got := logF(t, "parameters { vector[2] v; real a; } model { [[0.3, 1, -0.5], [0.2, -0.4, 0.8]] ~ gaussian_dlm_obs("+
		"[[1, 0.5], [0.3, -0.2], [0, 0.4]], [[exp(a), 0.1, 0], [0, 0.8, 0.2], [0.1, 0, 0.7]], v, [[0.25, 0.05, 0.05], "+
		"[0.05, 0.35, 0.05], [0.05, 0.05, 0.15]], [0.1, -0.2, 0.3]', [[0.7, 0.1, 0.1], [0.1, 0.7, 0.1], [0.1, 0.1, 0.7]]); }",
		"", .5, .8, -0.10536051565782628)
	if want := -7.180846488394124; off(got, want) > 1e-12 {
		t.Errorf("%v, not %v", got, want)
	}
}
