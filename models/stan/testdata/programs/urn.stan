// Capture and recapture: the number of fish is summed over, by the hypergeometric distribution.
data {
  int<lower=1> marked;
  int<lower=1> caught;
  int<lower=0, upper=caught> again;
  int<lower=1> most;
}
transformed data {
  int least = marked + caught - again;
  int range = most - least + 1;
}
parameters {
  real<lower=0> rate;
}
model {
  vector[range] lp;
  rate ~ gamma(5, 0.05);
  for (i in 1:range) {
    int N = least + i - 1;
    lp[i] = poisson_lpmf(N | rate) + hypergeometric_lpmf(again | caught, marked, N - marked);
  }
  target += log_sum_exp(lp);
}
