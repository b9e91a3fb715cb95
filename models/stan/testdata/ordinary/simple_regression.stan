data {
  int<lower=0> N;
  vector[N] height;
  vector[N] weight;
}
transformed data {
  real mean_weight = mean(weight);
}
parameters {
  real a;
  real<lower=0> b;
  real<lower=0, upper=50> sigma;
}
transformed parameters {
  vector[N] mu = a + b * (weight - mean_weight);
}
model {
  a ~ normal(170, 20);
  b ~ lognormal(0, 1);
  sigma ~ uniform(0, 50);
  height ~ normal(mu, sigma);
}
generated quantities {
  vector[N] log_lik;
  array[N] real height_rep;
  for (n in 1:N) {
    log_lik[n] = normal_lpdf(height[n] | mu[n], sigma);
    height_rep[n] = normal_rng(mu[n], sigma);
  }
}
