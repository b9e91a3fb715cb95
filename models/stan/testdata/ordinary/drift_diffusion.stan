data { int N; vector<lower=0>[N] rt; array[N] int<lower=0, upper=1> up; real minRT; }
parameters { real<lower=0.1> alpha; real<lower=0, upper=1> beta; real delta; real<lower=0, upper=minRT> tau; }
model { alpha ~ gamma(4, 3); beta ~ beta(2, 2); delta ~ normal(0, 2); tau ~ uniform(0, minRT);
  for (n in 1:N) if (up[n] == 1) rt[n] ~ wiener(alpha, tau, beta, delta);
    else rt[n] ~ wiener(alpha, tau, 1 - beta, -delta); }
