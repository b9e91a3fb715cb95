// error 12:13 f takes a vector, a real is given
functions {
  real f(vector x) {
    return sum(x);
  }
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  target += f(a);
}
