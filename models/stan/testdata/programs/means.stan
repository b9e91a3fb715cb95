// Logistic noise about the mean of a group; a proportion in mean and sample size.
data {
  int<lower=1> N;
  array[N] int<lower=1, upper=3> g;
  vector[N] y;
  array[N] real<lower=0, upper=1> share;
}
parameters {
  vector[3] mu;
  real<lower=0> s;
  real<lower=0, upper=1> m;
  real<lower=0> k;
}
model {
  mu ~ cauchy(0, 2.5);
  s ~ frechet(2, 1);
  m ~ uniform(0, 1);
  k ~ gamma(3, 0.3);
  y ~ logistic(mu[g], s);
  share ~ beta_proportion(m, k);
}
