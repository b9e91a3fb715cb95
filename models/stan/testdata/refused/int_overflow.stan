// error 6:11 3000000000 is more than an int holds
parameters {
  real a;
}
model {
  int k = 3000000000;
  a ~ normal(0, 1);
}
