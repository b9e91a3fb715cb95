// error 6:3 only a variable can be assigned
parameters {
  real a;
}
model {
  exp(a) = 2;
}
