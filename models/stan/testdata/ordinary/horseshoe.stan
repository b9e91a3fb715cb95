data {
  int<lower=1> n;
  int<lower=1> d;
  vector[n] y;
  matrix[n, d] x;
  real<lower=0> scale_global;
}
parameters {
  real beta0;
  vector[d] z;
  real<lower=0> tau;
  vector<lower=0>[d] lambda;
  real<lower=0> caux;
  real<lower=0> sigma;
}
transformed parameters {
  real<lower=0> c = 2 * sqrt(caux);
  vector<lower=0>[d] lambda_tilde = sqrt(c ^ 2 * square(lambda) ./ (c ^ 2 + tau ^ 2 * square(lambda)));
  vector[d] beta = z .* lambda_tilde * tau;
}
model {
  z ~ normal(0, 1);
  lambda ~ student_t(1, 0, 1);
  tau ~ student_t(1, 0, scale_global * sigma);
  caux ~ inv_gamma(2, 2);
  beta0 ~ normal(0, 5);
  sigma ~ exponential(1);
  y ~ normal(beta0 + x * beta, sigma);
}
