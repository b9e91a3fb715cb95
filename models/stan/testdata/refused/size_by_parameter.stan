// error 6:10 a size must be known from data
parameters {
  real<lower=0> n;
}
model {
  vector[n] v;
  n ~ exponential(1);
}
