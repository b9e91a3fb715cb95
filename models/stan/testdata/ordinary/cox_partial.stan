// Partial likelihood of Cox; rows are sorted by time, the latest first.
data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] X;
  array[N] int<lower=0, upper=1> died;
}
parameters {
  vector[K] beta;
}
model {
  vector[N] eta = X * beta;
  real at_risk = negative_infinity();
  beta ~ normal(0, 1.5);
  for (n in 1:N) {
    at_risk = log_sum_exp(at_risk, eta[n]);
    if (died[n])
      target += eta[n] - at_risk;
  }
}
