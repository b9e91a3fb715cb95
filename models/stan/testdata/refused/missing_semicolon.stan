// error 7:3 ; expected after the statement
parameters {
  real a;
}
model {
  a ~ normal(0, 1)
  target += 0;
}
