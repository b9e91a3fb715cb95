data { int J; array[J] int n, y; }
parameters { real mu; real<lower=0> sigma; sum_to_zero_vector[J] a; }
model { mu ~ normal(0, 2); sigma ~ normal(0, 1) T[0,]; a ~ normal(0, sigma * sqrt(J * inv(J - 1.0)));
  y ~ binomial_logit(n, mu + a); }
