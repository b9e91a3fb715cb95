// error 15:12 a function that ends in _lp is called in the model only
functions {
  real f_lp(real x) {
    target += -square(x);
    return x;
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
}
generated quantities {
  real b = f_lp(a);
}
