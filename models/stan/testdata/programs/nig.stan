// Normal data, mean and variance unknown: equal to the kind nig.
data {
  int<lower=1> N;
  vector[N] y;
  real m0;
  real<lower=0> k0;
  real<lower=0> a0;
  real<lower=0> b0;
}
parameters {
  real mu;
  real<lower=0> s2;
}
model {
  s2 ~ inv_gamma(a0, b0);
  mu ~ normal(m0, sqrt(s2 / k0));
  y ~ normal(mu, sqrt(s2));
}
