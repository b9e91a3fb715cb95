// error 7:4 ++ is not of the language
parameters {
  real a;
}
model {
  int i = 1;
  i++;
  a ~ normal(0, 1);
}
