// error 6:3 the left side of ~ is an expression of a type that normal does not take
parameters {
  cov_matrix[2] S;
}
model {
  S ~ normal(0, 1);
}
