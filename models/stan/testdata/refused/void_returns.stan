// error 4:5 a void function returns no value
functions {
  void f(real x) {
    return x;
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  f(a);
}
