// A prior on the log of a positive parameter, with the change of variables written out.
functions {
  real half_cauchy_lpdf(real x, real s) {
    return log(2) + cauchy_lpdf(x | 0, s);
  }
}
data {
  int<lower=1> N;
  array[N] int<lower=0> y;
}
parameters {
  real<lower=0> rate;
  real<lower=0> scale;
}
model {
  target += -log(rate);
  log(rate) ~ normal(0, scale);
  scale ~ half_cauchy(1);
  for (value in y) {
    if (value < 0)
      reject("negative count: ", value);
    value ~ poisson(rate);
  }
}
