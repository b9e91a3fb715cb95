// Times to failure, some of them censored at the end of the study.
data {
  int<lower=0> N;
  vector<lower=0>[N] t;
  array[N] int<lower=0, upper=1> seen;
  vector[N] treated;
}
parameters {
  real<lower=0> shape;
  real mu;
  real effect;
}
transformed parameters {
  vector<lower=0>[N] scale = exp(mu + effect * treated);
}
model {
  shape ~ gamma(4, 2);
  mu ~ normal(1, 2);
  effect ~ normal(0, 1);
  for (n in 1:N) {
    if (seen[n] == 1)
      t[n] ~ weibull(shape, scale[n]);
    else
      target += weibull_lccdf(t[n] | shape, scale[n]);
  }
}
generated quantities {
  real median_time = exp(mu) * pow(log(2), 1 / shape);
}
