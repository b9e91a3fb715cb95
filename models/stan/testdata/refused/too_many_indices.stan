// error 7:14 a vector has one index, two are given
parameters {
  real a;
}
model {
  vector[2] v = [a, a]';
  target += v[1, 2];
}
