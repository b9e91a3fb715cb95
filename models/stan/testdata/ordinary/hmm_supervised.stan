data {
  int<lower=1> K;
  int<lower=1> V;
  int<lower=0> T;
  array[T] int<lower=1, upper=V> w;
  array[T] int<lower=1, upper=K> z;
  vector<lower=0>[K] alpha;
  vector<lower=0>[V] beta;
}
parameters {
  array[K] simplex[K] theta;
  array[K] simplex[V] phi;
}
model {
  for (k in 1:K)
    theta[k] ~ dirichlet(alpha);
  for (k in 1:K)
    phi[k] ~ dirichlet(beta);
  for (t in 1:T)
    w[t] ~ categorical(phi[z[t]]);
  for (t in 2:T)
    z[t] ~ categorical(theta[z[t - 1]]);
}
