// Linear regression by the compound distribution.
data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] X;
  vector[N] y;
}
parameters {
  real alpha;
  vector[K] beta;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(0, 5);
  beta ~ normal(0, 2);
  sigma ~ inv_gamma(2, 1);
  y ~ normal_id_glm(X, alpha, beta, sigma);
}
