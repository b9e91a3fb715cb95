// error 6:13 a condition depends on a parameter
parameters {
  real a;
}
model {
  target += a > 0 ? -a : a;
}
