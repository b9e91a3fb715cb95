// error 7:3 the target grows in the model block only
parameters {
  real a;
}
transformed parameters {
  real b = 2 * a;
  b ~ normal(0, 1);
}
model {
  a ~ normal(0, 1);
}
