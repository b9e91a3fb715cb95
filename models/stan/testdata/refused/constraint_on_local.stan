// error 6:7 a local variable has no constraint
parameters {
  real a;
}
model {
  real<lower=0> b = 1;
  a ~ normal(0, b);
}
