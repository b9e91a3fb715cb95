data {
  int<lower=1> N;
  vector<lower=0>[N] dose;
  vector[N] y;
}
parameters {
  real<lower=0> bottom;
  real<lower=bottom> top;
  real log_ec50;
  real<lower=0> hill;
  real<lower=0> sigma;
}
model {
  vector[N] mu;
  for (n in 1:N) {
    real u = dose[n] == 0 ? 0 : inv_logit(hill * (log(dose[n]) - log_ec50));
    mu[n] = bottom + (top - bottom) * u;
  }
  bottom ~ normal(10, 5);
  top ~ normal(100, 20);
  log_ec50 ~ normal(0, 2);
  hill ~ lognormal(0, 0.5);
  sigma ~ exponential(0.2);
  y ~ normal(mu, sigma);
}
