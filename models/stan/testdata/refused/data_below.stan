// error 4:22 element 2 of y is -1, below its bound 0
data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
parameters {
  real mu;
}
model {
  y ~ normal(mu, 1);
}
