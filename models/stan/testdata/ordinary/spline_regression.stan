// Regression on a basis that is computed from the data: truncated powers.
functions {
  matrix basis(vector x, vector knots) {
    int N = rows(x);
    int K = rows(knots);
    matrix[N, K + 2] B;
    B[ , 1] = rep_vector(1, N);
    B[ , 2] = x;
    for (k in 1:K) {
      for (n in 1:N) {
        B[n, k + 2] = fmax(0, x[n] - knots[k]);
      }
    }
    return B;
  }
}
data {
  int<lower=1> N;
  int<lower=1> K;
  vector[N] x;
  vector[N] y;
  vector[K] knots;
}
transformed data {
  matrix[N, K + 2] B = basis(x, knots);
}
parameters {
  vector[K + 2] w;
  real<lower=0> tau;
  real<lower=0> sigma;
}
model {
  w[1:2] ~ normal(0, 5);
  w[3:(K + 2)] ~ normal(0, tau);
  tau ~ exponential(1);
  sigma ~ exponential(1);
  y ~ normal(B * w, sigma);
}
