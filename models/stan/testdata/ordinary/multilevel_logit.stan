// Votes by state and age group, with crossed effects.
data {
  int<lower=0> N;
  int<lower=0> n_age;
  int<lower=0> n_state;
  array[N] int<lower=1, upper=n_age> age;
  array[N] int<lower=1, upper=n_state> state;
  vector[N] female;
  vector[n_state] v_prev;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[n_age] a_age;
  vector[n_state] a_state;
  real b_female;
  real b_v_prev;
  real b0;
  real<lower=0, upper=100> sigma_age;
  real<lower=0, upper=100> sigma_state;
}
model {
  vector[N] y_hat;
  for (i in 1:N)
    y_hat[i] = b0 + b_female * female[i] + a_age[age[i]] + a_state[state[i]];
  b0 ~ normal(0, 2);
  b_female ~ normal(0, 1);
  b_v_prev ~ normal(0, 1);
  sigma_age ~ uniform(0, 100);
  sigma_state ~ uniform(0, 100);
  a_age ~ normal(0, sigma_age);
  a_state ~ normal(b_v_prev * v_prev, sigma_state);
  y ~ bernoulli_logit(y_hat);
}
