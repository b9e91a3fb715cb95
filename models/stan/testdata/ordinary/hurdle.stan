data {
  int<lower=0> N;
  array[N] int<lower=0> y;
}
transformed data {
  int<lower=0> N_zero = 0;
  for (n in 1:N)
    N_zero += y[n] == 0;
}
parameters {
  real<lower=0, upper=1> theta;
  real<lower=0> lambda;
}
model {
  lambda ~ gamma(2, 0.5);
  N_zero ~ binomial(N, theta);
  for (n in 1:N) {
    if (y[n] > 0) {
      y[n] ~ poisson(lambda) T[1, ];
    }
  }
}
