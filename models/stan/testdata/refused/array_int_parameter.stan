// error 3:12 a parameter cannot be an int
parameters {
  array[3] int k;
}
model {
  k ~ poisson(3);
}
