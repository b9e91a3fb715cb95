// State space: a local level with a season, states as parameters.
data {
  int<lower=1> n;
  vector[n] y;
  int<lower=2> S;
}
parameters {
  vector[n] level;
  vector[S - 1] season_raw;
  real<lower=0> s_level;
  real<lower=0> s_obs;
}
transformed parameters {
  vector[S] season = append_row(season_raw, -sum(season_raw));
  vector[n] yhat;
  for (t in 1:n)
    yhat[t] = level[t] + season[(t - 1) % S + 1];
}
model {
  level[1] ~ normal(y[1], 2);
  level[2:n] ~ normal(level[1:(n - 1)], s_level);
  season_raw ~ normal(0, 1);
  [s_level, s_obs] ~ exponential(1);
  y ~ normal(yhat, s_obs);
}
