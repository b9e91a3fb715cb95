// Parameters between two bounds and on a simplex: log Z is 0.
parameters {
  real<lower=0, upper=1> a;
  real<lower=0, upper=1> b;
  real<lower=-2, upper=5> c;
  array[2] real<lower=0.1, upper=0.9> t;
  simplex[4] p;
  array[2] simplex[3] q;
}
model {
  a ~ beta(2, 3.5);
  b ~ beta_proportion(0.3, 6);
  c ~ uniform(-2, 5);
  for (i in 1:2)
    t[i] ~ normal(0.5 * i, 0.4) T[0.1, 0.9];
  p ~ dirichlet([1.5, 2, 3, 0.8]');
  for (i in 1:2)
    q[i] ~ dirichlet(rep_vector(1 + 0.5 * i, 3));
}
