// error 3:11 a comment begins with //
parameters {
  real a; # the mean
}
model {
  a ~ normal(0, 1);
}
