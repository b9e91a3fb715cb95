// Two samples with skew: reaction times, and sums of a normal and an exponential part.
data {
  int<lower=1> N;
  vector[N] y;
  vector[N] z;
}
parameters {
  real xi;
  real<lower=0> omega;
  real alpha;
  real mu;
  real<lower=0> sigma;
  real<lower=0> lambda;
}
model {
  xi ~ normal(0, 2);
  omega ~ inv_chi_square(3);
  alpha ~ normal(0, 3);
  mu ~ normal(0, 2);
  sigma ~ rayleigh(1);
  lambda ~ weibull(2, 1.5);
  y ~ skew_normal(xi, omega, alpha);
  z ~ exp_mod_normal(mu, sigma, lambda);
}
