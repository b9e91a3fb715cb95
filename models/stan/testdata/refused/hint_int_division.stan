// hint 6:16 1 / 2 of ints is 0; 1.0 / 2 is a half
parameters {
  real a;
}
model {
  a ~ normal(1 / 2, 1);
}
