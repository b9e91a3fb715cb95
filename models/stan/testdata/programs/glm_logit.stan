// Logistic regression by the compound distribution.
data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] X;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  real alpha;
  vector[K] beta;
}
model {
  alpha ~ student_t(7, 0, 2.5);
  beta ~ student_t(7, 0, 2.5);
  y ~ bernoulli_logit_glm(X, alpha, beta);
}
