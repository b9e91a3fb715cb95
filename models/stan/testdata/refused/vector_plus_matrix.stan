// error 8:19 a vector and a matrix cannot be added
parameters {
  real a;
}
model {
  vector[2] v = [a, a]';
  matrix[2, 2] M = diag_matrix(v);
  target += sum(v + M);
}
