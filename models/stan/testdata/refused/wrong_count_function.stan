// error 6:14 pow takes two arguments, one is given
parameters {
  real a;
}
model {
  target += -pow(a);
}
