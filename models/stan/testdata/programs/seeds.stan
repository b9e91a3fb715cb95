// Germination of seeds on plates, a two by two trial with plate effects.
data {
  int<lower=1> I;
  array[I] int<lower=0> n;
  array[I] int<lower=0> r;
  vector[I] x1;
  vector[I] x2;
}
transformed data {
  vector[I] x1x2 = x1 .* x2;
}
parameters {
  real a0;
  real a1;
  real a2;
  real a12;
  real<lower=0> tau;
  vector<multiplier=tau>[I] b;
}
model {
  [a0, a1, a2, a12] ~ normal(0, 1);
  tau ~ cauchy(0, 0.5) T[0, ];
  b ~ normal(0, tau);
  r ~ binomial_logit(n, a0 + a1 * x1 + a2 * x2 + a12 * x1x2 + b);
}
