// error 4:7 } expected
parameters {
  real a;
model {
  a ~ normal(0, 1);
}
