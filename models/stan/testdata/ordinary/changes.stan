// Stan user guide: change point by cumulative sums; while, break, continue, int arithmetic
functions {
  int half(int n) {
    int m = 0;
    while (1) {
      if (2 * m >= n) break;
      m += 1;
    }
    return m;
  }
  array[] real gaps(array[] int T) {
    int n = size(T);
    array[n - 1] real g;
    for (i in 2:n) g[i - 1] = T[i] - T[i - 1];
    return g;
  }
}
data {
  int<lower=1> N;
  array[N] int D;
}
transformed data {
  int mid = half(N);
  int also = (N + 1) %/% 2;
  int third = N / 3;
  if (mid != also) reject("halves differ: ", mid, " ", also);
  array[N] real g;
  g[1] = 0;
  g[2:N] = gaps(D);
}
parameters {
  real<lower=0> e, l;
}
transformed parameters {
  vector[N] lp = rep_vector(-log(N), N);
  {
    vector[N + 1] lp_e;
    vector[N + 1] lp_l;
    lp_e[1] = 0;
    lp_l[1] = 0;
    for (t in 1:N) {
      lp_e[t + 1] = lp_e[t] + poisson_lpmf(D[t] | e);
      lp_l[t + 1] = lp_l[t] + poisson_lpmf(D[t] | l);
    }
    lp += lp_l[N + 1] + head(lp_e, N) - head(lp_l, N);
  }
}
model {
  [e, l] ~ exponential(0.3);
  target += log_sum_exp(lp);
  for (i in 1:N) {
    if (i % 2 == 0) continue;
    if (i > third) break;
    target += 0 * g[i];
  }
}
generated quantities {
  int<lower=1, upper=N> s = categorical_logit_rng(lp);
}
