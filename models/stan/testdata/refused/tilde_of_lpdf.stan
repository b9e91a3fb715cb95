// error 6:7 a distribution after ~ has no _lpdf
parameters {
  real a;
}
model {
  a ~ normal_lpdf(0, 1);
}
