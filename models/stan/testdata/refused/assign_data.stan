// error 9:3 data cannot be assigned
data {
  real y;
}
parameters {
  real mu;
}
model {
  y = 2;
  mu ~ normal(y, 1);
}
