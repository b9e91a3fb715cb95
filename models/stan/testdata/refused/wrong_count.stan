// error 6:7 normal has two parameters, three are given
parameters {
  real a;
}
model {
  a ~ normal(0, 1, 2);
}
