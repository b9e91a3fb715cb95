data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] X;
  vector<lower=0, upper=1>[N] y;
}
parameters {
  vector[K] gamma;
  real log_phi;
}
transformed parameters {
  vector[N] mu = inv_logit(X * gamma);
  real phi = exp(log_phi);
}
model {
  gamma ~ normal(0, 1);
  log_phi ~ normal(2, 1);
  for (n in 1:N)
    y[n] ~ beta_proportion(mu[n], phi);
}
