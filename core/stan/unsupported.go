package stan

import (
	"strings"

	"logzlab/core/problem"
)

// unsupported are functions of Stan that are refused by name.
var unsupported = refused(map[string]error{
	"ode_rk45 ode_rk45_tol ode_ckrk ode_ckrk_tol ode_adams ode_adams_tol ode_bdf ode_bdf_tol ode_adjoint_tol_ctl " +
		"integrate_ode integrate_ode_rk45 integrate_ode_adams integrate_ode_bdf dae dae_tol": problem.New(
		"differential equations are not offered here; where there is a solution in closed form, write it"),
	"algebra_solver algebra_solver_newton solve_newton solve_newton_tol solve_powell solve_powell_tol": problem.New(
		"solvers of equations are not offered here"),
	"integrate_1d": problem.New("integrals are not offered here; where there is one in closed form, write it"),
	"map_rect":     problem.New("map_rect is not offered here; write a loop"),
	"fft inv_fft fft2 inv_fft2 to_complex get_real get_imag complex_schur_decompose eigenvalues eigenvectors " +
		"conj proj norm arg polar": problem.New("complex numbers are not offered here"),
	"eigenvalues_sym eigenvectors_sym eigendecompose_sym qr_Q qr_R qr qr_thin svd svd_U svd_V " +
		"singular_values matrix_exp matrix_exp_multiply scale_matrix_exp_multiply generalized_inverse " +
		"hmm_marginal hmm_latent_rng hmm_hidden_state_prob wiener_lpdf wiener_full_lpdf owens_t lambert_w0 " +
		"lambert_wm1 bessel_first_kind bessel_second_kind modified_bessel_second_kind csr_extract csr_extract_u " +
		"csr_extract_v csr_extract_w csr_to_dense_matrix skew_normal_cdf skew_normal_lcdf skew_normal_lccdf " +
		"multi_gp_cholesky_lpdf gaussian_dlm_obs_lpdf gp_dot_prod_cov " +
		"quantile laplace_marginal": problem.New("this function is not offered here"),
})

func refused(groups map[string]error) map[string]error {
	out := map[string]error{}
	for names, why := range groups {
		for _, name := range strings.Fields(names) {
			out[name] = why
		}
	}
	return out
}
