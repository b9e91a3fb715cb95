data { int N; vector[N] r; vector[N] y; }
parameters { real<lower=0> a; real<lower=0> k; real<lower=0> s; }
model {
  vector[N] f;
  for (n in 1:N) f[n] = a * bessel_first_kind(0, k * r[n])
    + modified_bessel_second_kind(0, 1 + k * r[n]);
  a ~ normal(0, 3); k ~ lognormal(0, .5); s ~ exponential(2);
  target += log(2);
  y ~ normal(f, s);
}
