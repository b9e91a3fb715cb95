// error 6:8 for is a word of the language
parameters {
  real a;
}
model {
  real for = 1;
  a ~ normal(0, 1);
}
