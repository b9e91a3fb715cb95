// error 6:13 normal_log is normal_lpdf today
parameters {
  real a;
}
model {
  target += normal_log(a, 0, 1);
}
