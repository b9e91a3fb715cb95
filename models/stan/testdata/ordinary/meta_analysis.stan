data {
  int<lower=0> J;
  array[J] int<lower=0> n_t;
  array[J] int<lower=0> r_t;
  array[J] int<lower=0> n_c;
  array[J] int<lower=0> r_c;
}
transformed data {
  array[J] real y;
  array[J] real<lower=0> sigma;
  for (j in 1:J)
    y[j] = log(r_t[j]) - log(n_t[j] - r_t[j]) - (log(r_c[j]) - log(n_c[j] - r_c[j]));
  for (j in 1:J)
    sigma[j] = sqrt(1.0 / r_t[j] + 1.0 / (n_t[j] - r_t[j]) + 1.0 / r_c[j] + 1.0 / (n_c[j] - r_c[j]));
}
parameters {
  real mu;
  real<lower=0> tau;
  vector<offset=mu, multiplier=tau>[J] theta;
}
model {
  y ~ normal(theta, sigma);
  theta ~ normal(mu, tau);
  mu ~ normal(0, 10);
  tau ~ cauchy(0, 5);
}
generated quantities {
  real theta_new = normal_rng(mu, tau);
}
