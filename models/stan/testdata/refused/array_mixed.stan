// error 6:36 an array has elements of one type
parameters {
  real a;
}
model {
  array[2] vector[2] v = {[a, a]', [a, a]};
  target += -sum(v[1]);
}
