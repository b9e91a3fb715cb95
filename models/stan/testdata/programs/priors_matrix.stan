// Matrices of all constraints under their priors: log Z is 0.
data {
  cov_matrix[3] S;
}
parameters {
  corr_matrix[3] R;
  cholesky_factor_corr[4] L;
  cov_matrix[2] W;
  cov_matrix[3] V;
}
model {
  R ~ lkj_corr(2);
  L ~ lkj_corr_cholesky(1.5);
  W ~ wishart(5, S[1:2, 1:2]);
  V ~ inv_wishart(7, S);
}
