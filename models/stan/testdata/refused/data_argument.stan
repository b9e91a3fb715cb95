// error 12:15 a data argument gets a parameter
functions {
  real f(data real x) {
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
