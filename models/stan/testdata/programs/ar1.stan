// An autoregression of first order with a stationary start; its variance has a scaled prior.
data {
  int<lower=2> T;
  vector[T] y;
}
parameters {
  real mu;
  real<lower=-1, upper=1> phi;
  real<lower=0> s2;
}
transformed parameters {
  real sigma = sqrt(s2);
}
model {
  mu ~ normal(0, 2);
  (phi + 1) / 2 ~ beta(4, 2);
  s2 ~ scaled_inv_chi_square(4, 0.5);
  y[1] ~ normal(mu, sigma / sqrt(1 - square(phi)));
  y[2:T] ~ normal(mu + phi * (y[1:(T - 1)] - mu), sigma);
}
generated quantities {
  real next = mu + phi * (y[T] - mu);
}
