// Functions of one's own: a density, a link, and one that loops.
functions {
  real laplace_lpdf(vector y, vector m, real b) {
    return -num_elements(y) * log(2 * b) - sum(abs(y - m)) / b;
  }
  real link(real eta, real power) {
    if (power == 0)
      return exp(eta);
    return (1 + power * eta) ^ (1 / power);
  }
  vector polynomial(vector x, array[] real c) {
    vector[num_elements(x)] out = rep_vector(0, num_elements(x));
    int K = size(c);
    for (k in 1:K)
      out = out .* x + c[K - k + 1];
    return out;
  }
  void add_prior_lp(real b) {
    target += gamma_lpdf(b | 2, 2);
  }
}
data {
  int<lower=1> N;
  vector[N] x;
  vector[N] y;
}
parameters {
  array[3] real c;
  real<lower=0> b;
}
model {
  add_prior_lp(b);
  c ~ normal(0, 2);
  y ~ laplace(polynomial(x, c), b * link(0.5, 0));
}
