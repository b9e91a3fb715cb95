// Counts with more spread than Poisson, exposure known; and the time to a first event.
data {
  int<lower=1> N;
  array[N] int<lower=0> y;
  vector<lower=0>[N] exposure;
  vector[N] x;
  int<lower=0> M;
  array[M] int<lower=0> failures;
}
parameters {
  real alpha;
  real beta;
  real<lower=0> phi;
  real<lower=0> odds;
}
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 1);
  phi ~ exponential(0.5);
  odds ~ lognormal(0, 1);
  y ~ neg_binomial_2_log(alpha + beta * x + log(exposure), phi);
  failures ~ neg_binomial(1, odds); // geometric
}
