// error 7:7 a parameter is real and cannot be an int
parameters {
  real a;
}
model {
  int k;
  k = a;
}
