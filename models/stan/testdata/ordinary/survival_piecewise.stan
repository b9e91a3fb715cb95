// Piecewise constant hazard: the expected number of events in each interval.
data {
  int<lower=1> N;
  int<lower=1> J;
  vector<lower=0>[J + 1] cut;
  vector<lower=0>[N] t;
  array[N] int<lower=0, upper=1> event;
  vector[N] x;
}
parameters {
  vector[J] log_h;
  real beta;
  real<lower=0> tau;
}
model {
  log_h[1] ~ normal(-1, 2);
  for (j in 2:J)
    log_h[j] ~ normal(log_h[j - 1], tau);
  tau ~ normal(0, 0.5);
  beta ~ normal(0, 1);
  for (n in 1:N) {
    real cumulative = 0;
    for (j in 1:J) {
      if (t[n] > cut[j]) {
        real width = fmin(t[n], cut[j + 1]) - cut[j];
        cumulative += width * exp(log_h[j] + beta * x[n]);
        if (event[n] == 1 && t[n] <= cut[j + 1]) {
          target += log_h[j] + beta * x[n];
        }
      }
    }
    target += -cumulative;
  }
}
