data {
  int<lower=2> K;
  int<lower=0> N;
  int<lower=1> D;
  array[N] int<lower=1, upper=K> y;
  array[N] row_vector[D] x;
}
parameters {
  vector[D] beta;
  ordered[K - 1] c;
}
model {
  beta ~ normal(0, 2.5);
  c ~ normal(0, 5);
  for (n in 1:N)
    y[n] ~ ordered_logistic(x[n] * beta, c);
}
generated quantities {
  vector[K] shares = rep_vector(0, K);
  for (n in 1:N)
    shares[y[n]] += 1.0 / N;
}
