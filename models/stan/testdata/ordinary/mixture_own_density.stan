functions {
  real mix_lpdf(vector y, vector lw, vector mu, vector sigma) {
    int K = rows(mu);
    real lp = 0;
    for (n in 1:size(y)) {
      vector[K] l = lw;
      for (k in 1:K) l[k] += normal_lpdf(y[n] | mu[k], sigma[k]);
      lp += log_sum_exp(l);
    }
    return lp;
  }
}
data {
  int<lower=2> K;
  int<lower=1> N;
  vector[N] y;
}
parameters {
  simplex[K] theta;
  ordered[K] mu;
  vector<lower=0>[K] sigma;
}
model {
  theta ~ dirichlet(rep_vector(3.0, K));
  mu ~ normal(0, 5);
  sigma ~ inv_gamma(3, 2);
  target += lgamma(K + 1);   // ordered means
  y ~ mix(log(theta), mu, sigma);
}
generated quantities {
  array[N] int<lower=1, upper=K> z;
  for (n in 1:N) {
    vector[K] p;
    for (k in 1:K) p[k] = log(theta[k]) + normal_lpdf(y[n] | mu[k], sigma[k]);
    z[n] = categorical_logit_rng(p);
  }
}
