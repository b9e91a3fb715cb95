// error 3:18 an array is declared in one spelling
data {
  array[2] real y[3];
}
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
}
