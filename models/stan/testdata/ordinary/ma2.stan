data {
  int<lower=3> T;
  vector[T] y;
}
parameters {
  real mu;
  vector[2] theta;
  real<lower=0> sigma;
}
transformed parameters {
  vector[T] epsilon;
  epsilon[1] = y[1] - mu;
  epsilon[2] = y[2] - mu - theta[1] * epsilon[1];
  for (t in 3:T)
    epsilon[t] = y[t] - mu - theta[1] * epsilon[t - 1] - theta[2] * epsilon[t - 2];
}
model {
  vector[T] eta;
  mu ~ normal(0, 5);
  theta ~ normal(0, 1);
  sigma ~ cauchy(0, 2.5);
  eta[1] = mu;
  eta[2] = mu + theta[1] * epsilon[1];
  for (t in 3:T)
    eta[t] = mu + theta[1] * epsilon[t - 1] + theta[2] * epsilon[t - 2];
  y ~ normal(eta, sigma);
}
