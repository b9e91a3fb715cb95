data {
  int<lower=1> N;
  array[N] vector[2] where;
  array[N] int<lower=0> y;
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  real mu;
  vector[N] eta;
}
transformed parameters {
  vector[N] f;
  {
    matrix[N, N] K;
    for (i in 1:(N - 1)) {
      K[i, i] = square(alpha) + 1e-6;
      for (j in (i + 1):N) {
        K[i, j] = square(alpha) * exp(-0.5 * squared_distance(where[i], where[j]) / square(rho));
        K[j, i] = K[i, j];
      }
    }
    K[N, N] = square(alpha) + 1e-6;
    f = mu + cholesky_decompose(K) * eta;
  }
}
model {
  rho ~ inv_gamma(4, 3);
  alpha ~ normal(0, 1);
  mu ~ normal(1, 1);
  eta ~ std_normal();
  y ~ poisson_log(f);
}
