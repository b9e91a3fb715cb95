// Eight schools: effects of coaching, effects drawn about their mean.
data {
  int<lower=0> J;
  array[J] real y;
  array[J] real<lower=0> sigma;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] theta;
}
model {
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 5) T[0, ];
  theta ~ normal(mu, tau);
  y ~ normal(theta, sigma);
}
