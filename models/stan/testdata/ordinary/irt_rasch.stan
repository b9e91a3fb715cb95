data {
  int<lower=1> I;
  int<lower=1> J;
  array[J, I] int<lower=0, upper=1> y;
}
parameters {
  vector[I - 1] beta_free;
  vector[J] theta;
  real<lower=0> sigma;
}
transformed parameters {
  vector[I] beta;
  beta[1:(I - 1)] = beta_free;
  beta[I] = -sum(beta_free);
}
model {
  beta_free ~ normal(0, 3);
  theta ~ normal(0, sigma);
  sigma ~ exponential(0.1);
  for (j in 1:J) {
    for (i in 1:I) {
      y[j, i] ~ bernoulli_logit(theta[j] - beta[i]);
    }
  }
}
