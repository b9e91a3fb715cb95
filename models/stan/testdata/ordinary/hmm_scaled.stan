data {
  int<lower=1> T;
  int<lower=2> K;
  array[T] int<lower=0> y;
}
transformed data {
  matrix[K, K] A = rep_matrix(1.0, K, K) + 4 * identity_matrix(K);
}
parameters {
  array[K] simplex[K] P;
  simplex[K] rho;
  positive_ordered[K] lambda;
}
transformed parameters {
  matrix[K, K] Pi;
  for (k in 1:K) Pi[k] = P[k]';
}
model {
  vector[K] alpha;
  for (k in 1:K) P[k] ~ dirichlet(A[k]');
  rho ~ dirichlet(rep_vector(1, K));
  lambda ~ gamma(2, 0.3);
  {
    real logs = 0;
    for (k in 1:K) alpha[k] = rho[k] * exp(poisson_lpmf(y[1] | lambda[k]));
    for (t in 2:T) {
      vector[K] e;
      real s = sum(alpha);
      logs += log(s);
      alpha /= s;
      for (k in 1:K) e[k] = exp(poisson_lpmf(y[t] | lambda[k]));
      alpha = (alpha' * Pi)' .* e;
    }
    target += logs + log(sum(alpha));
  }
}
