// error 6:13 random numbers are for generated quantities
parameters {
  real a;
}
model {
  target += normal_rng(a, 1);
}
