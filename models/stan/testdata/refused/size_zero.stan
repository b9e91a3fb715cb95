// error 6:13 theta has no elements
data {
  int<lower=0> K;
}
parameters {
  vector[K] theta;
}
model {
  theta ~ normal(0, 1);
}
