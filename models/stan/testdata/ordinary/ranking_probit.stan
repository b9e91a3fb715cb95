/* Old spelling throughout: arrays with the size behind the name,
   as books print programs. */
data {
  int<lower=1> N;
  int<lower=1> K;
  int<lower=1, upper=K> y[N];
  real x[N];
}
parameters {
  ordered[K - 1] cut;
  real beta;
}
model {
  vector[K] theta;
  cut ~ normal(0, 3);
  beta ~ normal(0, 1);
  for (n in 1:N) {
    real eta;
    eta = x[n] * beta;
    theta[1] = 1 - Phi(eta - cut[1]);
    for (k in 2:(K - 1))
      theta[k] = Phi(eta - cut[k - 1]) - Phi(eta - cut[k]);
    theta[K] = Phi(eta - cut[K - 1]);
    y[n] ~ categorical(theta);
  }
}
