functions {
  real sparse_car_lpdf(vector phi, real tau, real alpha, array[,] int W_sparse, vector D_sparse, vector lambda,
                       int n, int W_n) {
    row_vector[n] phit_D; row_vector[n] phit_W; vector[n] ldet_terms;
    phit_D = (phi .* D_sparse)';
    phit_W = rep_row_vector(0, n);
    for (i in 1:W_n) {
      phit_W[W_sparse[i, 1]] = phit_W[W_sparse[i, 1]] + phi[W_sparse[i, 2]];
      phit_W[W_sparse[i, 2]] = phit_W[W_sparse[i, 2]] + phi[W_sparse[i, 1]];
    }
    for (i in 1:n) ldet_terms[i] = log1m(alpha * lambda[i]);
    return 0.5 * (n * log(tau) + sum(ldet_terms) - tau * (phit_D * phi - alpha * (phit_W * phi)));
  }
}
data { int n; array[n] int y; matrix<lower=0, upper=1>[n, n] W; int W_n; }
transformed data {
  array[W_n, 2] int W_sparse; vector[n] D_sparse; vector[n] lambda;
  { int counter; counter = 1;
    for (i in 1:(n - 1)) for (j in (i + 1):n)
      if (W[i, j] == 1) { W_sparse[counter, 1] = i; W_sparse[counter, 2] = j; counter = counter + 1; } }
  for (i in 1:n) D_sparse[i] = sum(W[i]);
  { vector[n] invsqrtD;
    for (i in 1:n) invsqrtD[i] = 1 / sqrt(D_sparse[i]);
    lambda = eigenvalues_sym(quad_form(W, diag_matrix(invsqrtD))); }
}
parameters { real b; vector[n] phi; real<lower=0> tau; real<lower=0, upper=1> alpha; }
model {
  phi ~ sparse_car(tau, alpha, W_sparse, D_sparse, lambda, n, W_n);
  b ~ normal(0, 1); tau ~ gamma(2, 2);
  y ~ poisson_log(b + phi);
}
