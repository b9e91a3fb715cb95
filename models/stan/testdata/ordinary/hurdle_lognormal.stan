data {
  int<lower=1> N;
  vector<lower=0>[N] rain;
  vector[N] x;
}
parameters {
  real a;
  real b;
  real mu;
  real<lower=0> sigma;
}
model {
  a ~ normal(0, 2);
  b ~ normal(0, 1);
  mu ~ normal(0, 2);
  sigma ~ student_t(3, 0, 1);
  for (n in 1:N) {
    if (rain[n] == 0) {
      1 ~ bernoulli_logit(a + b * x[n]);
    } else {
      0 ~ bernoulli_logit(a + b * x[n]);
      rain[n] ~ lognormal(mu, sigma);
    }
  }
}
