// error 6:8 a is declared already, as a parameter
parameters {
  real a;
}
model {
  real a = 2;
  target += -square(a);
}
