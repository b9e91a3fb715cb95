// error 8:19 3 columns times a vector of 2
parameters {
  real a;
}
model {
  matrix[2, 3] M = rep_matrix(a, 2, 3);
  vector[2] v = rep_vector(a, 2);
  target += sum(M * v);
}
