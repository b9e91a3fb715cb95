// A coin with a beta prior: equal to the kind betabinom.
data {
  real<lower=0> a;
  real<lower=0> b;
  int<lower=0> n;
  int<lower=0, upper=n> k;
}
parameters {
  real<lower=0, upper=1> p;
}
model {
  p ~ beta(a, b);
  k ~ binomial(n, p);
}
