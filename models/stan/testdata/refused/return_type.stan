// error 4:12 f returns a real, not a vector
functions {
  real f(real x) {
    return [x, x]';
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  target += f(a);
}
