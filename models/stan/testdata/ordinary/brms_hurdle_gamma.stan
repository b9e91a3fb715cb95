functions {
  real hurdle_gamma_lpdf(real y, real alpha, real beta, real hu) {
    if (y == 0) {
      return bernoulli_lpmf(1 | hu);
    } else {
      return bernoulli_lpmf(0 | hu) +
             gamma_lpdf(y | alpha, beta);
    }
  }
  real hurdle_gamma_lccdf(real y, real alpha, real beta, real hu) {
    return bernoulli_lpmf(0 | hu) + gamma_lccdf(y | alpha, beta);
  }
}
data {
  int<lower=1> N;
  vector[N] Y;
  vector[N] x;
}
parameters {
  real b;
  real Intercept;
  real<lower=0> shape;
  real<lower=0, upper=1> hu;
}
transformed parameters {
  real lprior = 0;
  lprior += normal_lpdf(b | 0, 1) + student_t_lpdf(Intercept | 3, 0, 2.5);
  lprior += gamma_lpdf(shape | 2, 0.5);
  lprior += beta_lpdf(hu | 1, 1);
}
model {
  vector[N] mu = rep_vector(0.0, N);
  mu += Intercept + b * x;
  mu = exp(mu);
  for (n in 1:N) {
    target += hurdle_gamma_lpdf(Y[n] | shape, shape / mu[n], hu);
  }
  target += lprior;
}
