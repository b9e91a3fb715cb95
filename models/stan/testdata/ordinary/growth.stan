// Growth curves of animals with an asymptote each.
data {
  int<lower=1> N;
  int<lower=1> A;
  array[N] int<lower=1, upper=A> animal;
  vector[N] age;
  vector[N] length;
}
parameters {
  real<lower=0> L_mean;
  real<lower=0> L_sd;
  vector<lower=0>[A] L_inf;
  real<lower=0> k;
  real t0;
  real<lower=0> sigma;
}
transformed parameters {
  vector[N] fitted = L_inf[animal] .* (1 - exp(-k * (age - t0)));
}
model {
  L_mean ~ normal(40, 10);
  L_sd ~ exponential(0.2);
  L_inf ~ normal(L_mean, L_sd);
  k ~ lognormal(-1, 0.5);
  t0 ~ normal(0, 1);
  sigma ~ exponential(0.5);
  length ~ normal(fitted, sigma);
}
