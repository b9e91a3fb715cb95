package stan

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/models/stan/lang"
)

// functionCases are expressions with their known values for x = 0.3, y = 1.7, p = 0.4, v = [0.5, 1.2, 2.1]', w = [0.3,
// 0.9, -0.4]', a positive definite matrix A and a matrix B.
var functionCases = []struct {
	expr string
	want float64
}{
	{"x + y * 2 - y / x", 0.3 + 3.4 - 1.7/0.3}, {"-x^2", -0.09}, {"2^3^2 * x", 512 * .3}, {"7 / 2 * x", .9},
	{"7 % 4 + -7 / 2 + x", .3}, {"7 %/% 2 + x", 3.3}, {"pow(y, x) + y .^ x", 2 * math.Pow(1.7, .3)},
	{"exp(x) + expm1(x) + log(y) + log1p(x) + log1m(x)", math.Exp(.3) + math.Expm1(.3) + math.Log(1.7) + math.Log1p(.3) +
		math.Log1p(-.3)},
	{"log1m_exp(-x) + log1p_exp(x) + log_inv_logit(x) + log1m_inv_logit(x)", math.Log(1-math.Exp(-.3)) +
		math.Log(1+math.Exp(.3)) - math.Log(1+math.Exp(-.3)) - math.Log(1+math.Exp(.3))},
	{"sqrt(y) + cbrt(y) + square(y) + inv(y) + inv_sqrt(y) + inv_square(y)", math.Sqrt(1.7) + math.Cbrt(1.7) + 2.89 +
		1/1.7 + 1/math.Sqrt(1.7) + 1/2.89},
	{"exp2(x) + log2(y) + log10(y) + log2() + log10()", math.Exp2(.3) + math.Log2(1.7) + math.Log10(1.7) + math.Ln2 +
		math.Ln10},
	{"logit(p) + inv_logit(x) + inv_cloglog(x)", math.Log(.4/.6) + 1/(1+math.Exp(-.3)) + 1 - math.Exp(-math.Exp(.3))},
	{"sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x)", math.Sin(.3) + math.Cos(.3) + math.Tan(.3) + math.Asin(.3) +
		math.Acos(.3) + math.Atan(.3)},
	{"sinh(x) + cosh(x) + tanh(x) + asinh(x) + acosh(y) + atanh(x) + atan2(x, y)", math.Sinh(.3) + math.Cosh(.3) +
		math.Tanh(.3) + math.Asinh(.3) + math.Acosh(1.7) + math.Atanh(.3) + math.Atan2(.3, 1.7)},
	{"asinh(-y) + round(-y) + trunc(-y) + floor(-y) + ceil(-y) + round(y)", math.Asinh(-1.7) - 2 - 1 - 2 - 1 + 2},
	{"lgamma(y) + tgamma(y) + lbeta(x, y) + beta(x, y)", lgamma(1.7) + math.Gamma(1.7) + lgamma(.3) + lgamma(1.7) -
		lgamma(2) + math.Exp(lgamma(.3)+lgamma(1.7)-lgamma(2))},
	{"digamma(2 + 0 * x) + trigamma(2 + 0 * x)", 0.42278433509846713 + 0.6449340668482264},
	{"lchoose(5 + 0 * x, 2) + binomial_coefficient_log(5 + 0 * x, 2) + choose(5, 2) + x", 2*math.Log(10) + 10.3},
	{"lmgamma(2, y)", .5*math.Log(math.Pi) + lgamma(1.7) + lgamma(1.2)},
	{"falling_factorial(y, 2) + rising_factorial(y, 2)", 1.7*.7 + 1.7*2.7},
	{"log_falling_factorial(y + 2, 2) + log_rising_factorial(y, 2)", math.Log(3.7*2.7) + math.Log(1.7*2.7)},
	{"erf(x) + erfc(x) + Phi(x) + inv_Phi(p) + std_normal_qf(p)", 1 + .5*math.Erfc(-.3/math.Sqrt2) - 2*0.2533471031357997},
	{"Phi_approx(x)", 1 / (1 + math.Exp(-(0.07056*.027 + 1.5976*.3)))}, {"inv_erfc(p)", 0.5951160814499948},
	{"fmin(x, y) + fmax(x, y) + fdim(y, x) + fmod(y, x) + fma(x, y, x) + hypot(x, y)", .3 + 1.7 + 1.4 + math.Mod(1.7, .3) +
		.81 + math.Hypot(.3, 1.7)},
	{"abs(-x) + fabs(-x) + abs(-2) + step(x) + step(-x) + int_step(1) + max(1, 2) + min(1, 2)", .6 + 2 + 1 + 1 + 2 + 1},
	{"multiply_log(x, y) + lmultiply(x, y) + log_diff_exp(y, x) + log_sum_exp(y, x)", .6*math.Log(1.7) +
		math.Log(math.Exp(1.7)-math.Exp(.3)) + math.Log(math.Exp(1.7)+math.Exp(.3))},
	{"gamma_p(2, y) + gamma_q(2, y) + inc_beta(2, 1, p)", 1 + .16},
	{"modified_bessel_first_kind(0, x) + log_modified_bessel_first_kind(0, x)", 1.0226268793515974 +
		math.Log(1.0226268793515974)},
	{"sum(bessel_first_kind({0, 1, 2}, v)) + bessel_second_kind({1, 0}, [0.5, 1.2 + 0 * x])[2]", 2.0394659931861288},
	{"sum(modified_bessel_first_kind({0, 1, 2}, to_array_1d(v))) + sum(modified_bessel_second_kind({2, 1, 0}, v'))", 10.647623354601597},
	{"sum(log_modified_bessel_first_kind({0, 1, 2}, v))", -0.5178443583037415},
	{"sum(choose({5, 6}, 2)) + sum(choose(5, {1, 2, 3})) + sum(choose({7, 8}, {3, 2})) + x", 113.3},
	{"sum(falling_factorial(v, {2, 0, 3})) + sum(rising_factorial(v', 2)) + sum(falling_factorial(x, {1, 2}))", 10.971},
	{"sum(lmgamma({1, 2, 1}, v)) + sum(lmgamma(2, [2.5 + 0 * x, 1.5]))", 2.67429129960931},
	{"sum(ldexp(v, {1, 2, -1})) + sum(ldexp(x, {3, 1}))", 9.85},
	{"softmax(v')[2] + log_softmax(v')[3] + sum(lchoose({5, 6}, {2, 3})) + x*0", 5.075804873961868},
	{"sum(softmax({v, w})[2]) + log_softmax({w', v'})[2][3] - log_softmax(v)[3] + squared_distance(x, y)", 1 + 1.96},
	{"log_mix({0.2, 0.3, 0.5}, v) + log_mix([0.2, 0.3, 0.5], v) + log_mix([0.2, 0.3, 0.5]', v') + log_mix([0.2, 0.3, 0.5]', to_array_1d(v))", 6.7521565695991335},
	{"log_mix({0.2, 0.3, 0.5}, {v, w}) + log_mix([0.2, 0.3, 0.5], {v', w'}) + log_mix({0.2, 0.3, 0.5}, v')", 5.6539482017005955},
	{"log_mix(p, x, y) + log_mix([0.4, 0.6]', [x, y]')", 2 * math.Log(.4*math.Exp(.3)+.6*math.Exp(1.7))},
	{"sum(v) + prod(v) + mean(v) + max(v) + min(v)", 3.8 + .5*1.2*2.1 + 3.8/3 + 2.6},
	{"variance(v) + sd(v)^2", 2 * 0.6433333333333333},
	{"log_sum_exp(v)", math.Log(math.Exp(.5) + math.Exp(1.2) + math.Exp(2.1))},
	{"sum(softmax(v)) + sum(exp(log_softmax(v)))", 2}, {"dot_product(v, w) + v' * w + dot_self(w)", 2*.39 + 1.06},
	{"norm1(w) + norm2(w)^2 + distance(v, w)^2 + squared_distance(v, w)", 1.6 + 1.06 + 2*6.38},
	{"sum(cumulative_sum(v))", .5 + 1.7 + 3.8}, {"sum(v .* w) + sum(v ./ w) + sum(2 ./ v)", .39 + .5/.3 + 1.2/.9 - 2.1/.4 +
		2/.5 + 2/1.2 + 2/2.1},
	{"quantile([0.5, 2.1, 1.2], 0.25) + sum(quantile([4, 1, 3, 2], {0, 0.5, 1})) + x", .85 + 1 + 2.5 + 4 + .3},
	{"sum(eigenvalues_sym(A)) - trace(A) + prod(eigenvalues_sym(A)) - determinant(A) + " +
		"sum(square(eigenvalues_sym(A))) - trace(A * A) + x", .3},
	{"sum(abs(A * eigenvectors_sym(A) - diag_post_multiply(eigenvectors_sym(A), eigenvalues_sym(A)))) + " +
		"sum(abs(crossprod(eigenvectors_sym(A)) - identity_matrix(3))) + x", .3},
	{"square(eigenvectors_sym([[x, 0, 0], [0, y, 0], [0, 0, p]])[3, 2])", 1},
	{"sum(abs(qr_Q(@) * qr_R(@) - @)) + sum(abs(crossprod(qr_Q(@)) - identity_matrix(3))) + x", .3},
	{"sum(abs(qr_R(@)[1:2] - qr_thin_R(@))) + sum(abs(qr_Q(@)[, 1:2] - qr_thin_Q(@))) + qr_R(@)[3, 1] + x", .3},
	{"sum(generalized_inverse(A) * A) + sum(generalized_inverse([[x, y]]) * 2.98)", 3 + 2},
	{"sum(csr_extract_w([[0, 3], [4, 0]])) + sum(csr_extract_v([[0, 3], [4, 0]])) + " +
		"sum(csr_extract_u([[0, 3], [4, 0]])) + sum(csr_to_dense_matrix(2, 2, v[1:2], {2, 1}, {1, 2, 3}) * w[1:2])",
		7 + 3 + 6 + .45 + .36},
	{"hmm_marginal([[x, y], [0, x]], [[0.2, 0.8], [p, 0.6]], [0.3, 0.7]')", math.Log(.3*math.Exp(.3)*(.2*math.Exp(1.7)+
		.8*math.Exp(.3)) + .7*(.4*math.Exp(1.7)+.6*math.Exp(.3)))},
	{"owens_t(x, y) + owens_t(x, 1) - owens_t(-x, -1)", owen(.3, 1.7) + 2*owen(.3, 1)},
	{"bessel_first_kind(0, y) + bessel_first_kind(3, x) + bessel_first_kind(1, -y) + bessel_first_kind(-3, y)",
		0.3979848594461096 + 0.0005593430477488464 - 0.5777652315290233 - 0.08514992694801524},
	{"bessel_first_kind(2, 100 * x + 1) + bessel_first_kind(20, 380.3 - x)", -0.05979035928301412 - 0.037852077951442256},
	{"bessel_first_kind(20, 410.3 - x) + bessel_first_kind(7, 49.2 - x) + bessel_first_kind(0, 25.3 - x)",
		0.010731043397441114 + 0.11431382431487996 + 0.09626678327595811},
	{"bessel_first_kind(5, x + 24.69) + bessel_first_kind(5, x + 24.71)", -0.06746008186155336 - 0.06455015420468081},
	{"bessel_second_kind(0, y) + bessel_second_kind(1, x) + bessel_second_kind(3, y) + bessel_second_kind(2, x + 30.7)",
		0.4520270001816348 - 2.2931051383885293 - 1.5670362330493104 + 0.1303892523128494},
	{"bessel_second_kind(5, x + 24.69) + bessel_second_kind(5, x + 24.71) + bessel_second_kind(-7, x + 11.7)",
		-0.14643452537051882 - 0.14766709688773222 - 0.18952069552168654},
	{"bessel_second_kind(20, x + 0.2) / 4.271430121565908e28 + bessel_second_kind(1, x / 300) / 636.6221672311394 + " +
		"bessel_second_kind(20, x + 379.7)", -2 + 0.01564797487364611},
	{"modified_bessel_second_kind(0, y) + modified_bessel_second_kind(1, x) + modified_bessel_second_kind(3, y)",
		0.16549631805699638 + 3.0559920334573247 + 1.1783157298719844},
	{"modified_bessel_second_kind(0, x * 1e-6 / 0.3) + modified_bessel_second_kind(20, x + 0.2) / 6.665549874417158e28 " +
		"+ modified_bessel_second_kind(5, 1000 * x) / 3.8818542256471534e-132", 13.931442073626418 + 2},
	{"modified_bessel_first_kind(0, y) + modified_bessel_first_kind(1, -x)", 1.8639649620738394 - 0.15169384000359276},
	{"matrix_exp([[-x, x, 0], [y, -2, x], [0, 0.5, -0.5]])[2, 3] + matrix_exp(100 * [[-x, x, 0], [y, -2, x], " +
		"[0, 0.5, -0.5]])[3, 1] + scale_matrix_exp_multiply(x, [[0, 10], [-y / 0.255, 1 / x]], [[1], [1]])[1, 1]",
		0.8351330284350308},
	{"sum(singular_values(@)) + singular_values(@)[2] + x", 8.547053172634953},
	{"sum(abs(svd_U(@) * diag_pre_multiply(singular_values(@), svd_V(@)') - @)) + sum(abs(crossprod(svd_U(@)) - " +
		"identity_matrix(2))) + sum(abs(crossprod(svd_V(@)) - identity_matrix(2))) + x", .3},
	{"std_normal_log_qf(log(p)) + trace_gen_quad_form(A, A, A) - trace(A * A' * A * A)", -0.2533471031357997},
	{"gp_dot_prod_cov({x, y}, 0.5)[1, 2] + gp_dot_prod_cov({v}, {w}, y)[1, 1]", .51 + .25 + .39 + 2.89},
	{"sum(v + 1) - sum(1 - v) + sum(-v) + sum(v / 2)", 6.8 + .8 - 3.8 + 1.9},
	{"(v * w')[2, 3] + (A * v)[2] + (v' * A)[1] + (A * A)[1, 2]", -.48 + (.5*.5 + 1.2*3 + .1*2.1) + (1 + .6 + .63) + 2.53},
	{"trace(A) + sum(diagonal(A)) + sum(diag_matrix(v)) + sum(A')", 6.5 + 6.5 + 3.8 + 8.3},
	{"sum(diag_pre_multiply(v, A)) + sum(diag_post_multiply(A, v)) + sum(quad_form_diag(A, v))",
		2*(.5*2.8+1.2*3.6+2.1*1.9) + (2*.25 + 3*1.44 + 1.5*4.41 + 2*(.5*.6+.3*1.05+.1*2.52))},
	{"quad_form(A, v) + quad_form_sym(A, v) + v' * A * v", 3 * (2*.25 + 3*1.44 + 1.5*4.41 + 2*(.5*.6+.3*1.05+.1*2.52))},
	{"trace_quad_form(A, B) - trace(B' * A * B)", 0}, {"sum(crossprod(B) - B' * B) + sum(tcrossprod(B) - B * B')", 0},
	{"sum(abs(cholesky_decompose(A) * cholesky_decompose(A)' - A)) + x", .3},
	{"sum(abs(multiply_lower_tri_self_transpose(cholesky_decompose(A)) - A)) + x", .3},
	{"sum(abs(inverse(A) * A - identity_matrix(3))) + sum(abs(inverse_spd(A) * A - identity_matrix(3))) + x", .3},
	{"sum(abs(chol2inv(cholesky_decompose(A)) * A - identity_matrix(3))) + x", .3},
	{"sum(abs(A * mdivide_left_spd(A, v) - v)) + sum(abs(A * (A \\ v) - v)) + sum(abs((v' / A) * A - v')) + x", .3},
	{"sum(abs(mdivide_right_spd(v', A) * A - v')) + x", .3},
	{"sum(abs(cholesky_decompose(A) * mdivide_left_tri_low(cholesky_decompose(A), v) - v)) + x", .3},
	{"sum(abs(mdivide_right_tri_low(v', cholesky_decompose(A)) * cholesky_decompose(A) - v')) + x", .3},
	{"exp(log_determinant(A)) + exp(log_determinant_spd(A)) + determinant(A)", 3 * 8.365},
	{"sum(add_diag(A, x)) + sum(add_diag(A, v))", 8.3*2 + .9 + 3.8}, {"sum(matrix_power(A, 2) - A * A)", 0},
	{"sum(symmetrize_from_lower_tri(B)) ", 1 + 5 + 9 + 2*(4+7+8)},
	{"columns_dot_product(B, B)[2] + rows_dot_product(B, B)[2] + columns_dot_self(B)[1] + rows_dot_self(B)[1]",
		(4 + 25 + 64) + (16 + 25 + 36) + (1 + 16 + 49) + 14},
	{"rows(B) + cols(B) + size(v) + num_elements(B) + dims(B)[2] + x", 3 + 3 + 3 + 9 + 3 + .3},
	{"to_vector(B)[2] + to_row_vector(B)[4] + to_array_1d(B)[4] + to_matrix(to_vector(B), 3, 3)[1, 2]", 4 + 2 + 2 + 2},
	{"to_matrix(to_vector(B), 3, 3, 0)[1, 2] + to_matrix(v)[3, 1] + to_matrix(v, 1, 3)[1, 2] + to_array_2d(B)[1, 2]",
		4 + 2.1 + 1.2 + 2},
	{"append_row(v, w)[4] + append_row(x, v)[1] + append_row(B, v')[4, 2] + append_row(v', w')[2, 1]", .3 + .3 + 1.2 + .3},
	{"append_col(v', w')[4] + append_col(x, v')[1] + append_col(B, v)[2, 4] + append_col(v, w)[1, 2]", .3 + .3 + 1.2 + .3},
	{"sum(append_array({x, y}, {1, 2}))", 5}, {"sum(head(v, 2)) + sum(tail(v, 2)) + sum(segment(v, 2, 2)) + reverse(v)[1]",
		1.7 + 3.3 + 3.3 + 2.1},
	{"row(B, 2)[3] + col(B, 2)[3] + sum(block(B, 2, 2, 2, 2)) + sum(sub_row(B, 1, 2, 2)) + sum(sub_col(B, 2, 3, 2))",
		6 + 8 + 28 + 5 + 15},
	{"sum(B[2:3, 2]) + sum(B[, 1]) + sum(B[3]) + sum(B[{3, 1}, {1, 2}]) + B[2][1] + sum(v[2:]) + sum(v[:2]) + v[{3}][1]",
		13 + 12 + 24 + (7 + 8 + 1 + 2) + 4 + 3.3 + 1.7 + 2.1},
	{"sum(rep_vector(x, 3)) + sum(rep_row_vector(x, 2)) + sum(rep_matrix(x, 2, 2)) + sum(rep_matrix(v, 2)[, 2])",
		.9 + .6 + 1.2 + 3.8},
	{"rep_matrix(v', 2)[2, 3] + sum(to_vector(rep_array(x, 3))) + rep_array(v, 2)[2, 3] + rep_array(x, 2, 2)[1, 2]",
		2.1 + .9 + 2.1 + .3},
	{"sum(zeros_vector(2)) + sum(ones_vector(2)) + one_hot_vector(3, 2)[2] + linspaced_vector(3, 0, 1)[2]", 2 + 1 +
		.5},
	{"sum(linspaced_int_array(3, 1, 5)) + sum(ones_int_array(2)) + sum(uniform_simplex(4)) + x", 9 + 2 + 1 + .3},
	{"pi() + e() + sqrt2() + machine_precision() + x", math.Pi + math.E + math.Sqrt2 + 0x1p-52 + .3},
	{"gp_exp_quad_cov({1.0, 2.0, 4.0}, y, x)[1, 2] + cov_exp_quad({1.0, 2.0}, y, x)[1, 1]", 2.89*math.Exp(-.5/.09) + 2.89},
	{"gp_matern32_cov({1.0, 2.0}, y, y)[1, 2]", 2.89 * (1 + math.Sqrt(3)/1.7) * math.Exp(-math.Sqrt(3)/1.7)},
	{"gp_matern52_cov({1.0, 2.0}, y, y)[1, 2]", 2.89 * (1 + math.Sqrt(5)/1.7 + 5./3/2.89) * math.Exp(-math.Sqrt(5)/1.7)},
	{"gp_exponential_cov({1.0, 2.0}, {1.5}, y, y)[2, 1]", 2.89 * math.Exp(-.5/1.7)},
	{"gp_periodic_cov({1.0, 2.0}, y, x, y)[2, 1]", 2.89 * math.Exp(-2*math.Pow(math.Sin(math.Pi/1.7), 2)/.09)},
	{"sum(sort_asc({3, 1, 2})[1:2]) + sort_desc({3, 1, 2})[1] + sort_indices_asc({3, 1, 2})[1] + rank({3, 1, 2}, 1) + x",
		3 + 3 + 2 + 2 + .3},
	{"sort_asc(v)[2] + sort_desc(w)[1] + sort_asc([x, y, p, x - 1, y + 1]')[4] + sort_desc([x, y, p]')[3]", 1.2 + .9 +
		1.7 + .3},
	{"sum(abs(qr_thin_Q(B[, 1:2]) * qr_thin_R(B[, 1:2]) - B[, 1:2])) + qr_thin_R(B[, 1:2])[1, 1]", math.Sqrt(66)},
	{"(1 > 2 ? x : y) + (1 < 2 && !(2 < 1)) + (1 == 2 || 2 != 3) + logical_negation(0) + is_nan(not_a_number())", 1.7 + 4},
	{"csr_matrix_times_vector(2, 3, [1, 2, 3]', {1, 3, 2}, {1, 3, 4}, v)[1] + x", .5 + 4.2 + .3},
	{"add(x, y) + subtract(x, y) + multiply(x, y) + divide(x, y) + sum(elt_multiply(v, w)) + sum(transpose(v))", .6 + .51 +
		.3/1.7 + .39 + 3.8},
	{"[x, y] * [y, x]' + [[x, y], [y, x]][2, 1] + {x, y}[2] + {{x, y}, {y, x}}[2, 1]", 1.02 + 1.7*3},
}

// owen returns Owen's T(h, a) by numerical integration.
func owen(h, a float64) (sum float64) {
	const n = 100_000
	for i := range n {
		x := a * (float64(i) + .5) / n
		sum += math.Exp(-h*h*(1+x*x)/2) / (1 + x*x) / (2 * math.Pi) * a / n
	}
	return sum
}

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

const functionData = `real x = 0.3; real y = 1.7; real p = 0.4; vector[3] v = [0.5, 1.2, 2.1]';
vector[3] w = [0.3, 0.9, -0.4]'; matrix[3, 3] A = [[2, 0.5, 0.3], [0.5, 3, 0.1], [0.3, 0.1, 1.5]];
matrix[3, 3] B = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];`

// TestFunctions checks the values of functions for arguments that are data and for arguments that are parameters.
func TestFunctions(t *testing.T) {
	t.Parallel()
	at := []float64{1, .3, 1.7, .4, .5, 1.2, 2.1, .3, .9, -.4, 2, .5, .3, .5, 3, .1, .3, .1, 1.5, 1, 4, 7, 2, 5,
		8, 3, 6, 9}
	for _, c := range functionCases {
		c.expr = strings.ReplaceAll(c.expr, "@", "[[1, -2], [0.5, 3], [2, 1]]")
		for name, src := range map[string]string{
			"data": "transformed data { " + functionData + " } parameters { real u; } model { target += u; target += " + c.expr +
				"; }",
			"parameters": "parameters { real u; real x; real y; real p; vector[3] v; vector[3] w; matrix[3, 3] A; " +
				"matrix[3, 3] B; } model { target += u; target += " + c.expr + "; }",
		} {
			x := at
			if name == "data" {
				x = at[:1]
			}
			got := logF(t, src, "", x...) - 1
			if !(math.Abs(got-c.want) <= 1e-9*max(1, math.Abs(c.want))) {
				t.Errorf("%s of %s is %.12g, not %.12g", c.expr, name, got, c.want)
			}
		}
	}
	used := fmt.Sprint(functionCases)
	for _, f := range lang.Functions() {
		if !strings.Contains(used, f+"(") {
			t.Logf("no case for %s", f)
		}
	}
	t.Logf("%d functions, %d distributions", len(lang.Functions()), len(lang.Distributions()))
}

// TestGradientsOfPiecewiseFunctions compares gradients with finite differences for functions whose tapes select
// different formulas for different arguments.
func TestGradientsOfPiecewiseFunctions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expr string
		at   []float64
	}{
		{"sum(diag_post_multiply(eigenvectors_sym([[a, b, .2], [b, c, d], [.2, d, 2]]), [1, 2, 3]') .* " +
			"eigenvectors_sym([[a, b, .2], [b, c, d], [.2, d, 2]]) .* [[1, 4, 2], [3, 1, 1], [2, 5, 7]])",
			[]float64{1, .3, 2.1, -.5}},
		{"bessel_second_kind(0, a) * bessel_second_kind(1, b) + bessel_second_kind(4, c) + bessel_second_kind(2, d)",
			[]float64{.7, 3, 26, 24}},
	} {
		p, err := Compile("parameters { real a; real b; real c; real d; } model { target += "+c.expr+" - "+
			"0.1 * (a^2 + b^2 + c^2 + d^2); }", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		points, slope := p.Tape.EvaluatorPool(), make([]float64, len(c.at))
		points.Gradient(c.at, slope)
		for k, got := range slope {
			const h = 1e-5
			x := slices.Clone(c.at)
			x[k] += h
			high := points.LogF(x)
			x[k] -= 2 * h
			if want := (high - points.LogF(x)) / (2 * h); !(math.Abs(got-want) < 1e-6*max(1, math.Abs(want))) {
				t.Errorf("%s: slope %d is %v, not %v", c.expr, k, got, want)
			}
		}
	}
}

// TestUserFunctionsWithBuiltinNames checks that a program may define a function with the name of a built-in function if
// Stan has no version for its argument types, and may define its own transforms.
func TestUserFunctionsWithBuiltinNames(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"real bessel_first_kind(real n, real x) { return n + x; }", "real square(vector x, int n) { return 1; }",
		"vector simplex_constrain(vector y) { return softmax(append_row(y, 0)); }",
		"vector fma(vector x, vector y, vector z) { return x .* y + z; }", "real lmgamma(real k, real x) { return k * x; }",
		"real normal_lpdf(real y, real m) { return -square(y - m); }", "real lambert_w0(real x) { return x; }",
	} {
		if _, err := Compile("functions { "+src+" } "+normalX, nil, nil); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
	got := logF(t, "functions { real bessel_first_kind(real n, real x) { return n + x; } } parameters { real x; } "+
		"model { target += bessel_first_kind(1.5, x); }", "", .25)
	if got != 1.75 {
		t.Errorf("%v, not 1.75", got)
	}
}
