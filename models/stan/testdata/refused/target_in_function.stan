// error 4:5 only functions that end in _lp see the target
functions {
  void f(real x) {
    target += x;
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  f(a);
}
