// error 7:3 break stands outside of a loop
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  break;
}
