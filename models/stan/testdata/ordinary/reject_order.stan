functions {
  real loglik(vector y, real lo, real hi, real k) {
    if (lo >= hi)
      reject("lo must be below hi; found lo = ", lo, " hi = ", hi);
    return sum(log(inv_logit(k * (y - lo)) - inv_logit(k * (y - hi))));
  }
}
data { int<lower=0> N; vector[N] y; }
parameters { real lo; real hi; real<lower=0> k; }
model {
  if (hi > 20 || is_inf(k)) reject("hi too large");
  lo ~ normal(0, 5);
  hi ~ normal(5, 5);
  k ~ lognormal(0, 0.5);
  if (lo < hi) target += loglik(y, lo, hi, k);
  else target += negative_infinity();
}
