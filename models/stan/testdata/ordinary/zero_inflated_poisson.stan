functions {
  real zip_lpmf(array[] int y, real theta, real lambda) {
    real lp = 0;
    for (n in 1:size(y)) {
      if (y[n] == 0)
        lp += log_sum_exp(bernoulli_lpmf(1 | theta), bernoulli_lpmf(0 | theta) + poisson_lpmf(y[n] | lambda));
      else
        lp += bernoulli_lpmf(0 | theta) + poisson_lpmf(y[n] | lambda);
    }
    return lp;
  }
}
data {
  int<lower=0> N;
  array[N] int<lower=0> y;
}
parameters {
  real<lower=0, upper=1> theta;
  real<lower=0> lambda;
}
model {
  theta ~ beta(1, 1);
  lambda ~ gamma(1, 0.1);
  y ~ zip(theta, lambda);
}
