// error 6:12 a text is no value
parameters {
  real a;
}
model {
  real b = "one";
  a ~ normal(b, 1);
}
