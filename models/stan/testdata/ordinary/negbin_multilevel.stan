data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1> K;
  array[N] int<lower=0> complaints;
  array[N] int<lower=1, upper=J> building;
  vector<lower=0>[N] traps;
  matrix[J, K] building_data;
  vector[N] log_sq_foot;
}
parameters {
  real<lower=0> inv_phi;
  real beta;
  vector[J] mu_raw;
  real<lower=0> sigma_mu;
  real alpha;
  vector[K] zeta;
}
transformed parameters {
  real phi = inv(inv_phi);
  vector[J] mu = alpha + building_data * zeta + sigma_mu * mu_raw;
}
model {
  mu_raw ~ normal(0, 1);
  sigma_mu ~ normal(0, 1);
  alpha ~ normal(log(4), 1);
  zeta ~ normal(0, 1);
  beta ~ normal(-0.25, 1);
  inv_phi ~ normal(0, 1);
  complaints ~ neg_binomial_2_log(mu[building] + beta * traps + log_sq_foot, phi);
}
generated quantities {
  array[N] int y_rep;
  for (n in 1:N) {
    real eta = mu[building[n]] + beta * traps[n] + log_sq_foot[n];
    y_rep[n] = neg_binomial_2_log_rng(eta, phi);
  }
}
