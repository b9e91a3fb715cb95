// Group means with offset and multiplier: centred in the text, not centred for the sampler.
data {
  int<lower=1> G;
  vector[G] y;
  vector<lower=0>[G] se;
}
parameters {
  real mu;
  real<lower=0> tau;
  array[G] real<offset=mu, multiplier=tau> theta;
  real<offset=10, multiplier=3> w;
}
model {
  mu ~ normal(0, 4);
  tau ~ gamma(2, 1);
  theta ~ normal(mu, tau);
  y ~ normal(theta, se);
  w ~ normal(9, 2);
}
