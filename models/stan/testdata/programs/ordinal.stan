// Ordered answers on a scale of K steps, logit link.
data {
  int<lower=1> N;
  int<lower=2> K;
  array[N] int<lower=1, upper=K> y;
  vector[N] x;
}
parameters {
  ordered[K - 1] c;
  real beta;
}
model {
  c ~ normal(0, 2);
  target += lgamma(K); // K - 1 cuts in one of (K - 1)! orders
  beta ~ normal(0, 1);
  for (n in 1:N)
    y[n] ~ ordered_logistic(beta * x[n], c);
}
