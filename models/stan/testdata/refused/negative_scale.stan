// error 6:7 the scale of normal is -1
parameters {
  real a;
}
model {
  a ~ normal(0, -1);
}
