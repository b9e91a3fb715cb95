// error 3:17 S is not positive definite
data {
  cov_matrix[2] S;
}
parameters {
  vector[2] v;
}
model {
  v ~ multi_normal([0, 0]', S);
}
