// error 6:17 $ has no meaning here
parameters {
  real a;
}
model {
  a ~ normal(0, $b);
}
