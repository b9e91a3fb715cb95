data {
  int N; int G; int M; array[N] int g; vector[N] time; array[N] int<lower=0,upper=1> event; vector[N] trt;
  vector[M + 1] cuts;
}
transformed data {
  array[N] int last; matrix[N, M] expo = rep_matrix(0, N, M);
  for (n in 1:N) {
    last[n] = 1;
    for (m in 1:M) {
      if (time[n] <= cuts[m]) break;
      last[n] = m;
      expo[n, m] = fmin(time[n], cuts[m + 1]) - cuts[m];
    }
  }
}
parameters { vector[M] lh; real b; vector<lower=0>[G] w; real<lower=0> th; }
model {
  lh[1] ~ normal(-1, 2);
  for (m in 2:M) lh[m] ~ normal(lh[m - 1], 0.5);
  b ~ normal(0, 1);
  th ~ gamma(2, 1);
  w ~ gamma(1 / th, 1 / th);
  {
    vector[N] eta = b * trt + log(w[g]);
    target += dot_product(to_vector(event), eta) - dot_product(exp(eta), expo * exp(lh));
    for (n in 1:N) if (event[n] == 1) target += lh[last[n]];
  }
}
