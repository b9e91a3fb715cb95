// error 7:15 an index depends on a parameter
parameters {
  real a;
  vector[2] b;
}
model {
  target += b[a > 0 ? 1 : 2];
}
