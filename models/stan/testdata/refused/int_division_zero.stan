// error 4:13 an int is divided by 0
transformed data {
  int n = 0;
  int k = 6 / n;
}
parameters {
  real a;
}
model {
  a ~ normal(k, 1);
}
