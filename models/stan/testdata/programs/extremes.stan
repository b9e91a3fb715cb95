// Yearly maxima of a river at two gauges, and heights of waves.
data {
  int<lower=1> N;
  array[N] real level;
  array[N] real<lower=0> flow;
  int<lower=1> M;
  array[M] real<lower=0> wave;
}
parameters {
  real mu;
  real<lower=0> beta;
  real<lower=0> alpha;
  real<lower=0> s;
  real<lower=0> sigma;
}
model {
  mu ~ normal(3, 2);
  beta ~ inv_gamma(3, 2);
  alpha ~ gamma(4, 1);
  s ~ lognormal(1, 1);
  sigma ~ chi_square(3);
  level ~ gumbel(mu, beta);
  flow ~ frechet(alpha, s);
  wave ~ rayleigh(sigma);
}
