data { int N; vector[N] t; array[N] int<lower=0> deaths; }
parameters { real<lower=min(t), upper=max(t)> cp; real<lower=0> e; real<lower=0> l; }
transformed parameters {
  vector[N] rate;
  for (i in 1:N) rate[i] = t[i] < cp ? e : l;
}
model {
  e ~ exponential(1); l ~ exponential(1);
  deaths ~ poisson(rate);
}
