data {
  int<lower=1> N;
  vector[N] Y;
  vector[N] x;
  int<lower=1> N_1;
  array[N] int<lower=1> J_1;
}
parameters {
  real b;
  real Intercept;
  real b_sigma;
  real Intercept_sigma;
  real<lower=1> nu;
  array[1] vector[N_1] z_1;
  vector<lower=0>[1] sd_1;
}
transformed parameters {
  vector[N_1] r_1_1 = (sd_1[1] * (z_1[1]));
  real lprior = 0;
  lprior += normal_lpdf(b | 0, 1) + normal_lpdf(b_sigma | 0, 1);
  lprior += student_t_lpdf(Intercept | 3, 0, 2.5);
  lprior += student_t_lpdf(Intercept_sigma | 3, 0, 2.5);
  lprior += gamma_lpdf(nu | 2, 0.1)
    - 1 * gamma_lccdf(1 | 2, 0.1);
  lprior += student_t_lpdf(sd_1 | 3, 0, 2.5)
    - 1 * student_t_lccdf(0 | 3, 0, 2.5);
}
model {
  vector[N] mu = rep_vector(0.0, N);
  vector[N] sigma = rep_vector(0.0, N);
  mu += Intercept + b * x;
  sigma += Intercept_sigma + b_sigma * x;
  for (n in 1:N) {
    mu[n] += r_1_1[J_1[n]];
  }
  sigma = exp(sigma);
  target += student_t_lpdf(Y | nu, mu, sigma);
  target += lprior;
  target += std_normal_lpdf(z_1[1]);
}
generated quantities {
  vector[N] log_lik;
  for (n in 1:N)
    log_lik[n] = student_t_lpdf(Y[n] | nu, Intercept + b * x[n] + r_1_1[J_1[n]], exp(Intercept_sigma + b_sigma * x[n]));
}
