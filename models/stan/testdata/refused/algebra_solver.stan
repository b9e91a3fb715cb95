// error 12:17 equations are not solved here
functions {
  vector f(vector y, vector k, array[] real x, array[] int i) {
    return y - k;
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  vector[1] y = algebra_solver(f, [1]', [a]', {0.0}, {0});
  target += y[1];
}
