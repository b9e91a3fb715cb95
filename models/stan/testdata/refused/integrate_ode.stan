// error 12:24 differential equations are not solved here
functions {
  array[] real f(real t, array[] real y, array[] real k, array[] real x, array[] int i) {
    return y;
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  array[1, 1] real y = integrate_ode_rk45(f, {1.0}, 0.0, {1.0}, {a}, {0.0}, {0});
  target += y[1, 1];
}
