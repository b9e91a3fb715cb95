data {
  int<lower=0> N;
  int<lower=0> K;
  matrix[N, K] x;
  vector[N] y;
}
transformed data {
  matrix[N, K] Q_ast = qr_thin_Q(x) * sqrt(N - 1);
  matrix[K, K] R_ast = qr_thin_R(x) / sqrt(N - 1);
  matrix[K, K] R_ast_inverse = inverse(R_ast);
}
parameters {
  real alpha;
  vector[K] theta;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(0, 5);
  theta ~ normal(0, 2);
  sigma ~ normal(0, 2);
  y ~ normal(Q_ast * theta + alpha, sigma);
}
generated quantities {
  vector[K] beta = R_ast_inverse * theta;
}
