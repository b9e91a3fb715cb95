data { int N; vector[N] y; vector[N] x; real L; }
parameters { real a, b; real<lower=0> s; real alpha; }
model { a ~ normal(0, 3); b ~ normal(0, 3); s ~ gamma(2, 1); alpha ~ normal(0, 4);
  y ~ skew_normal(a + b * x, s, alpha);
  for (n in 1:N) target += -skew_normal_lccdf(L | a + b * x[n], s, alpha);
}
