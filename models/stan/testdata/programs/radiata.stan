// Strength of radiata pine on a density: case m1 plain, m2 adjusted for resin.
data {
  int<lower=0> N;
  vector[N] x;
  vector[N] y;
}
transformed data {
  vector[N] c = x - mean(x);
}
parameters {
  real alpha;
  real beta;
  real<lower=0> tau; // precision of the noise
}
transformed parameters {
  real<lower=0> sigma = inv_sqrt(tau);
}
model {
  tau ~ gamma(3, 2 * 300^2);
  alpha ~ normal(3000, sigma / sqrt(0.06));
  beta ~ normal(185, sigma / sqrt(6));
  y ~ normal(alpha + beta * c, sigma);
}
