// error 6:13 no function is called expp; exp is near
parameters {
  real a;
}
model {
  target += expp(a);
}
