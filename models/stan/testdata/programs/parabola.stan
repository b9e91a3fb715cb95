// A parabola through the points of line.stan, the noise unknown.
data {
  int<lower=0> N;
  vector[N] x;
  vector[N] y;
}
parameters {
  real a;
  real b;
  real c;
  real<lower=0> sigma;
}
model {
  a ~ normal(0, 5);
  b ~ normal(0, 2);
  c ~ normal(0, 1);
  sigma ~ exponential(1);
  y ~ normal(a + b * x + c * square(x), sigma);
}
