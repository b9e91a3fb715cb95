// error 7:3 return stands outside of a function
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  return 1;
}
