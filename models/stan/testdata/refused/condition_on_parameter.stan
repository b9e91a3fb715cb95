// error 7:9 a break depends on a parameter
parameters {
  real a;
}
model {
  for (n in 1:3) {
    if (a > n)
      break;
    target += -a;
  }
}
