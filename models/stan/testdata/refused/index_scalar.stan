// error 6:14 a real has no elements
parameters {
  real a;
}
model {
  target += a[1];
}
