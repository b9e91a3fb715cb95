data { int T; array[T] int cases; int pop; }
parameters { real<lower=0, upper=2> beta; real<lower=0, upper=1> gamma; real<lower=1> i0; real<lower=0> inv_phi; }
transformed parameters {
  array[T] real<lower=0> inc; real phi = inv(inv_phi);
  {
    real S = pop - i0; real I = i0;
    for (t in 1:T) {
      real new_inf = S * (1 - exp(-beta * I / pop));
      if (new_inf > S) new_inf = S;
      inc[t] = new_inf; S -= new_inf; I += new_inf - gamma * I;
    }
  }
}
model {
  beta ~ normal(0.6, 0.3) T[0, 2]; gamma ~ beta(2, 5); i0 ~ lognormal(1, 1) T[1, ]; inv_phi ~ exponential(5);
  cases ~ neg_binomial_2(to_vector(inc) + 1e-6, phi);
}
