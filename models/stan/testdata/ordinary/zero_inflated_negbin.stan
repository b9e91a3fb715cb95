data { int N; array[N] int y; vector[N] x; }
parameters { vector[2] a; vector[2] b; real<lower=0> phi; }
transformed parameters { vector[N] lp = b[1] + b[2] * x; }
model {
  a ~ normal(0, 2); b ~ normal(0, 2); phi ~ cauchy(0, 3) T[0,];
  for (n in 1:N) {
    real zi = a[1] + a[2] * x[n];
    if (y[n] == 0)
      target += log_sum_exp(bernoulli_logit_lpmf(1 | zi),
                            bernoulli_logit_lpmf(0 | zi) + neg_binomial_2_log_lpmf(0 | lp[n], phi));
    else
      target += bernoulli_logit_lpmf(0 | zi) + neg_binomial_2_log_lpmf(y[n] | lp[n], phi);
  }
}
