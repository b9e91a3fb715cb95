// self-exciting threshold autoregression: the regime depends on a parameter
data { int<lower=3> T; vector[T] y; }
parameters { real<lower=-0.8, upper=0.9> r; vector[2] c; vector<lower=-1, upper=1>[2] phi; vector<lower=0>[2] s; }
model {
  c ~ normal(0, 1); s ~ normal(0, 1);
  target += 2 * log(2);
  for (t in 2:T) {
    if (y[t - 1] <= r) y[t] ~ normal(c[1] + phi[1] * y[t - 1], s[1]);
    else y[t] ~ normal(c[2] + phi[2] * y[t - 1], s[2]);
  }
}
