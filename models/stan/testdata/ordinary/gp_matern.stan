data { int N; array[N] vector[2] x; vector[N] y; }
transformed data { vector[N] mu = zeros_vector(N); real delta = 1e-9; }
parameters { real<lower=0> rho, alpha, sigma; }
model {
  matrix[N, N] L_K;
  matrix[N, N] K = gp_matern32_cov(x, alpha, rho);
  real sq_sigma = square(sigma);
  for (n in 1 : N) K[n, n] = K[n, n] + sq_sigma + delta;
  L_K = cholesky_decompose(K);
  rho ~ inv_gamma(5, 5);
  {alpha, sigma} ~ std_normal();
  y ~ multi_normal_cholesky(mu, L_K);
}
