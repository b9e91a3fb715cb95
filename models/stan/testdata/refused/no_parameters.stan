// error 5:1 there are no parameters, so there is nothing to integrate over
data {
  real y;
}
model {
  y ~ normal(0, 1);
}
