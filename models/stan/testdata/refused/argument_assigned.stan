// error 4:5 an argument cannot be assigned
functions {
  real f(real x) {
    x = 2;
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
