data { int K; int T; vector[T] y; }
parameters {
  array[K] simplex[K] G;
  ordered[K] mu;
  simplex[K] rho;
  real<lower=0> sigma;
}
model {
  matrix[K, T] log_omega;
  matrix[K, K] Gamma;
  for (k in 1:K) Gamma[k] = G[k]';
  for (t in 1:T) for (k in 1:K) log_omega[k, t] = normal_lpdf(y[t] | mu[k], sigma);
  mu ~ normal(0, 5);
  sigma ~ gamma(2, 2);
  target += hmm_marginal(log_omega, Gamma, rho);
}
generated quantities { matrix[K, T] p = hmm_hidden_state_prob(rep_matrix(0, K, T), identity_matrix(K), rho); }
