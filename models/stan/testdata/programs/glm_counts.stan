// Counts by two compound distributions: Poisson, and negative binomial for a second outcome.
data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] X;
  array[N] int<lower=0> y;
  array[N] int<lower=0> z;
}
parameters {
  real alpha;
  vector[K] beta;
  real<lower=0> phi;
}
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 1);
  phi ~ inv_gamma(2, 2);
  y ~ poisson_log_glm(X, alpha, beta);
  z ~ neg_binomial_2_log_glm(X, alpha, beta, phi);
}
