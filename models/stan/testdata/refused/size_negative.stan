// error 6:10 the size is -2
data {
  int K;
}
parameters {
  vector[K] theta;
}
model {
  theta ~ normal(0, 1);
}
