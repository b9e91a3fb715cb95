// oracle: points only. Functions of matrices, and slices.
functions {
  matrix add_diag_of(matrix M, real d) {
    matrix[rows(M), cols(M)] out = M;
    for (i in 1:rows(M))
      out[i, i] += d;
    return out;
  }
}
data {
  int<lower=3> K;
  matrix[K, K] B;
}
transformed data {
  matrix[K, K] S = crossprod(B) + diag_matrix(rep_vector(1, K));
  matrix[K, K] root = cholesky_decompose(S);
  real known = log_determinant(S) + determinant(B) + trace(B) + sum(inverse_spd(S)) + mean(B) + max(B);
}
parameters {
  matrix[K, K] A;
  vector[K] v;
  cholesky_factor_cov[K] L;
}
model {
  matrix[K, K] P = tcrossprod(A) + diag_matrix(rep_vector(K, K));
  matrix[K, K] Q = quad_form_diag(S, exp(v / 4));
  matrix[K, 2] H = block(A, 1, 1, K, 2);
  to_vector(A) ~ normal(0, 1);
  v ~ normal(0, 1);
  diagonal(L) ~ gamma(3, 2);
  to_vector(L) ~ normal(0, 1);
  target += log_determinant(P) / 2 + quad_form(S, v) / 30 - trace_quad_form(S, A) / 40 + known / 100;
  target += sum(mdivide_left_tri_low(L, v)) / 9 + sum(mdivide_left_spd(P, v)) / 3 + sum(P \ v) / 5 + sum(v' / P) / 6;
  target += trace(A * B) / 8 + sum(multiply_lower_tri_self_transpose(L)) / 20 + sum(inverse(P)) / 2;
  target += sum(row(A, 2)) / 3 - sum(col(A, 1)) / 4 + sum(A[2]) / 5 + sum(A[ , 3]) / 6 + sum(A[1:2, 2:3]) / 7
      + H[2, 2];
  target += sum(sub_row(A, 1, 1, 2)) / 8 + sum(sub_col(A, 1, 2, 2)) / 9 + sum(append_col(A, B)) / 10 + sum(A') / 11;
  target += sum(diag_pre_multiply(v, B)) / 12 + sum(diag_post_multiply(B, v)) / 13 + sum(A .* B) / 14
      + sum(A ./ P) / 15;
  target += sum(rows_dot_product(A, B)) / 16 + sum(columns_dot_self(A)) / 60 + sum(rows_dot_self(A)) / 70
      - mean(A) / 3;
  target += sum(cholesky_decompose(Q)) / 18 + sum(eigenvalues_sym(P)) / 90 + log(eigenvalues_sym(Q)[1]) / 5;
  target += determinant(P) / 900 + sum(quad_form_sym(S, A)) / 95 + sum(root * v) / 21 + sum(exp(A / 5)) / 22
      + sd(A) / 4;
  target += sum(softmax(A[1]')) + sum(add_diag_of(P, 0.1)) / 99 + dot_product(A[1], B[2]) / 23 + sum(-A
      + 2 * B - 1) / 24;
}
