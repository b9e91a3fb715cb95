// A straight line through points, the noise unknown.
data {
  int<lower=0> N;
  vector[N] x;
  vector[N] y;
}
parameters {
  real a;
  real b;
  real<lower=0> sigma;
}
model {
  a ~ normal(0, 5);
  b ~ normal(0, 2);
  sigma ~ exponential(1);
  y ~ normal(a + b * x, sigma);
}
