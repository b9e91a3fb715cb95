// oracle: points only. Distribution functions and their complements.
data {
  int<lower=0> k;
}
parameters {
  real x;
  real<lower=0> p;
  real<lower=0> s;
  real<lower=0, upper=1> u;
}
model {
  x ~ normal(0, 1);
  p ~ gamma(3, 2);
  s ~ gamma(4, 3);
  u ~ beta(2, 3);
  target += normal_lcdf(x | 0.3, s) + normal_lccdf(x | u, 1.5);
  target += student_t_lcdf(x | 4, u, s) + student_t_lccdf(x | 3, 0, 1) + cauchy_lcdf(x | 0, s) + cauchy_lccdf(x | u, 1);
  target += logistic_lcdf(x | u, s) + logistic_lccdf(x | 0, 1) + gumbel_lcdf(x | u, s) + gumbel_lccdf(x | 0, 1);
  target += double_exponential_lcdf(x | u, s) + double_exponential_lccdf(x | 0, 1);
  target += exponential_lcdf(p | s) + exponential_lccdf(p | 2) + lognormal_lcdf(p | x, s) + lognormal_lccdf(p | 0, 1);
  target += gamma_lcdf(p | 2, s) + gamma_lccdf(p | 1.5, 2) + inv_gamma_lcdf(p | 2, s) + inv_gamma_lccdf(p | 3, 2);
  target += weibull_lcdf(p | 1.5, s) + weibull_lccdf(p | s, 2) + beta_lcdf(u | 2, 3) + beta_lccdf(u | 1.5, 2);
  target += frechet_lcdf(p | 2, s) + rayleigh_lccdf(p | s) + pareto_lcdf(p + 1 | 1, s) + pareto_lccdf(p + 1 | 0.5, s);
  target += chi_square_lcdf(p | 3) + uniform_lcdf(u | 0, 1.2) + skew_normal_lcdf(x | 0, s, 2);
  target += poisson_lcdf(k | p) + poisson_lccdf(k | s) + binomial_lcdf(k | 9, u) + binomial_lccdf(k | 7, u);
  target += neg_binomial_2_lcdf(k | p, s) + bernoulli_lccdf(0 | u) + exp_mod_normal_lcdf(x | u, s, 1);
}
