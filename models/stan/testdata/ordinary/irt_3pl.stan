data {
  int<lower=1> J; int<lower=1> K; int<lower=1> N;
  array[N] int<lower=1, upper=J> jj;
  array[N] int<lower=1, upper=K> kk;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[J] theta;
  vector[K] b;
  vector<lower=0>[K] a;
  vector<lower=0, upper=0.5>[K] c;
  real<lower=0> sigma_b;
}
model {
  theta ~ std_normal();
  b ~ normal(0, sigma_b);
  sigma_b ~ cauchy(0, 2);
  a ~ lognormal(0, 0.5);
  c ~ beta(5, 17);
  for (n in 1:N) {
    real eta = a[kk[n]] * (theta[jj[n]] - b[kk[n]]);
    if (y[n] == 1)
      target += log_sum_exp(log(c[kk[n]]), log1m(c[kk[n]]) + log_inv_logit(eta));
    else
      target += log1m(c[kk[n]]) + log1m_inv_logit(eta);
  }
}
