data {
  int<lower=0> N;
  int<lower=1> D;
  int<lower=1> K;
  array[N] vector[D] y;
}
transformed data {
  real<upper=0> neg_log_K = -log(K);
}
parameters {
  array[K] vector[D] mu;
}
transformed parameters {
  array[N, K] real<upper=0> soft_z;
  for (n in 1:N)
    for (k in 1:K)
      soft_z[n, k] = neg_log_K - 0.5 * dot_self(mu[k] - y[n]);
}
model {
  for (k in 1:K)
    mu[k] ~ std_normal();
  for (n in 1:N)
    target += log_sum_exp(soft_z[n]);
}
