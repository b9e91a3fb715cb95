// error 6:3 increment_log_prob is target += today
parameters {
  real a;
}
model {
  increment_log_prob(-square(a));
}
