// error 7:20 truncation is for one number at a time
parameters {
  real a;
}
model {
  vector[2] v = [a, a]';
  v ~ normal(0, 1) T[0, ];
}
