// error 7:10 a condition depends on a parameter
parameters {
  real a;
}
model {
  real b = a;
  while (b > 0)
    b -= 1;
  target += -square(b);
}
