// Normal vectors of mean 0 with an inverse Wishart prior: log Z in closed form.
data {
  int<lower=1> N;
  int<lower=1> K;
  array[N] vector[K] y;
  real<lower=K - 1> nu;
  cov_matrix[K] S;
}
parameters {
  cov_matrix[K] Sigma;
}
model {
  Sigma ~ inv_wishart(nu, S);
  y ~ multi_normal(rep_vector(0, K), Sigma);
}
