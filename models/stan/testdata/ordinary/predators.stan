// discrete steps of a predator-prey model with while and break
data {
  int<lower=1> T;
  array[T, 2] int<lower=0> pelts;
  real<lower=0> dt;
}
transformed data {
  int steps = 0;
  real s = 0;
  while (1) {
    s += dt;
    steps += 1;
    if (s > 0.2499) break;
    if (steps > 1000) reject("too many steps: ", steps);
  }
}
parameters {
  vector<lower=0>[4] theta;
  vector<lower=0>[2] z0;
  real<lower=0> sigma;
}
transformed parameters {
  array[T] vector[2] z;
  {
    vector[2] now = z0;
    for (t in 1:T) {
      z[t] = now;
      for (k in 1:steps) {
        vector[2] d;
        d[1] = (theta[1] - theta[2] * now[2]) * now[1];
        d[2] = (-theta[3] + theta[4] * now[1]) * now[2];
        now += dt * d;
      }
    }
  }
}
model {
  theta[{1, 3}] ~ normal(1, 0.5);
  theta[{2, 4}] ~ normal(0.05, 0.05);
  z0 ~ lognormal(log(10), 1);
  sigma ~ lognormal(-1, 1);
  for (t in 1:T) pelts[t] ~ neg_binomial_2(z[t] + 0.1, 1 / sigma);
}
