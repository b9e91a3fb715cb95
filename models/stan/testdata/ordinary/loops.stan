data { int N; array[N] vector[2] ys; matrix[2, 3] M; array[3] int k; }
transformed data { real s = 0; int total = 0; int c = 0;
  for (y in ys) s += sum(y);
  for (m in M) s += m / 10;
  for (i in k) { if (i % 2 == 0) continue; total += i %/% 2; }
  while (c < 10) { c += 3; if (c == 6) break; }
  print("s = ", s, " total ", total);
}
parameters { vector[2] mu; real<lower=0> tau; }
model {
  vector[2] d = c > 3 ? mu : 2 * mu;
  for (y in ys) y ~ normal(mu, tau);
  mu ~ normal(s, 2); tau ~ lognormal(0, 1);
  target += (c == 6 ? 1.5 : 0) + total;
}
