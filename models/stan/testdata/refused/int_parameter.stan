// error 3:3 a parameter cannot be an int
parameters {
  int<lower=0> k;
}
model {
  k ~ poisson(3);
}
