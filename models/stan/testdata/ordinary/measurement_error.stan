data {
  int<lower=0> N;
  array[N] real x_meas;
  real<lower=0> tau;
  vector[N] y;
}
parameters {
  vector[N] x;
  real mu_x;
  real<lower=0> sigma_x;
  real alpha;
  real beta;
  real<lower=0> sigma;
}
model {
  x ~ normal(mu_x, sigma_x);
  x_meas ~ normal(x, tau);
  y ~ normal(alpha + beta * x, sigma);
  mu_x ~ normal(0, 5);
  sigma_x ~ cauchy(0, 2);
  alpha ~ normal(0, 10);
  beta ~ normal(0, 10);
  sigma ~ cauchy(0, 5);
}
