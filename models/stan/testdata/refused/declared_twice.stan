// error 7:8 b is declared already
parameters {
  real a;
}
model {
  real b = 1;
  real b = 2;
  a ~ normal(b, 1);
}
