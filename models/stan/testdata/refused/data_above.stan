// error 3:25 N is 7, above its bound 5
data {
  int<lower=0, upper=5> N;
}
parameters {
  real mu;
}
model {
  mu ~ normal(N, 1);
}
