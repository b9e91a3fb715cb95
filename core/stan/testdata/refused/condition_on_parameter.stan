// error 6:7 a condition depends on a parameter
parameters {
  real a;
}
model {
  if (a > 0)
    target += -a;
}
