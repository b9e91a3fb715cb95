functions {
  /**
   * Apply inverse link function to linear predictor
   */
  vector linkinv_gauss(vector eta, int link) {
    if (link == 1)  return eta;
    else if (link == 2) return exp(eta);
    else if (link == 3) return inv(eta);
    else reject("Invalid link: ", link);
    return eta;
  }
  vector make_beta(vector z_beta, int prior_dist, vector prior_mean, vector prior_scale, array[] real global) {
    vector[rows(z_beta)] beta;
    if (prior_dist == 0) beta = z_beta;
    else if (prior_dist == 1) beta = z_beta .* prior_scale + prior_mean;
    else if (prior_dist == 2)
      for (k in 1:rows(prior_scale)) {
        beta[k] = z_beta[k] * prior_scale[k] + prior_mean[k];
      }
    else reject("unknown prior_dist");
    return beta;
  }
}
data {
  int<lower=0> N;
  int<lower=0> K;
  vector[K] xbar;
  matrix[N, K] X;
  vector[N] y;
  int<lower=0, upper=1> has_intercept;
  int<lower=0, upper=7> prior_dist;
  vector[K] prior_mean;
  vector<lower=0>[K] prior_scale;
  real<lower=0> prior_scale_for_aux;
}
transformed data {
  int hs = 0;
  real half_log_2_pi = 0.5 * log(2 * pi());
}
parameters {
  array[has_intercept] real gamma;
  vector[K] z_beta;
  array[hs] real<lower=0> global;
  real<lower=0> aux_unscaled;
}
transformed parameters {
  real aux = prior_scale_for_aux * aux_unscaled;
  vector[K] beta = make_beta(z_beta, prior_dist, prior_mean, prior_scale, global);
}
model {
  vector[N] eta;
  if (K > 0) eta = X * beta;
  else eta = rep_vector(0.0, N);
  if (has_intercept == 1) eta = eta + gamma[1];
  target += normal_lpdf(y | linkinv_gauss(eta, 1), aux);
  target += exponential_lpdf(aux_unscaled | 1);
  target += normal_lpdf(z_beta | 0, 1);
  if (has_intercept == 1) target += normal_lpdf(gamma | 0, 10);
}
generated quantities {
  real mean_PPD = 0;
  array[has_intercept] real alpha;
  if (has_intercept == 1) alpha[1] = gamma[1] - dot_product(xbar, beta);
  {
    vector[N] eta = X * beta + gamma[1];
    for (n in 1:N) mean_PPD = mean_PPD + normal_rng(eta[n], aux);
    mean_PPD = mean_PPD / N;
  }
}
