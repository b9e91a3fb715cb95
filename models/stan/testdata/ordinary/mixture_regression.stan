data {
  int<lower=1> N;
  vector[N] x;
  vector[N] y;
}
parameters {
  real<lower=0, upper=1> lambda;
  ordered[2] alpha;
  vector[2] beta;
  vector<lower=0>[2] sigma;
}
model {
  lambda ~ beta(5, 5);
  alpha ~ normal(0, 5);
  beta ~ normal(0, 2);
  sigma ~ lognormal(0, 1);
  for (n in 1:N) {
    target += log_mix(lambda,
                      normal_lpdf(y[n] | alpha[1] + beta[1] * x[n], sigma[1]),
                      normal_lpdf(y[n] | alpha[2] + beta[2] * x[n], sigma[2]));
  }
}
