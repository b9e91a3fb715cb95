// Counts whose rate changes once, after an unknown year that is summed over.
data {
  int<lower=2> T;
  array[T] int<lower=0> y;
  real<lower=0> r;
}
transformed data {
  real log_prior = -log(T);
}
parameters {
  real<lower=0> early;
  real<lower=0> late;
}
transformed parameters {
  vector[T] lp = rep_vector(log_prior, T);
  for (s in 1:T)
    for (t in 1:T)
      lp[s] += poisson_lpmf(y[t] | t < s ? early : late);
}
model {
  early ~ exponential(r);
  late ~ exponential(r);
  target += log_sum_exp(lp);
}
generated quantities {
  vector[T] chance = softmax(lp);
}
