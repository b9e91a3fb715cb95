// error 7:5 a loop variable cannot be assigned
parameters {
  real a;
}
model {
  for (i in 1:3)
    i = 2;
  a ~ normal(0, 1);
}
