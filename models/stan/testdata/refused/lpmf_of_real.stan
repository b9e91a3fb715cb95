// error 6:26 poisson_lpmf needs an int
parameters {
  real a;
}
model {
  target += poisson_lpmf(a | 2);
}
