functions {
  /* compute monotonic effects
   */
  real mo(vector scale, int i) {
    if (i == 0) {
      return 0;
    } else {
      return rows(scale) * sum(scale[1:i]);
    }
  }
}
data {
  int<lower=1> N;
  vector[N] Y;
  int<lower=1> Ksp;
  int<lower=1> Imo;
  array[Imo] int<lower=1> Jmo;
  array[N] int Xmo_1;
  vector[Jmo[1]] con_simo_1;
}
parameters {
  real Intercept;
  simplex[Jmo[1]] simo_1;
  vector[Ksp] bsp;
  real<lower=0> sigma;
}
transformed parameters {
  real lprior = 0;
  lprior += student_t_lpdf(Intercept | 3, 0, 2.5);
  lprior += dirichlet_lpdf(simo_1 | con_simo_1);
  lprior += normal_lpdf(bsp | 0, 2);
  lprior += student_t_lpdf(sigma | 3, 0, 2.5)
    - 1 * student_t_lccdf(0 | 3, 0, 2.5);
}
model {
  vector[N] mu = rep_vector(0.0, N);
  mu += Intercept;
  for (n in 1:N) {
    mu[n] += (bsp[1]) * mo(simo_1, Xmo_1[n]);
  }
  target += normal_lpdf(Y | mu, sigma);
  target += lprior;
}
