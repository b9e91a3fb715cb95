// Proportions by beta regression, mean on the logit scale.
data {
  int<lower=1> N;
  vector<lower=0, upper=1>[N] y;
  vector[N] x;
}
parameters {
  real alpha;
  real beta;
  real<lower=0> kappa;
}
transformed parameters {
  vector[N] mu = inv_logit(alpha + beta * x);
}
model {
  alpha ~ logistic(0, 1);
  beta ~ normal(0, 1);
  kappa ~ gamma(2, 0.1);
  y ~ beta(mu * kappa, (1 - mu) * kappa);
}
