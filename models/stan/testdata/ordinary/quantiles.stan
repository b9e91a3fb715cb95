data { int N; vector[N] y; }
transformed data { real med = quantile(y, 0.5); array[2] real q = quantile(y, {0.25, 0.75}); real iqr = q[2] - q[1];
  vector[N] z = (y - med) / iqr; vector[N] srt = sort_asc(y); int r = rank(y, 2); real nn = norm2(y) + norm1(y); }
parameters { real mu; real<lower=0> sigma; }
model { mu ~ normal(0, 1); sigma ~ lognormal(0, 1); z ~ logistic(mu, sigma); target += nn * 0 + r; }
