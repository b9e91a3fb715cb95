// Intercepts and slopes that vary together between groups.
data {
  int<lower=1> N;
  int<lower=1> G;
  array[N] int<lower=1, upper=G> g;
  vector[N] x;
  vector[N] y;
}
parameters {
  vector[2] beta;
  vector<lower=0>[2] tau;
  cholesky_factor_corr[2] L;
  array[G] vector[2] b;
  real<lower=0> sigma;
}
model {
  beta ~ normal(0, 2);
  tau ~ normal(0, 1);
  target += -2 * normal_lccdf(0 | 0, 1); // tau is half-normal
  L ~ lkj_corr_cholesky(2);
  sigma ~ exponential(1);
  b ~ multi_normal_cholesky(beta, diag_pre_multiply(tau, L));
  for (n in 1:N)
    y[n] ~ normal(b[g[n], 1] + b[g[n], 2] * x[n], sigma);
}
generated quantities {
  matrix[2, 2] Omega = multiply_lower_tri_self_transpose(L);
}
