data {
  int<lower=0> N; array[N] int<lower=1, upper=4> age; array[N] int<lower=1, upper=5> income;
  array[N] int<lower=1, upper=6> state; array[N] int<lower=0> y; array[4, 5, 6] int<lower=0> P;
}
parameters {
  real alpha; real<lower=0> sigma_beta; vector<multiplier=sigma_beta>[4] beta;
  real<lower=0> sigma_gamma; vector<multiplier=sigma_gamma>[5] gamma;
  real<lower=0> sigma_delta; vector<multiplier=sigma_delta>[6] delta;
}
model {
  y ~ bernoulli_logit(alpha + beta[age] + gamma[income] + delta[state]);
  alpha ~ normal(0, 2); beta ~ normal(0, sigma_beta); gamma ~ normal(0, sigma_gamma); delta ~ normal(0, sigma_delta);
  [sigma_beta, sigma_gamma, sigma_delta] ~ normal(0, 1);
}
generated quantities {
  real expect_pos = 0; int total = 0;
  for (b in 1:4) for (c in 1:5) for (d in 1:6) {
    total += P[b, c, d];
    expect_pos += P[b, c, d] * inv_logit(alpha + beta[b] + gamma[c] + delta[d]);
  }
  real<lower=0, upper=1> phi = expect_pos / total;
}
