// error 6:25 the cases of a ternary differ in type
parameters {
  real a;
}
model {
  target += 1 > 0 ? a : [a, a]';
}
