// Normal vectors with unknown means, scales and correlation matrix.
data {
  int<lower=1> N;
  int<lower=1> K;
  array[N] vector[K] y;
}
parameters {
  vector[K] mu;
  vector<lower=0>[K] tau;
  corr_matrix[K] Omega;
}
transformed parameters {
  cov_matrix[K] Sigma = quad_form_diag(Omega, tau);
}
model {
  mu ~ normal(0, 3);
  tau ~ exponential(1);
  Omega ~ lkj_corr(2);
  y ~ multi_normal(mu, Sigma);
}
