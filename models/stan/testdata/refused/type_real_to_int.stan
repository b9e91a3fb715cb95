// error 6:11 a real is assigned to an int
parameters {
  real a;
}
model {
  int k = 1.5;
}
