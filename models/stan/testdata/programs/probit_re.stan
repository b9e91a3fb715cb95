// Probit with random effects of groups: y[n] of group g[n].
data {
  int<lower=1> N;
  int<lower=1> G;
  array[N] int<lower=1, upper=G> g;
  vector[N] x;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  real alpha;
  real beta;
  real<lower=0> sigma;
  vector[G] z;
}
transformed parameters {
  vector[G] u = sigma * z;
}
model {
  alpha ~ normal(0, 1.5);
  beta ~ normal(0, 1);
  sigma ~ normal(0, 1) T[0, ];
  z ~ std_normal();
  for (n in 1:N)
    y[n] ~ bernoulli(Phi(alpha + beta * x[n] + u[g[n]]));
}
