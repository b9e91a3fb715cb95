// The same with a Wishart prior of the precision matrix: log Z in closed form.
data {
  int<lower=1> N;
  int<lower=1> K;
  array[N] vector[K] y;
  real<lower=K - 1> nu;
  cov_matrix[K] S;
}
parameters {
  cov_matrix[K] Lambda;
}
model {
  Lambda ~ wishart(nu, S);
  for (n in 1:N)
    y[n] ~ multi_normal_prec(rep_vector(0, K), Lambda);
}
