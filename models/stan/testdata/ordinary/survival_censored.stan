// Weibull survival with right, left and interval censoring
data {
  int<lower=0> n_obs;
  int<lower=0> n_right;
  int<lower=0> n_left;
  int<lower=0> n_int;
  int<lower=1> P;
  vector<lower=0>[n_obs] t_obs;
  vector<lower=0>[n_right] t_right;
  vector<lower=0>[n_left] t_left;
  matrix<lower=0>[n_int, 2] t_int;
  matrix[n_obs, P] X_obs;
  matrix[n_right, P] X_right;
  matrix[n_left, P] X_left;
  matrix[n_int, P] X_int;
}
parameters {
  real alpha;
  vector[P] beta;
  real<lower=0> shape;
}
model {
  vector[n_obs] scale_obs = exp(alpha + X_obs * beta);
  vector[n_right] scale_right = exp(alpha + X_right * beta);
  vector[n_left] scale_left = exp(alpha + X_left * beta);
  vector[n_int] scale_int = exp(alpha + X_int * beta);

  alpha ~ normal(0, 3);
  beta ~ double_exponential(0, 1);
  shape ~ gamma(4, 2);

  target += weibull_lpdf(t_obs | shape, scale_obs);
  target += weibull_lccdf(t_right | shape, scale_right);
  target += weibull_lcdf(t_left | shape, scale_left);
  for (i in 1:n_int) {
    target += log_diff_exp(weibull_lcdf(t_int[i, 2] | shape, scale_int[i]),
                           weibull_lcdf(t_int[i, 1] | shape, scale_int[i]));
  }
}
