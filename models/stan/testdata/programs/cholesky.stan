// The Cholesky factor of a covariance matrix as parameter, its elements with priors of their own.
data {
  int<lower=1> N;
  int<lower=1> K;
  array[N] vector[K] y;
}
parameters {
  cholesky_factor_cov[K] L;
  row_vector[K] mu;
}
model {
  for (i in 1:K) {
    L[i, i] ~ gamma(2, 1);
    for (j in 1:(i - 1))
      L[i, j] ~ normal(0, 1);
  }
  mu ~ normal(0, 2);
  y ~ multi_normal_cholesky(mu', L);
}
