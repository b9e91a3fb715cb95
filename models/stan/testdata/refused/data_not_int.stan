// error 3:7 N is 2.5, and an int is declared
data {
  int N;
}
parameters {
  real mu;
}
model {
  mu ~ normal(N, 1);
}
