// error 6:18 ) expected
parameters {
  real a;
}
model {
  a ~ normal(0, 1;
}
