// Survivors of litters: beta-binomial in mean and size, and a binomial for controls.
data {
  int<lower=1> L;
  array[L] int<lower=0> n;
  array[L] int<lower=0> y;
  int<lower=0> n0;
  int<lower=0, upper=n0> y0;
}
parameters {
  real<lower=0, upper=1> mu;
  real<lower=0> kappa;
  real<lower=0, upper=mu> drop;
}
model {
  mu ~ beta(2, 2);
  kappa ~ pareto_type_2(0, 10, 1.5);
  drop ~ uniform(0, mu);
  y ~ beta_binomial(n, mu * kappa, (1 - mu) * kappa);
  y0 ~ binomial(n0, mu - drop);
}
