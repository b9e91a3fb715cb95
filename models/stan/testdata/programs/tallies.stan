// Tallies of kinds at several sites: multinomial with Dirichlet proportions, and single sightings.
data {
  int<lower=1> S;
  int<lower=2> K;
  array[S, K] int<lower=0> y;
  int<lower=0> M;
  array[M] int<lower=1, upper=K> single;
}
parameters {
  simplex[K] p;
  array[S] simplex[K] theta;
  real<lower=0> kappa;
}
model {
  p ~ dirichlet(rep_vector(2, K));
  kappa ~ gamma(4, 0.2);
  for (s in 1:S) {
    theta[s] ~ dirichlet(kappa * p);
    y[s] ~ multinomial(theta[s]);
  }
  single ~ categorical(p);
}
