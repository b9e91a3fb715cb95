// error 6:10 a vector of 2000000000 parameters is beyond the limit
data {
  int K;
}
parameters {
  vector[K] theta;
}
model {
  theta ~ normal(0, 1);
}
