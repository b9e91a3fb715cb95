// error 6:3 jacobian += stands in transformed parameters
parameters {
  real u;
}
model {
  jacobian += u;
  u ~ normal(0, 1);
}
