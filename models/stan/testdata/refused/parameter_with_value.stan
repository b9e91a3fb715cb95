// error 3:10 a parameter has no value
parameters {
  real a = 1;
}
model {
  a ~ normal(0, 1);
}
