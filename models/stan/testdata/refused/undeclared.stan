// error 6:14 mu is not declared
parameters {
  real a;
}
model {
  a ~ normal(mu, 1);
}
