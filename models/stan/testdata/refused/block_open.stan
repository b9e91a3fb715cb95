// error 4:1 } expected
parameters {
  real a;
model {
  a ~ normal(0, 1);
}
