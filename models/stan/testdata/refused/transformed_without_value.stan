// error 6:8 b has no value at the end of its block
parameters {
  real a;
}
transformed parameters {
  real b;
}
model {
  a ~ normal(0, 1);
}
