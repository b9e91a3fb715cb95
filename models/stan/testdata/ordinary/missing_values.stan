data {
  int<lower=0> N;
  int<lower=0> N_mis;
  array[N_mis] int<lower=1, upper=N> at;
  vector[N] x_seen; // missing values are 0 here
  vector[N] y;
}
parameters {
  real a;
  real b;
  real<lower=0> sigma;
  real nu;
  real<lower=0> sigma_x;
  vector[N_mis] x_mis;
}
model {
  vector[N] x = x_seen;
  for (i in 1:N_mis)
    x[at[i]] = x_mis[i];
  x ~ normal(nu, sigma_x);
  nu ~ normal(0, 0.5);
  sigma_x ~ exponential(1);
  a ~ normal(0, 0.5);
  b ~ normal(0, 0.5);
  sigma ~ exponential(1);
  y ~ normal(a + b * x, sigma);
}
