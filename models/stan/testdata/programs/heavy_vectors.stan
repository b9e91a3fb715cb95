// Vectors with heavy tails: a multivariate Student's t.
data {
  int<lower=1> N;
  int<lower=1> K;
  array[N] vector[K] y;
}
parameters {
  vector[K] mu;
  cov_matrix[K] Sigma;
  real<lower=2> nu;
}
model {
  mu ~ normal(0, 2);
  Sigma ~ inv_wishart(K + 3, diag_matrix(rep_vector(1, K)));
  nu - 2 ~ exponential(0.2);
  for (n in 1:N)
    y[n] ~ multi_student_t(nu, mu, Sigma);
}
