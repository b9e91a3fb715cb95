// error 5:1 the target does not depend on a parameter
parameters {
  real a;
}
model {
  target += 1;
}
