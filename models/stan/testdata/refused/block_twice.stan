// error 5:1 parameters are declared in one block
parameters {
  real a;
}
parameters {
  real b;
}
model {
  a ~ normal(b, 1);
}
