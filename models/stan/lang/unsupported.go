package lang

import (
	"strings"

	"logzlab/core/problem"
)

// Unsupported holds functions of Stan that are not supported, with the reason and, if possible, a replacement.
var Unsupported = byName(map[string]error{
	"ode_rk45 ode_rk45_tol ode_ckrk ode_ckrk_tol ode_adams ode_adams_tol ode_bdf ode_bdf_tol ode_adjoint_tol_ctl " +
		"integrate_ode integrate_ode_rk45 integrate_ode_adams integrate_ode_bdf dae dae_tol": problem.New(
		"differential equations are not supported; if there is a solution in closed form, write it"),
	"algebra_solver algebra_solver_newton solve_newton solve_newton_tol solve_powell solve_powell_tol": problem.New(
		"solvers of algebraic equations are not supported"),
	"integrate_1d": problem.New("integrals are not supported; if there is a closed form, write it"),
	"if_else":      problem.New("it was removed from Stan; write c ? a : b"),
	"map_rect":     problem.New("it is not supported; write a loop"),
	"fft inv_fft fft2 inv_fft2 to_complex get_real get_imag complex_schur_decompose eigenvalues eigenvectors " +
		"conj proj norm arg polar": problem.New("complex numbers are not supported"),
	"hmm_latent_rng wiener_full_lpdf lambert_w0 lambert_wm1 laplace_marginal laplace_marginal_tol inv_inc_beta " +
		"poisson_binomial_lpmf inv_wishart_cholesky_lpdf hmm_marginal_lpdf": problem.New(
		"this function is not supported"),
})

// byName returns the error of each name; a key of groups is a list of names separated by blanks.
func byName(groups map[string]error) map[string]error {
	out := map[string]error{}
	for names, why := range groups {
		for _, name := range strings.Fields(names) {
			out[name] = why
		}
	}
	return out
}
