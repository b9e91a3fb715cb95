// error 13:13 embedded Laplace approximations are not offered
functions {
  real ll(vector th, array[] int y) {
    return poisson_log_lpmf(y | th);
  }
}
parameters {
  real<lower=0> a;
  vector[2] z;
}
model {
  a ~ gamma(2, 1);
  target += laplace_marginal(ll, z, a);
}
