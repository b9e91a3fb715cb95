functions {
  vector one_comp(vector t, real dose, real ka, real ke, real V) {
    if (abs(ka - ke) < 1e-6)
      return dose * ka / V * t .* exp(-ke * t);
    return dose * ka / (V * (ka - ke)) * (exp(-ke * t) - exp(-ka * t));
  }
}
data { int N; vector[N] t; vector<lower=0>[N] conc; real<lower=0> dose; }
parameters { real<lower=0> ka; real<lower=0> ke; real<lower=0> V; real<lower=0> sigma; }
model {
  ka ~ lognormal(0.5, 0.5); ke ~ lognormal(-1.5, 0.5); V ~ lognormal(2, 0.5); sigma ~ exponential(3);
  conc ~ lognormal(log(one_comp(t, dose, ka, ke, V)), sigma);
}
