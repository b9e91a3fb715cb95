// error 8:12 g calls f, which calls g
functions {
  real g(real x);
  real f(real x) {
    return g(x);
  }
  real g(real x) {
    return f(x);
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  target += f(a);
}
