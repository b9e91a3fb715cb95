// error 7:3 the loop does not end within the limit of operations
parameters {
  real a;
}
model {
  int i = 0;
  while (i >= 0)
    i = i;
  a ~ normal(0, 1);
}
