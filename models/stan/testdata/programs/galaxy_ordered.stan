// As galaxy.stan with ordered means: log K! makes the prior whole again.
data {
  int<lower=1> N;
  int<lower=1> K;
  vector[N] y;
}
parameters {
  simplex[K] theta;
  ordered[K] mu;
  real<lower=0> s2;
}
model {
  theta ~ dirichlet(rep_vector(1, K));
  mu ~ normal(20, 10);
  target += lgamma(K + 1);
  s2 ~ inv_gamma(3, 20);
  for (n in 1:N) {
    vector[K] lp = log(theta);
    for (k in 1:K)
      lp[k] += normal_lpdf(y[n] | mu[k], sqrt(s2));
    target += log_sum_exp(lp);
  }
}
