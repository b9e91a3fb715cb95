// error 2:1 files are not included
#include priors.stan
parameters {
  real a;
}
model {
  a ~ normal(0, 1);
}
