// error 4:16 f calls itself
functions {
  real f(real x) {
    return x + f(x - 1);
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  target += f(a);
}
