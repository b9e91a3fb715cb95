// error 7:15 index 3 of a vector of 2
parameters {
  real a;
}
model {
  vector[2] v = [a, a]';
  target += v[3];
}
