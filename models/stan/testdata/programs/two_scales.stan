// A mixture of two normals about zero, told apart by their scales; log_mix and an ordering.
data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real<lower=0, upper=1> lambda;
  positive_ordered[2] sigma;
}
model {
  lambda ~ beta(2, 2);
  sigma ~ exponential(0.5);
  target += log(2);
  for (n in 1:N)
    target += log_mix(lambda, normal_lpdf(y[n] | 0, sigma[1]), normal_lpdf(y[n] | 0, sigma[2]));
}
