// Diabetes of Pima women: logistic regression with a normal prior of one precision.
data {
  int<lower=0> N;
  int<lower=0> K;
  matrix[N, K] X;
  array[N] int<lower=0, upper=1> y;
  real<lower=0> precision;
}
parameters {
  real alpha;
  vector[K] beta;
}
model {
  alpha ~ normal(0, inv_sqrt(precision));
  beta ~ normal(0, inv_sqrt(precision));
  y ~ bernoulli_logit(alpha + X * beta);
}
