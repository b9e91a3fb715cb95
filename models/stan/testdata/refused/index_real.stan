// error 7:15 an index must be an int
parameters {
  real a;
}
model {
  vector[2] v = [a, a]';
  target += v[1.0];
}
