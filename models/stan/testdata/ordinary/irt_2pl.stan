// Item response: ability, difficulty and discrimination.
data {
  int<lower=1> J; // students
  int<lower=1> K; // questions
  int<lower=1> N; // answers
  array[N] int<lower=1, upper=J> jj;
  array[N] int<lower=1, upper=K> kk;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[J] alpha;
  vector[K] beta;
  vector<lower=0>[K] gamma;
  real mu_beta;
  real<lower=0> sigma_beta;
  real<lower=0> sigma_gamma;
}
model {
  alpha ~ std_normal();
  mu_beta ~ cauchy(0, 5);
  beta ~ normal(0, sigma_beta);
  gamma ~ lognormal(0, sigma_gamma);
  sigma_beta ~ cauchy(0, 5);
  sigma_gamma ~ cauchy(0, 5);
  y ~ bernoulli_logit(gamma[kk] .* (alpha[jj] - (beta[kk] + mu_beta)));
}
