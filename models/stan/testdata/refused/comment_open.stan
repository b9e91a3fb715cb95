// error 7:3 a comment is not closed
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
  /* to the end
}
