functions {
  /* normal log-pdf for time-series covariance structures: cholesky of AR1 */
  matrix cholesky_cor_ar1(real ar, int nrows) {
    matrix[nrows, nrows] mat;
    vector[nrows - 1] gamma;
    mat = diag_matrix(rep_vector(1, nrows));
    for (i in 2:nrows) {
      gamma[i - 1] = pow(ar, i - 1);
      for (j in 1:(i - 1)) {
        mat[i, j] = gamma[i - j];
        mat[j, i] = gamma[i - j];
      }
    }
    return cholesky_decompose(mat ./ (1 - ar^2));
  }
  real normal_time_hom_lpdf(vector y, vector mu, real sigma, matrix chol_cor, array[] int nobs, array[] int begin,
                            array[] int end) {
    int I = size(nobs);
    vector[I] lp;
    matrix[rows(chol_cor), cols(chol_cor)] L;
    L = sigma * chol_cor;
    for (i in 1:I) {
      matrix[nobs[i], nobs[i]] L_i;
      L_i = L[1:nobs[i], 1:nobs[i]];
      lp[i] = multi_normal_cholesky_lpdf(y[begin[i]:end[i]] | mu[begin[i]:end[i]], L_i);
    }
    return sum(lp);
  }
}
data {
  int<lower=1> N;
  vector[N] Y;
  int<lower=1> K;
  matrix[N, K] X;
  int<lower=1> N_tg;
  array[N_tg] int<lower=1> begin_tg;
  array[N_tg] int<lower=1> end_tg;
  array[N_tg] int<lower=1> nobs_tg;
  int<lower=0> Kar;
}
transformed data {
  int max_nobs_tg = max(nobs_tg);
}
parameters {
  vector[K] b;
  vector<lower=-1,upper=1>[Kar] ar;
  real<lower=0> sigma;
}
transformed parameters {
  matrix[max_nobs_tg, max_nobs_tg] Lcortime;
  real lprior = 0;
  Lcortime = cholesky_cor_ar1(ar[1], max_nobs_tg);
  lprior += normal_lpdf(b | 0, 3);
  lprior += uniform_lpdf(ar | -1, 1) - 1 * log_diff_exp(uniform_lcdf(1 | -1, 1), uniform_lcdf(-1 | -1, 1));
  lprior += student_t_lpdf(sigma | 3, 0, 2.5) - 1 * student_t_lccdf(0 | 3, 0, 2.5);
}
model {
  vector[N] mu = rep_vector(0.0, N);
  mu += X * b;
  target += normal_time_hom_lpdf(Y | mu, sigma, Lcortime, nobs_tg, begin_tg, end_tg);
  target += lprior;
}
