data {
  int<lower=1> N;
  array[N] int<lower=0> complaints;
  vector<lower=0>[N] traps;
  vector[N] log_sq_foot;
}
parameters {
  real alpha;
  real beta;
}
model {
  target += normal_lpdf(alpha | log(4), 1);
  target += normal_lpdf(beta | -0.25, 1);
  target += poisson_log_lpmf(complaints | alpha + beta * traps + log_sq_foot);
}
generated quantities {
  array[N] int y_rep;
  for (n in 1:N) {
    real eta_n = alpha + beta * traps[n] + log_sq_foot[n];
    y_rep[n] = poisson_log_rng(eta_n < 20 ? eta_n : 20);
  }
}
