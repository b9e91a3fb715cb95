data {
  int<lower=1> N;
  int<lower=1> P;
  array[N] vector[P] y;
}
parameters {
  vector[P] mu;
  vector<lower=0>[P] psi;
  real<lower=0> first;
  vector[P - 1] rest;
}
transformed parameters {
  vector[P] lambda = append_row(first, rest);
  cov_matrix[P] Sigma = lambda * lambda' + diag_matrix(square(psi));
}
model {
  mu ~ normal(0, 2);
  psi ~ inv_gamma(3, 1);
  first ~ normal(0, 1);
  rest ~ normal(0, 1);
  y ~ multi_normal(mu, Sigma);
}
