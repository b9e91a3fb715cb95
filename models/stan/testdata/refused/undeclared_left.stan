// error 6:3 b is not declared
parameters {
  real a;
}
model {
  b ~ normal(0, 1);
}
