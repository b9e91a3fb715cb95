// error 5:1 data come before parameters
parameters {
  real a;
}
data {
  real y;
}
model {
  y ~ normal(a, 1);
}
