// error 12:13 integrals are not computed here
functions {
  real f(real x, real xc, array[] real p, array[] real d, array[] int i) {
    return exp(-x);
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  target += integrate_1d(f, 0, 1, {a}, {0.0}, {0});
}
