// error 3:8 f is declared and has no body
functions {
  real f(real x);
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  target += f(a);
}
