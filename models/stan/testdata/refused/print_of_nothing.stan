// error 6:21 a text is not closed
parameters {
  real a;
}
model {
  print("a is ", a, ");
  a ~ normal(0, 1);
}
