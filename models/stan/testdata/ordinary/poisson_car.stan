// Counts by area with effects that neighbours share: pairwise differences, and a soft sum to zero.
data {
  int<lower=0> N;
  int<lower=0> N_edges;
  array[N_edges] int<lower=1, upper=N> node1;
  array[N_edges] int<lower=1, upper=N> node2;
  array[N] int<lower=0> y;
  vector<lower=0>[N] E;
}
transformed data {
  vector[N] log_E = log(E);
}
parameters {
  real beta0;
  real<lower=0> sigma;
  vector[N] phi;
}
model {
  y ~ poisson_log(log_E + beta0 + phi * sigma);
  target += -0.5 * dot_self(phi[node1] - phi[node2]);
  sum(phi) ~ normal(0, 0.001 * N);
  beta0 ~ normal(0, 2);
  sigma ~ normal(0, 1);
}
