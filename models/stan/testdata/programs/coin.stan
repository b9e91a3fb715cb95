// k successes in n throws of a coin of which nothing is known.
data {
  int<lower=0> n;
  int<lower=0, upper=n> k;
}
parameters {
  real<lower=0, upper=1> theta;
}
model {
  theta ~ uniform(0, 1);
  k ~ binomial(n, theta);
}
generated quantities {
  real odds = theta / (1 - theta);
}
