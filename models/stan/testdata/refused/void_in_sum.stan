// error 12:13 a void function has no value
functions {
  void f(real x) {
    print(x);
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  target += f(a);
}
