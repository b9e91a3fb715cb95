// Data seen only between limits, and counts of which zero is never seen.
data {
  int<lower=1> N;
  real low;
  real high;
  array[N] real<lower=low, upper=high> y;
  int<lower=1> M;
  array[M] int<lower=1> k;
  array[M] int<lower=0, upper=4> few;
}
parameters {
  real mu;
  real<lower=0> sigma;
  real<lower=0> lambda;
}
model {
  mu ~ normal(0, 3);
  sigma ~ lognormal(0, 0.7);
  lambda ~ gamma(2, 0.5);
  for (n in 1:N)
    y[n] ~ normal(mu, sigma) T[low, high];
  for (m in 1:M) {
    k[m] ~ poisson(lambda) T[1, ];
    few[m] ~ poisson(lambda / 2) T[ , 4];
  }
}
