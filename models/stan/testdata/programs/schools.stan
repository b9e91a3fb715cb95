// Eight schools: effects of coaching, standardised effects as parameters.
data {
  int<lower=0> J;
  array[J] real y;
  array[J] real<lower=0> sigma;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] z;
}
transformed parameters {
  vector[J] theta = mu + tau * z;
}
model {
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 5) T[0, ]; // half-Cauchy
  z ~ std_normal();
  y ~ normal(theta, sigma);
}
generated quantities {
  real best = max(theta);
}
