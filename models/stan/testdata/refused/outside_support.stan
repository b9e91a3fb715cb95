// error 10:7 beta_lpdf is -infinity: y is 1.5
data {
  real y;
}
parameters {
  real<lower=0> a;
}
model {
  a ~ exponential(1);
  y ~ beta(a, 1);
}
