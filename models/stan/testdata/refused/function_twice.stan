// error 6:8 f of a real is defined already
functions {
  real f(real x) {
    return x;
  }
  real f(real y) {
    return -y;
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  target += f(a);
}
