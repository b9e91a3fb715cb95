// error 6:3 complex numbers are not read
parameters {
  real a;
}
model {
  complex z = to_complex(a, 1);
  target += -square(a);
}
