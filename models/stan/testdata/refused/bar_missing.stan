// error 6:26 the first argument of _lpdf is followed by |
parameters {
  real a;
}
model {
  target += normal_lpdf(a, 0, 1);
}
