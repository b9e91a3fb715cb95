// error 9:12 a function that ends in _lp is called in the model only
functions {
  real f_lp(real x) {
    target += -square(x);
    return x;
  }
}
transformed data {
  real b = f_lp(1);
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
}
