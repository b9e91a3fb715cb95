// Negative binomial counts in both of Stan's forms, with a mean for each of two sites.
data {
  int<lower=1> N;
  array[N] int<lower=1, upper=2> site;
  array[N] int<lower=0> y;
  array[N] int<lower=0> z;
}
parameters {
  array[2] real<lower=0> mu;
  real<lower=0> phi;
  real<lower=0> alpha;
  real<lower=0> beta;
}
model {
  mu ~ gamma(2, 0.5);
  phi ~ gamma(2, 1);
  alpha ~ exponential(0.5);
  beta ~ exponential(1);
  for (n in 1:N)
    y[n] ~ neg_binomial_2(mu[site[n]], phi);
  z ~ neg_binomial(alpha, beta);
}
