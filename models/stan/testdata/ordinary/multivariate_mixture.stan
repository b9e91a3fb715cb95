data {
  int<lower=0> N;
  int<lower=1> K;
  int<lower=1> D;
  array[N] vector[D] y;
}
parameters {
  simplex[K] theta;
  array[K] vector[D] mu;
  array[K] cholesky_factor_corr[D] L;
  array[K] vector<lower=0>[D] sigma;
}
model {
  vector[K] log_theta = log(theta);
  theta ~ dirichlet(rep_vector(2.0, K));
  for (k in 1:K) {
    mu[k] ~ normal(0, 3);
    L[k] ~ lkj_corr_cholesky(4);
    sigma[k] ~ exponential(1);
  }
  for (n in 1:N) {
    vector[K] lps = log_theta;
    for (k in 1:K)
      lps[k] += multi_normal_cholesky_lpdf(y[n] | mu[k], diag_pre_multiply(sigma[k], L[k]));
    target += log_sum_exp(lps);
  }
}
