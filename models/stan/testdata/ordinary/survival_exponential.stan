data {
  int<lower=0> N_obs;
  int<lower=0> N_cens;
  int<lower=0> K;
  vector<lower=0>[N_obs] t_obs;
  vector<lower=0>[N_cens] t_cens;
  matrix[N_obs, K] X_obs;
  matrix[N_cens, K] X_cens;
}
parameters {
  real alpha;
  vector[K] beta;
}
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 1);
  target += exponential_lpdf(t_obs | exp(alpha + X_obs * beta));
  target += exponential_lccdf(t_cens | exp(alpha + X_cens * beta));
}
