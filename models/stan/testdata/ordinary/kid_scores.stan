// Gelman and Hill, chapter 3: old and new declarations
data {
  int<lower=0> N;
  vector<lower=0, upper=200>[N] kid_score;
  vector[N] mom_iq;
  array[N] int<lower=0, upper=1> mom_hs;
}
transformed data {           // interaction
  vector[N] inter = to_vector(mom_hs) .* mom_iq;
  real my = mean(kid_score), sy = sd(kid_score);
}
parameters {
  vector[4] beta;
  real<lower=0> sigma;
}
model {
  beta[1] ~ normal(my, 2.5 * sy);
  beta[2 : 4] ~ normal(0, {5, 2.5, 5});
  sigma ~ exponential(1 / sy);
  kid_score ~ normal(beta[1] + beta[2] * to_vector(mom_hs) + beta[3] * mom_iq
                     + beta[4] * inter, sigma);
}
generated quantities {
  array[N] real y_rep = normal_rng(beta[1] + beta[2] * to_vector(mom_hs), sigma);
  vector[N] log_lik;
  for (n in 1 : N) log_lik[n] = normal_lpdf(kid_score[n] | beta[1], sigma);
}
