data {
  int<lower=1> S;
  int<lower=1> K;
  array[S] int<lower=0, upper=K> y;
  vector[S] elevation;
}
parameters {
  real a;
  real b;
  real logit_p;
}
model {
  vector[S] logit_psi = a + b * elevation;
  a ~ normal(0, 1.5);
  b ~ normal(0, 1);
  logit_p ~ normal(0, 1.5);
  for (s in 1:S) {
    if (y[s] > 0) {
      target += log_inv_logit(logit_psi[s]) + binomial_logit_lpmf(y[s] | K, logit_p);
    } else {
      target += log_sum_exp(log_inv_logit(logit_psi[s]) + binomial_logit_lpmf(0 | K, logit_p),
                            log1m_inv_logit(logit_psi[s]));
    }
  }
}
