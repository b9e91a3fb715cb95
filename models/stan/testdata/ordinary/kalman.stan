// The same kind of level with its states summed out by a Kalman filter.
functions {
  real level_lpdf(vector y, real q, real r, real m0, real P0) {
    real m = m0;
    real P = P0;
    real lp = 0;
    for (t in 1:num_elements(y)) {
      real S = P + r;
      real gain = P / S;
      lp += normal_lpdf(y[t] | m, sqrt(S));
      m += gain * (y[t] - m);
      P = (1 - gain) * P + q;
    }
    return lp;
  }
}
data {
  int<lower=1> T;
  vector[T] y;
}
parameters {
  real<lower=0> q;
  real<lower=0> r;
}
model {
  q ~ inv_gamma(2, 0.5);
  r ~ inv_gamma(2, 0.5);
  target += level_lpdf(y | q, r, 0, 10);
}
