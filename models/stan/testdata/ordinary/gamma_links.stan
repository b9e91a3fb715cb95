functions {
  real inv_link(real e, int which) {
    if (which == 1) return exp(e);
    else if (which == 2) return inv(e);
    else if (which == 3) return square(e);
    reject("no such link: ", which);
    return not_a_number();
  }
}
data { int N; vector<lower=0>[N] y; vector[N] x; int<lower=1,upper=3> link; }
parameters { real a; real<lower=0> b; real<lower=0> shape; }
model {
  a ~ normal(1, 1); b ~ normal(0, 1) T[0, ]; shape ~ gamma(3, 1);
  for (n in 1:N) {
    real m = inv_link(a + b * x[n], link);
    if (m <= 0) reject("negative mean");
    y[n] ~ gamma(shape, shape / m);
  }
}
