// error 12:26 differential equations are not solved here
functions {
  vector f(real t, vector y, real k) {
    return -k * y;
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  array[1] vector[1] y = ode_rk45(f, [1]', 0, {1.0}, a);
  target += y[1, 1];
}
