functions {
  real icar_normal_lpdf(vector phi, int N, array[] int node1, array[] int node2) {
    return -0.5 * dot_self(phi[node1] - phi[node2]) + normal_lpdf(sum(phi) | 0, 0.001 * N);
  }
}
data {
  int<lower=0> N; int<lower=0> N_edges;
  array[N_edges] int<lower=1, upper=N> node1; array[N_edges] int<lower=1, upper=N> node2;
  array[N] int<lower=0> y; vector<lower=0>[N] E; int<lower=1> K; matrix[N, K] x; real<lower=0> scaling_factor;
}
transformed data { vector[N] log_E = log(E); }
parameters {
  real beta0; vector[K] betas; real<lower=0> sigma; real<lower=0, upper=1> rho; vector[N] theta; vector[N] phi;
}
transformed parameters {
  vector[N] convolved_re;
  convolved_re = sqrt(1 - rho) * theta + sqrt(rho / scaling_factor) * phi;
}
model {
  y ~ poisson_log(log_E + beta0 + x * betas + convolved_re * sigma);
  phi ~ icar_normal(N, node1, node2);
  beta0 ~ normal(0.0, 1.0); betas ~ normal(0.0, 1.0); theta ~ normal(0.0, 1.0); sigma ~ normal(0, 1.0);
  rho ~ beta(0.5, 0.5);
}
generated quantities { real logit_rho = log(rho / (1.0 - rho)); vector[N] mu = exp(log_E + beta0); }
