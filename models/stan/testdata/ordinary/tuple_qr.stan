data {
  int<lower=0> N;
  int<lower=0> K;
  matrix[N, K] x;
  vector[N] y;
}
transformed data {
  matrix[N, K] Q_ast;
  matrix[K, K] R_ast;
  matrix[K, K] R_ast_inverse;
  (Q_ast, R_ast) = qr_thin(x);
  Q_ast *= sqrt(N - 1);
  R_ast /= sqrt(N - 1);
  R_ast_inverse = inverse(R_ast);
}
parameters {
  real alpha;
  vector[K] theta;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(0, 5);
  theta ~ std_normal();
  sigma ~ exponential(1);
  y ~ normal(Q_ast * theta + alpha, sigma);
}
generated quantities {
  vector[K] beta = R_ast_inverse * theta;
}
