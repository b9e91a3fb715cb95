// Independent positive parameters, a distribution each: log Z is 0.
parameters {
  real<lower=0> a;
  real<lower=0> b;
  real<lower=0> c;
  real<lower=0> d;
  real<lower=0> e;
  real<lower=0> f;
  real<lower=0> g;
  real<lower=0> h;
  real<lower=0> k;
  real<lower=0> r;
  real<lower=1.5> p;
  real<lower=-1> q;
}
model {
  a ~ lognormal(0.2, 0.6);
  b ~ gamma(3, 2);
  c ~ inv_gamma(4, 5);
  d ~ exponential(0.7);
  e ~ chi_square(5);
  f ~ inv_chi_square(7);
  g ~ scaled_inv_chi_square(6, 1.3);
  h ~ weibull(1.7, 2.2);
  k ~ frechet(5, 1.4);
  r ~ rayleigh(0.9);
  p ~ pareto(1.5, 6);
  q ~ pareto_type_2(-1, 2, 7);
}
