package stan

import (
	"logzlab/core/tape"
	"strings"
)

func init() {
	sum := func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar {
		for _, q := range p {
			y = b.Map(tape.Add, y, q)
		}
		return y
	}
	for _, s := range strings.Fields("std_normal:0 student_t:3 cauchy:2 double_exponential:2 logistic:2 gumbel:2 lognormal:2 exponential:1 gamma:2 inv_gamma:2 chi_square:1 inv_chi_square:1 scaled_inv_chi_square:2 weibull:2 frechet:2 rayleigh:1 pareto:2 pareto_type_2:3 beta:2 beta_proportion:2 uniform:2 von_mises:2 skew_normal:3 exp_mod_normal:3 skew_double_exponential:3 loglogistic:2") {
		name, n, _ := strings.Cut(s, ":")
		families = append(families, family{Name: name, Params: int(n[0] - '0'), Log: sum, LogCDF: sum, LogCCDF: sum})
	}
	for _, s := range strings.Fields("bernoulli:1 binomial:2 binomial_logit:2 beta_binomial:3 hypergeometric:3 neg_binomial:2 neg_binomial_2:2 neg_binomial_2_log:2 poisson:1 poisson_log:1 discrete_range:2") {
		name, n, _ := strings.Cut(s, ":")
		families = append(families, family{Name: name, Discrete: true, Params: int(n[0] - '0'), Log: sum, LogCDF: sum, LogCCDF: sum})
	}
	any := func(args []typ) (typ, bool) { return typ{base: realType}, true }
	for _, s := range strings.Fields("multi_normal_lpdf multi_normal_cholesky_lpdf multi_normal_prec_lpdf multi_student_t_lpdf dirichlet_lpdf multinomial_lpmf categorical_lpmf categorical_logit_lpmf ordered_logistic_lpmf ordered_probit_lpmf wishart_lpdf inv_wishart_lpdf lkj_corr_lpdf lkj_corr_cholesky_lpdf normal_id_glm_lpdf bernoulli_logit_glm_lpmf poisson_log_glm_lpmf neg_binomial_2_log_glm_lpmf multinomial_logit_lpmf categorical_logit_glm_lpmf") {
		jointFunctions = append(jointFunctions, builtin{names: s, typeOf: any, do: func(r *run, t typ, a []value) value {
			var all numbers
			for _, v := range a {
				all = append(all, v.x...)
			}
			return realValue(r.b.Sum(all))
		}})
	}
	builtins = library()
}
