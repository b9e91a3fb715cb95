// error 3:16 a parameter is not known in transformed data
transformed data {
  real b = 2 * a;
}
parameters {
  real a;
}
model {
  a ~ normal(b, 1);
}
