// Two equations with correlated errors.
data {
  int<lower=1> N;
  vector[N] wage;
  vector[N] school;
  vector[N] quarter;
}
parameters {
  real aE;
  real aW;
  real bQE;
  real bEW;
  corr_matrix[2] Rho;
  vector<lower=0>[2] Sigma;
}
model {
  array[N] vector[2] MU;
  array[N] vector[2] YY;
  Sigma ~ exponential(1);
  Rho ~ lkj_corr(2);
  aE ~ normal(0, 0.2);
  aW ~ normal(0, 0.2);
  bQE ~ normal(0, 0.5);
  bEW ~ normal(0, 0.5);
  for (i in 1:N) {
    MU[i] = [aW + bEW * school[i], aE + bQE * quarter[i]]';
    YY[i] = [wage[i], school[i]]';
  }
  YY ~ multi_normal(MU, quad_form_diag(Rho, Sigma));
}
