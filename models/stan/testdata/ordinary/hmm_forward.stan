data {
  int<lower=1> K;
  int<lower=1> T;
  array[T] real y;
}
parameters {
  simplex[K] p_init;
  array[K] simplex[K] A;
  ordered[K] mu;
  array[K] real<lower=0> sigma;
}
transformed parameters {
  array[T] vector[K] log_alpha;
  {
    array[K] real accumulator;
    log_alpha[1] = log(p_init);
    for (j in 1:K)
      log_alpha[1, j] += normal_lpdf(y[1] | mu[j], sigma[j]);
    for (t in 2:T) {
      for (j in 1:K) {
        for (i in 1:K)
          accumulator[i] = log_alpha[t - 1, i] + log(A[i, j]) + normal_lpdf(y[t] | mu[j], sigma[j]);
        log_alpha[t, j] = log_sum_exp(accumulator);
      }
    }
  }
}
model {
  for (k in 1:K)
    A[k] ~ dirichlet(rep_vector(1.5, K));
  mu ~ normal(0, 3);
  sigma ~ student_t(3, 0, 1);
  target += log_sum_exp(log_alpha[T]);
}
generated quantities {
  vector[K] last = softmax(log_alpha[T]);
}
