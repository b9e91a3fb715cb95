// Headings of animals: von Mises about a direction on the unit circle.
// oracle: points only: bridgesampling puts all draws at radius 1, where no normal fits them.
data {
  int<lower=1> N;
  vector[N] heading;
}
parameters {
  unit_vector[2] d;
  real<lower=0> kappa;
}
transformed parameters {
  real mu = atan2(d[2], d[1]);
}
model {
  kappa ~ gamma(2, 0.5);
  heading ~ von_mises(mu, kappa);
}
