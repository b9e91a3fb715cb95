// error 7:7 a vector is assigned to a real
parameters {
  real a;
}
model {
  real b;
  b = [a, a]';
}
