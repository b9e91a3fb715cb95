// error 4:3 only declarations stand in parameters
parameters {
  real a;
  a ~ normal(0, 1);
}
model {
}
