// brms with threads: reduce_sum and a partial log likelihood
functions {
  /* integer sequence of values */
  array[] int sequence(int start, int end) {
    array[end - start + 1] int seq;
    for (n in 1:num_elements(seq)) {
      seq[n] = n + start - 1;
    }
    return seq;
  }
  // compute partial sums of the log-likelihood
  real partial_log_lik_lpmf(array[] int seq, int start, int end, data array[] int Y, data matrix Xc, vector b,
                            real Intercept) {
    real ptarget = 0;
    int N = end - start + 1;
    ptarget += poisson_log_glm_lupmf(Y[start:end] | Xc[start:end], Intercept, b);
    return ptarget;
  }
}
data {
  int<lower=1> N;
  array[N] int Y;
  int<lower=1> Kc;
  matrix[N, Kc] Xc;
  int grainsize;
}
transformed data {
  array[N] int seq = sequence(1, N);
}
parameters {
  vector[Kc] b;
  real Intercept;
}
model {
  target += reduce_sum(partial_log_lik_lpmf, seq, grainsize, Y, Xc, b, Intercept);
  target += normal_lpdf(b | 0, 1);
  target += student_t_lpdf(Intercept | 3, 1, 2.5);
}
