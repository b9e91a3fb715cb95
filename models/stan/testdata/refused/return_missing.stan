// error 6:3 f may end without a value
functions {
  real f(real x) {
    if (1 > 2)
      return x;
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  target += f(a);
}
