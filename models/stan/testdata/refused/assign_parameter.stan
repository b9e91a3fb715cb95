// error 6:3 a parameter cannot be assigned
parameters {
  real a;
}
model {
  a = 1;
  a ~ normal(0, 1);
}
