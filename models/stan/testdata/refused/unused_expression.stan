// error 6:3 an expression alone is no statement
parameters {
  real a;
}
model {
  a + 1;
  a ~ normal(0, 1);
}
