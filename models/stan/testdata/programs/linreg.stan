// Regression with a known variance of the noise: equal to the kind linreg.
data {
  int<lower=1> N;
  int<lower=1> D;
  matrix[N, D] X;
  vector[N] y;
  real<lower=0> s2;
  real<lower=0> t2;
}
parameters {
  vector[D] theta;
}
model {
  theta ~ normal(0, sqrt(t2));
  y ~ normal(X * theta, sqrt(s2));
}
