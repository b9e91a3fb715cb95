functions {
  real obs_lpdf(real y, tuple(real, real) p) {
    return normal_lpdf(y | p.1, p.2);
  }
  tuple(int, int) range_of(int g, int n) {
    return ((g - 1) * n + 1, g * n);
  }
}
data { int G; int n; array[G * n] real y; }
parameters {
  array[G] real mu;
  real<lower=0> sigma;
  real m0;
}
transformed parameters {
  array[G] tuple(real, real) pars;
  for (g in 1:G) pars[g] = (mu[g], sigma * (1 + 0.1 * g));
}
model {
  m0 ~ normal(0, 3);
  mu ~ normal(m0, 1);
  sigma ~ lognormal(0, 1);
  for (g in 1:G) {
    tuple(int, int) r = range_of(g, n);
    for (i in r.1:r.2) target += obs_lpdf(y[i] | pars[g]);
  }
}
