// Bounds of every kind, some of them parameters or data.
data {
  int<lower=1> N;
  real low;
  vector[N] y;
}
parameters {
  real<upper=0> a;
  real<lower=a> b;
  real<lower=a, upper=b> c;
  vector<lower=low>[2] v;
  matrix<lower=0, upper=2>[2, 2] m;
  row_vector<upper=3>[2] r;
}
model {
  a ~ normal(0, 2);
  b ~ normal(0, 2);
  c ~ normal(0, 1);
  v ~ normal(low, 1);
  to_vector(m) ~ normal(1, 1);
  r ~ normal(0, 3);
  y ~ normal(c + v[1] * r[1] + m[1, 2] * r[2], b - a);
}
